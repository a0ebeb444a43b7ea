package client_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"extui/client"
	"extui/protocol"
)

// careful is a front end that agrees to nothing but a harmless name.
type careful struct{}

func (careful) Ask(_ context.Context, d protocol.Dialog) (protocol.Answer, error) {
	switch d := d.(type) {
	case *protocol.Select:
		fmt.Println("asked to select:", d.Title)
		return protocol.Value(d.Options[len(d.Options)-1].Answer()), nil
	case *protocol.Input:
		fmt.Println("asked for input:", d.Title)
		return protocol.Value("gopher"), nil
	}
	return protocol.Cancelled{}, nil
}

func (careful) Show(u protocol.Update) {
	if n, ok := u.(*protocol.Notify); ok {
		fmt.Println("told:", n.Message)
	}
}

// script is an agent that says what it is given and shows what it hears.
func script(lines ...string) (io.Reader, io.WriteCloser) {
	outR, outW := io.Pipe()
	inR, inW := io.Pipe()
	go func() {
		in := bufio.NewScanner(inR)
		for _, line := range lines {
			fmt.Fprintln(outW, line)
			if in.Scan() {
				fmt.Println("agent hears:", in.Text())
			}
		}
		outW.Close()
		inR.Close()
	}()
	return outR, inW
}

func ExampleAttach() {
	r, w := script(
		`{"type":"extension_ui_request","id":"1","method":"select","title":"Delete it?","options":["Allow","Block"]}`,
		`{"type":"extension_ui_request","id":"2","method":"input","title":"Your name"}`,
		`{"type":"extension_ui_request","id":"3","method":"confirm","title":"Sure?"}`,
	)
	c := client.Attach(r, w, &client.Options{Frontend: careful{}, Dialect: client.Pi})
	<-c.Done()
	if err := c.Close(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// asked to select: Delete it?
	// agent hears: {"type":"extension_ui_response","id":"1","value":"Block"}
	// asked for input: Your name
	// agent hears: {"type":"extension_ui_response","id":"2","value":"gopher"}
	// agent hears: {"type":"extension_ui_response","id":"3","cancelled":true}
}

// never is a front end whose person has left.
type never struct{}

func (never) Ask(ctx context.Context, _ protocol.Dialog) (protocol.Answer, error) {
	<-ctx.Done()
	if errors.Is(context.Cause(ctx), client.ErrAnsweredElsewhere) {
		fmt.Println("closed here: it was answered elsewhere")
	}
	return nil, ctx.Err()
}

func (never) Show(protocol.Update) {}

func ExampleFirst() {
	g := client.First(never{}, careful{})
	answer, err := g.Ask(context.Background(), &protocol.Input{Title: "Your name"})
	if err := g.Close(context.Background()); err != nil {
		fmt.Println(err)
	}
	fmt.Println(answer, err)
	// Output:
	// asked for input: Your name
	// closed here: it was answered elsewhere
	// gopher <nil>
}

func ExampleMirror_Watch() {
	r, w := io.Pipe()
	c := client.Attach(r, discard{}, nil)
	seen := make(chan client.Change, 10)
	now, stop := c.Mirror().Watch(func(ch client.Change) { seen <- ch })
	defer stop()
	fmt.Fprintln(w, `{"type":"extension_ui_request","id":"1","method":"setTitle","title":"my project"}`)
	fmt.Fprintln(w, `{"type":"extension_ui_request","id":"2","method":"setStatus","statusKey":"ci","statusText":"green"}`)
	w.Close()
	<-c.Done()
	now.Apply(<-seen)
	now.Apply(<-seen)
	fmt.Println(now.Title, now.Statuses)
	// Output: my project [{ci green}]
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }

func ExampleDecodeEvent() {
	e, err := client.DecodeEvent([]byte(`{"type":"message_update","assistantMessageEvent":{"type":"text_delta","delta":"Hello"}}`))
	if err != nil {
		fmt.Println(err)
	}
	if text, ok := e.(client.TextDelta); ok {
		fmt.Println(text.Text)
	}
	// Output: Hello
}
