package client

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"extui/protocol"
)

// informed is a front end that is told of what it is not asked.
type informed struct {
	*front
	told chan string
	wait chan struct{} // it returns once there is something here
}

func (w informed) Unasked(r protocol.Request, why error) {
	w.told <- fmt.Sprintf("%s %s: %v", r.RequestID(), r.Method(), why)
	<-w.wait
}

// A front end is told of each dialog that it is not asked, and of no update, before the
// agent gets the cancellation.
func TestUnasked(t *testing.T) {
	for name, test := range map[string]struct{ members, told string }{
		"unknown method":  {`"id":"1","method":"approve","title":"x"`, "1 approve: the client does not know this method"},
		"no method":       {`"id":"1","title":"x"`, "1 : "},
		"bad field":       {`"id":"1","method":"confirm","title":"x","message":0`, `1 confirm: confirm request: field "message" is 0, want a string`},
		"no options":      {`"id":"1","method":"select","title":"x","options":[]`, "1 select: a select without options cannot be answered"},
		"questionnaire":   {`"id":"1","method":"questionnaire","questions":[{"question":"q","header":"h","options":[{"label":"a","description":""},{"label":"b","description":""}],"multiSelect":false}]`, "1 questionnaire: the front end cannot show questionnaires"},
		"too long":        {`"id":"1","method":"confirm","title":"` + strings.Repeat("x", 500) + `"`, "1 confirm: "},
		"too long to say": {`"id":"1","title":"` + strings.Repeat("x", 500) + `"`, "1 : "},
	} {
		t.Run(name, func(t *testing.T) {
			f := informed{newFront(), make(chan string, 1), make(chan struct{})}
			w := attach(t, Options{Frontend: f, MaxRecord: 400})
			w.request(`"id":"u","method":"notify","message":0`)
			w.request(`"id":"u","method":"notify","message":"` + strings.Repeat("x", 500) + `"`)
			w.request(test.members)
			if told := <-f.told; !strings.HasPrefix(told, test.told) {
				t.Errorf("told %q, want %q", told, test.told)
			}
			w.request(reqInput) // Its answer would come behind a cancellation that has been sent.
			(<-f.asks).answer <- answered{a: protocol.Value("v")}
			w.want(`{"type":"extension_ui_response","id":"i","value":"v"}`)
			close(f.wait)
			w.want(`{"type":"extension_ui_response","id":"1","cancelled":true}`)
			if len(f.told) > 0 {
				t.Errorf("told %q, too", <-f.told)
			}
		})
	}
}

// A panic there costs nothing but itself.
func TestUnaskedPanic(t *testing.T) {
	w := attach(t, Options{Frontend: panicking{newFront()}})
	w.request(`"id":"1","method":"approve"`)
	w.want(`{"type":"extension_ui_response","id":"1","cancelled":true}`)
	if kinds := w.kinds(); !slices.Contains(kinds, KindFrontend) {
		t.Errorf("diagnostics %v", kinds)
	}
}

type panicking struct{ *front }

func (panicking) Unasked(protocol.Request, error) { panic("a bug") }
