package agent_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"extui/agent"
	"extui/protocol"
)

// deployer has one command, /deploy.
type deployer struct{ agent.NoExtensions }

func (deployer) Command(ctx context.Context, s *agent.Session, name, args string) (found bool, err error) {
	if name != "deploy" {
		return false, nil
	}
	where, err := s.UI().Select(ctx, "Deploy where?", []string{"staging", "production"}, nil)
	fmt.Println("answer:", where, err)
	return true, err
}

// Package extension is the comfortable way; this is what is below it. The client
// types a command, is asked, and answers.
func Example() {
	in, commands := io.Pipe()
	records, out := io.Pipe()
	a := agent.New(deployer{}, &agent.Options{NewID: func() string { return "7" }})
	served := make(chan error, 1)
	go func() { served <- a.Serve(context.Background(), in, out) }()

	client := bufio.NewReader(records)
	fmt.Fprintln(commands, `{"id":"p","type":"prompt","message":"/deploy"}`)
	asked, _ := client.ReadString('\n')
	fmt.Print(asked)
	fmt.Fprintln(commands, `{"type":"extension_ui_response","id":"7","value":"staging"}`)
	response, _ := client.ReadString('\n')
	fmt.Print(response)
	commands.Close()
	fmt.Println("end:", <-served)
	// Output:
	// {"type":"extension_ui_request","id":"7","method":"select","title":"Deploy where?","options":["staging","production"]}
	// answer: staging <nil>
	// {"id":"p","type":"response","command":"prompt","success":true,"data":{"disposition":"handled"}}
	// end: <nil>
}

// One check covers every way of not getting an answer; more are there for those who
// want to know.
func ExampleUI_Confirm() {
	var ui agent.UI // nobody is attached
	ctx := context.Background()

	yes, err := ui.Confirm(ctx, "Delete everything?", "There is no way back.", nil)
	switch {
	case errors.Is(err, agent.ErrNoUI):
		fmt.Println("nobody to ask:", yes)
	case errors.Is(err, agent.ErrNoAnswer):
		fmt.Println("nobody decided:", yes)
	case err != nil:
		fmt.Println("our mistake:", err)
	}
	// Output: nobody to ask: false
}

// Ask opens a dialog exactly as given, here a confirm without a message.
func ExampleUI_Ask() {
	var ui agent.UI
	_, err := ui.Ask(context.Background(), &protocol.Confirm{Title: "Sure?"})
	fmt.Println(err)
	// Output: confirm "Sure?": no client is attached
}

// The input may be any reader: here it holds one command that nobody knows.
func ExampleAgent_Serve() {
	var out strings.Builder
	in := strings.NewReader(`{"id":1,"type":"make_coffee"}` + "\n")
	err := agent.New(nil, nil).Serve(context.Background(), in, &out)
	fmt.Print(out.String(), err)
	// Output:
	// {"id":1,"type":"response","command":"make_coffee","success":false,"error":"Unknown command: make_coffee"}
	// <nil>
}
