package protocol_test

import (
	"errors"
	"fmt"

	"extui/protocol"
)

// A client reads a record of its agent, asks a person and writes the response.
func Example() {
	record := []byte(`{"type":"extension_ui_request","id":"7","method":"confirm","title":"Clear session?","message":"All messages will be lost."}`)

	req, err := protocol.DecodeRequest(record)
	if err != nil {
		fmt.Println(err)
		return
	}
	switch r := req.(type) {
	case *protocol.Confirm:
		fmt.Println(r.Title)
		resp, err := protocol.Respond(r, protocol.Confirmed(false)) // what the person said
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s\n", protocol.AppendResponse(nil, resp))
	case *protocol.Notify:
		fmt.Println(r.Message)
	}
	// Output:
	// Clear session?
	// {"type":"extension_ui_response","id":"7","confirmed":false}
}

// An agent writes a dialog and reads what its client answered. Only an answer
// that fits counts; here the client made one up.
func ExampleResponse_Answer() {
	dialog := &protocol.Select{ID: protocol.StringID("1"), Title: "Deploy where?", Options: protocol.Options("staging", "production")}
	record, err := protocol.AppendRequest(nil, dialog)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", record)

	for _, line := range []string{
		`{"type":"extension_ui_response","id":"1","value":"staging"}`,
		`{"type":"extension_ui_response","id":"1","value":"everywhere"}`,
		`{"type":"extension_ui_response","id":"1","cancelled":true}`,
	} {
		resp, err := protocol.DecodeResponse([]byte(line))
		if err != nil {
			fmt.Println(err)
			continue
		}
		switch a, err := resp.Answer(dialog); a := a.(type) {
		case protocol.Value:
			fmt.Printf("chosen: %s\n", a)
		case protocol.Cancelled:
			fmt.Println("dismissed")
		default:
			fmt.Println(err)
		}
	}
	// Output:
	// {"type":"extension_ui_request","id":"1","method":"select","title":"Deploy where?","options":["staging","production"]}
	// chosen: staging
	// answer to select "1": field "value" is "everywhere", want one of the options
	// dismissed
}

// A record with a wrong field says which, and what could be read is there: this
// notification can still be shown.
func ExampleDecodeRequest() {
	req, err := protocol.DecodeRequest([]byte(`{"type":"extension_ui_request","id":"1","method":"notify","message":"Done","notifyType":3}`))
	if fe, ok := errors.AsType[*protocol.FieldError](err); ok {
		fmt.Println(fe.Field, "is", fe.Value)
	}
	if n, ok := req.(*protocol.Notify); ok {
		fmt.Println(n.Message, n.Type.Level())
	}
	// Output:
	// notifyType is 3
	// Done info
}

// A client that reads a busy agent looks at the type first.
func ExampleRecordType() {
	typ, ok := protocol.RecordType([]byte(`{"type":"message_update","delta":"Hel"}`))
	fmt.Println(typ, ok)
	// Output: message_update true
}
