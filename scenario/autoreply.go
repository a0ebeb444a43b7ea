package scenario

import (
	"strings"
)

// usualReplies are the responses of an agent that we play to what clients ask by
// themselves when they start.
var usualReplies = map[string]string{
	"get_state":                     `{"isStreaming":false,"isCompacting":false,"sessionId":"scenario","messageCount":0,"pendingMessageCount":0}`,
	"get_commands":                  `{"commands":[]}`,
	"get_messages":                  `{"messages":[]}`,
	"set_extension_ui_capabilities": "",
}

// unexpectedOfClient deals with a record of a client for which no step waits.
func (p *player) unexpectedOfClient(a arrival, kind string) string {
	if a.v.kind != object {
		return a.noRecord()
	}
	if kind == "extension_ui_response" {
		return "no step expects this answer"
	}
	_, scripted := p.s.replies[kind]
	_, usual := usualReplies[kind]
	if !scripted && !usual && !strings.HasPrefix(kind, "get_") {
		return "no step expects this command"
	}
	if p.closed {
		return "" // That no response can be sent any more is not its fault.
	}
	// Put in front of those that are owed: it must not become "the last command".
	id, hasID := a.v.get("id")
	if !hasID {
		id.kind = null
	}
	if err := p.reply(&command{kind: kind, id: id}, scripted || usual); err != nil {
		return err.Error()
	}
	return ""
}

// reply responds to a command as no step says otherwise.
func (p *player) reply(c *command, known bool) error {
	record := value{kind: object}
	if c.id.kind != null {
		record.members = append(record.members, field("id", c.id))
	}
	record.members = append(record.members, field("type", textValue("response")), field("command", textValue(c.kind)), field("success", boolValue(known)))
	if !known {
		record.members = append(record.members, field("error", textValue("Unknown command: "+c.kind)))
		return p.write(record.append(nil), "lf")
	}
	if data, ok := p.s.replies[c.kind]; ok {
		data, _, _ = plain(data, p.vars)
		record.members = append(record.members, field("data", data))
	} else if data := usualReplies[c.kind]; data != "" {
		v, err := decode([]byte(data))
		if err != nil {
			return err
		}
		record.members = append(record.members, field("data", v))
	} else if c.kind == "prompt" {
		record.members = append(record.members, field("data", objectOf(field("disposition", textValue("handled")))))
	}
	return p.write(record.append(nil), "lf")
}

// settle responds to the commands whose response no step states.
func (p *player) settle() {
	for _, c := range p.commands {
		if c.owed {
			c.owed = false
			// That the client is gone shows when it is read from.
			_ = p.reply(c, true)
		}
	}
}
