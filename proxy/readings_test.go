package proxy

import (
	"context"
	"io"
	"strings"
	"testing"

	"extui/client"
	"extui/protocol"
)

// all writes every character of a text as an escape.
func all(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		b.WriteString(`\u00` + string("0123456789ABCDEF"[c>>4]) + string("0123456789abcdef"[c&15]))
	}
	return b.String()
}

// utf16Of is a text of ASCII in UTF-16, big-endian.
func utf16Of(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		b.Write([]byte{0, c})
	}
	return b.String()
}

const dialogRest = `"id":"d1","method":"confirm","title":"Delete?"`

// hiddenRequests are lines that some parser of JSON reads as a dialog, and another does
// not: by the first of two members, by the last, or without minding the case of names.
var hiddenRequests = map[string]string{
	"last type":                     `{"type":"message_update",` + dialogRest + `,"type":"extension_ui_request"}`,
	"first type":                    `{"type":"extension_ui_request",` + dialogRest + `,"type":"message_update"}`,
	"last, its value escaped":       `{"type":"message_update","type":"extension_ui_\u0072equest",` + dialogRest + `}`,
	"last, its name escaped":        `{"type":"message_update","\u0074ype":"extension_ui_request",` + dialogRest + `}`,
	"last, all of it escaped":       `{"type":"message_update","` + all("type") + `":"` + all(protocol.TypeRequest) + `",` + dialogRest + `}`,
	"last, underscores escaped":     `{"type":"message_update","type":"extension\u005Fui\u005frequest",` + dialogRest + `}`,
	"last, end escaped":             `{"type":"message_update","type":"extension_ui_reques\u0074",` + dialogRest + `}`,
	"first, both escaped":           `{"typ\u0065":"` + all(protocol.TypeRequest) + `",` + dialogRest + `,"type":"x"}`,
	"behind a response":             `{"type":"response","command":"prompt","success":true,"type":"extension_ui_request",` + dialogRest + `}`,
	"behind a response, escaped":    `{"type":"response","command":"prompt","success":true,"type":"e\u0078tension_ui_request",` + dialogRest + `}`,
	"behind ready":                  `{"type":"ready","type":"extension_ui_request",` + dialogRest + `}`,
	"behind a type that is no text": `{"type":7,"type":"extension_ui_reque\u0073t",` + dialogRest + `}`,
	"capital name":                  `{"type":"message_update","Type":"extension_ui_request",` + dialogRest + `}`,
	"capital name alone":            `{"TYPE":"extension_ui_\u0072equest",` + dialogRest + `}`,
	"two records":                   `{"type":"x"} {"type":"extension_ui_request",` + dialogRest + `}`,
	"two records, escaped":          `{"type":"x"}` + "\r" + `{"type":"extension_ui_\u0072equest",` + dialogRest + `}`,
	"byte order mark":               "\ufeff" + `{"type":"extension_ui_\u0072equest",` + dialogRest + `}`,
	"in a list":                     `[{"type":"extension_ui_\u0072equest",` + dialogRest + `}]`,
	"behind a comment":              `/* */{"type":"extension_ui_\u0072equest",` + dialogRest + `}`,
	"two ids":                       `{"type":"extension_ui_request",` + dialogRest + `,"\u0069d":"d2"}`,
	"as a part":                     `{"type":"rpc_chunk","type":"extension_ui_request",` + dialogRest + `}`,
	"as a part, capital name":       `{"type":"rpc_chunk","Type":"extension_ui_request",` + dialogRest + `}`,
	"behind a part":                 strings.Replace(chunked("a", `{"type":"x"}`, 1)[0], "}", `} {"type":"extension_ui_request",`+dialogRest+`}`, 1),
	"in a part":                     strings.Replace(chunked("a", `{"type":"x"}`, 1)[0], "{", `{"Type":"extension_ui_request",`+dialogRest+`,`, 1),
	"nested behind a line end":      `{"type":"message_update","x":` + "\r" + `{"type":"extension_ui_request",` + dialogRest + `}` + "\r}",
	"the same in a part":            strings.Replace(chunked("a", `{"type":"x"}`, 1)[0], "{", "{\"x\":\r"+`{"type":"extension_ui_request",`+dialogRest+`}`+"\r,", 1),
	"bytes that are no text":        `{"type":"extension_ui_re` + "\xff" + `quest",` + dialogRest + `}`,
	"UTF-16":                        utf16Of(`{"type":"extension_ui_request",` + dialogRest + `}`),
	"UTF-16 with its mark":          "\xff\xfe" + utf16Of(`{"type":"extension_ui_request",`+dialogRest+`}`),
	"UTF-32":                        strings.ReplaceAll(utf16Of(`{"type":"extension_ui_request",`+dialogRest+`}`), "\x00", "\x00\x00\x00"),
	"two titles":                    `{"type":"extension_ui_\u0072equest",` + dialogRest + `,"titl\u0065":"Fine?"}`,
}

