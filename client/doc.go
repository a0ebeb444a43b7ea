// Package client is the client end of the RPC extension UI protocol: it runs a
// coding agent, hands its dialogs to a front end and its answers back.
package client
