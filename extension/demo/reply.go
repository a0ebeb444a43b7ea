package demo

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"extui/agent"
	"extui/extension"
)

// pace is the time between two words of an answer: slow enough to see that it
// streams.
const pace = 20 * time.Millisecond

// reply answers a plain prompt word by word, as a model would.
func reply(ctx *extension.Context, p *agent.Prompt) error {
	if strings.HasPrefix(p.Text, "/") {
		return agent.ErrUnhandled // A command that does not exist, rather than a text.
	}
	answer, err := ctx.StartReply(p)
	if answer == nil {
		return err
	}
	text := fmt.Sprintf("You said %q. There is no model here, so that is all I can make of it. Type /demo to be asked something.", p.Text)
	for _, word := range strings.SplitAfter(text, " ") {
		if err = errors.Join(err, answer.Text(word)); err != nil {
			break
		}
		select {
		case <-ctx.Done(): // End says that it was aborted.
			return answer.End()
		case <-time.After(pace):
		}
	}
	return errors.Join(err, answer.End())
}