// holdsBack writes lines of the agent, of which none but {"type":"x"} may reach the
// client.
func (e *ends) holdsBack(lines ...string) {
	e.t.Helper()
	go e.agent(append(lines, `{"type":"after"}`)...)
	for {
		switch got := line(e.t, "the client", e.clientReads); got {
		case `{"type":"after"}`:
			return
		case `{"type":"x"}`:
		default:
			e.t.Errorf("the client gets %s", got)
		}
	}
}

// What a client could read as a dialog that no rule has judged does not reach it.
func TestHiddenRequests(t *testing.T) {
	yesToAll := Options{PassQuestionnaires: true, Rules: rules(func(context.Context, protocol.Dialog, client.Frontend) (protocol.Answer, error) {
		return protocol.Confirmed(true), nil
	})}
	for name, line := range hiddenRequests {
		t.Run(name, func(t *testing.T) {
			for _, opts := range []Options{asIs, yesToAll} {
				e := start(t, opts)
				e.client(`{"type":"new_session","id":"1"}`) // Responses are looked at as well.
				e.agentGets(`{"type":"new_session","id":"1"}`)
				e.holdsBack(line)
				e.client(yes, `{"type":"abort"}`)
				e.agentGets(`{"type":"abort"}`)
				if !e.reported("held back a record") {
					t.Errorf("reported: %q", e.reports)
				}
				e.ended()
			}
		})
	}
}

// The same for a walk, for which responses to commands are watched.
func TestHiddenRequestsBesideWatchedResponses(t *testing.T) {
	e := start(t, Options{})
	line(t, "the agent", e.agentReads) // the opt-in
	e.holdsBack(hiddenRequests["behind a response"], hiddenRequests["behind a response, escaped"])
	e.ended()
}

// A dialog with a carriage return in it is another one to clients that begin a line there.
func TestRequestsWithALineEndInThem(t *testing.T) {
	e := start(t, asking())
	for _, request := range []string{
		`{"type":"extension_ui_request",` + dialogRest + `,"x":` + "\r" + `{"type":"extension_ui_request","id":"d1","method":"confirm","title":"Fine?"}` + "\r}",
		"{\r" + `"type":"extension_ui_request",` + dialogRest + `}` + "\r",
		`{"type":"extension_ui_request",` + dialogRest + `,"tit` + "\xff" + `le":"Fine?"}`,
	} {
		e.agent(request)
		e.agentGets(cancelled)
	}
	e.holdsBack(`{"type":"extension_ui_request","id":"n","method":"notify","message":"m","x":` + "\r" + `{"type":"extension_ui_request",` + dialogRest + `}` + "\r}")
	e.ended()
}

// A client that knows nothing of parts gets a dialog that came in some as one line.
func TestPartsForAnotherClient(t *testing.T) {
	e := start(t, asking())
	go e.agent(chunked("a", confirm, 3)...)
	e.clientGets(confirm)
	e.client(yes)
	e.agentGets(yes)
	e.ended()
}

// A dialog that all read alike is judged, however it is written.
func TestEscapedRequestIsJudged(t *testing.T) {
	for _, request := range []string{
		`{"type":"` + all(protocol.TypeRequest) + `",` + dialogRest + `}`,
		`{"` + all("type") + `":"extension_ui_\u0072equest",` + dialogRest + `}`,
		`{` + dialogRest + `,"\u0074ype":"extension\u005fui_request"}`,
	} {
		opts := asIs
		opts.Rules = rules(func(_ context.Context, d protocol.Dialog, _ client.Frontend) (protocol.Answer, error) {
			return protocol.Confirmed(d.DialogTitle() != "Delete?"), nil
		})
		e := start(t, opts)
		e.agent(request)
		e.agentGets(`{"type":"extension_ui_response","id":"d1","confirmed":false}`)
		e.ended()
	}
}

// Rules have judged one of two members that differ in case alone: a client that does
// not mind case would show the other.
func TestRequestsThatDifferInCase(t *testing.T) {
	opts := asking()
	e := start(t, opts)
	for _, request := range []string{
		`{"type":"extension_ui_request",` + dialogRest + `,"Title":"Harmless?"}`,
		`{"type":"extension_ui_request",` + dialogRest + `,"more":1,"MORE":2}`,
		`{"type":"extension_ui_request",` + dialogRest + `,"Id":"d2"}`,
	} {
		e.agent(request)
		e.agentGets(cancelled)
	}
	e.holdsBack(`{"type":"extension_ui_request","id":"n","method":"notify","Method":"confirm","message":"m","title":"T"}`)
	e.ended()
}

// What nobody takes for a dialog passes, whatever stands in it.
func TestHarmlessLinesPass(t *testing.T) {
	lines := []string{
		`{"type":"message_update","data":{"type":"extension_ui_request","id":"d1"}}`,
		`{"type":"message_update","text":"extension_ui_request","other":"extension_ui_\u0072equest"}`,
		`{"type":"message_update","text":"{\"type\":\"extension_ui_\\u0072equest\"}"}`,
		`{"type":"message_update","text":"\u001b[31mred\u001b[0m \u0061\u0000\u00"}`,
		`{"type":"message_update","text":"\u0061 \u006"}`,
		`{"type":"response","command":"get_commands","success":true,"data":{"type":"request"},"later":"\u007f"}`,
		`npm warn \u0065xtension_ui_request is new`,
	}
	e := start(t, asIs)
	go e.agent(lines...)
	for _, want := range lines {
		e.clientGets(want)
	}
	for _, want := range []string{
		`{"type":"prompt","message":"say \"extension_ui_response\" \u0065"}`,
		`{"type":"prompt","message":"m","extra":{"type":"extension_ui_response"}}`,
		`\u0065 is no record`,
	} {
		e.client(want)
		e.agentGets(want)
	}
	e.ended()
}

// An answer to a dialog that the rules decide about does not reach the agent, whatever
// way it is written; nor does one that some agent takes for that of another dialog.
func TestHiddenAnswers(t *testing.T) {
	const answer = `"id":"d1","confirmed":true`
	e := start(t, asking())
	e.agent(confirm)
	e.clientGets(confirm)
	other := strings.Replace(confirm, `"d1"`, `"d2"`, 1)
	e.agent(other)
	e.clientGets(other)
	e.client(
		`{"type":"x","type":"extension_ui_\u0072esponse",`+answer+`}`,
		`{"type":"x","`+all("type")+`":"`+all(protocol.TypeResponse)+`",`+answer+`}`,
		`{"type":"extension_ui_response",`+answer+`,"type":"x"}`,
		`{"type":"x","type":"extension\u005fui\u005fresponse",`+answer+`}`,
		`{"type":"x","TYPE":"extension_ui_response",`+answer+`}`,
		`{"type":"x"}`+"\r"+`{"type":"extension_ui_\u0072esponse",`+answer+`}`,
		"\ufeff"+`{"type":"extension_ui_\u0072esponse",`+answer+`}`,
		`[{"type":"extension_ui_respons\u0065",`+answer+`}]`,
		`{"type":"extension_ui_response","id":"d2","\u0069d":"d1","confirmed":true}`,
		`{"type":"extension_ui_response","id":"d2","confirmed":false,"x":`+"\r"+`{"type":"extension_ui_response",`+answer+`}`+"\r}",
		`{"type":"prompt","message":"m","x":`+"\r"+`{"type":"extension_ui_response",`+answer+`}`+"\r}",
		`{"type":"extension_ui_`+"\xff"+`response",`+answer+`}`,
		utf16Of(`{"type":"extension_ui_response",`+answer+`}`),
		`{"type":"extension_ui_response","Id":"d2","id":"d1","confirmed":true}`,
		`{"type":"extension_ui_response","id":"d2","confirmed":false,"Confirmed":true}`,
		`{"type":"extension_ui_response","id":"d2","confirmed":false,"con\u0066irmed":true}`,
		`{"type":"abort"}`)
	e.agentGets(`{"type":"abort"}`)
	e.ended()
}

// Parts that a client of oh-my-pi could put together, and the proxy cannot, do not
// reach it.
func TestHiddenParts(t *testing.T) {
	for name, lines := range map[string][]string{
		"a type twice":          replaced(chunked("a", confirm, 2), `{"type":"rpc_chunk"`, `{"type":"x","type":"rpc_chunk"`),
		"a type twice, escaped": replaced(chunked("a", confirm, 2), `{"type":"rpc_chunk"`, `{"type":"x","type":"rpc_c\u0068unk"`),
		"an index twice":        replaced(chunked("a", confirm, 2), `"index":`, `"index":9,"index":`),
		"in another order":      {chunked("a", confirm, 2)[1], chunked("a", confirm, 2)[0], `{"type":"x"}`},
		"interrupted":           {chunked("a", confirm, 2)[0], `{"type":"x"}`, chunked("a", confirm, 2)[1]},
		"the whole hides it":    chunked("a", strings.Replace(hiddenRequests["last, its value escaped"], "{", "{\n", 1), 3),
		"a request for a part": append(chunked("a", `{"type":"x"}`, 2)[:1],
			strings.Replace(chunked("a", `{"type":"x"}`, 2)[1], `"rpc_chunk"`, `"extension_ui_request","id":"d1","method":"confirm","title":"T"`, 1)),
	} {
		t.Run(name, func(t *testing.T) {
			opts := asking()
			opts.Client = KnowsOhMyPi
			opts.Rules = rules(func(context.Context, protocol.Dialog, client.Frontend) (protocol.Answer, error) {
				return protocol.Confirmed(false), nil
			})
			e := start(t, opts)
			go io.Copy(io.Discard, e.agentReads)
			e.holdsBack(lines...)
			e.ended()
		})
	}
}

func replaced(lines []string, old, new string) []string {
	for i := range lines {
		lines[i] = strings.Replace(lines[i], old, new, 1)
	}
	return lines
}
