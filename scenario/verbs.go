package scenario

import (
	"maps"
	"slices"
	"strings"
)

// Role is one end of a conversation.
type Role string

// The two ends.
const (
	Client Role = "client"
	Agent  Role = "agent"
)

func (r Role) other() Role {
	if r == Client {
		return Agent
	}
	return Client
}

// idKind says what the id of a record is.
type idKind byte

const (
	noID       idKind = iota
	commandID         // its own, of a command
	dialogID          // its own, of a request
	answerID          // of the dialog that it answers
	responseID        // of the command that it answers
	targetID          // its own, and in targetId that of the dialog that it ends
)

// verb is one way to write a record, or something else that an end does.
type verb struct {
	who  Role
	main string // the member that stands behind the verb; "" if that is special
	// fixed members of the record, in pi's order; id goes behind the first.
	fixed []member
	// known are the other members that may stand beside the verb; nil: any.
	known []string
	id    idKind
	// dialog verbs take an answer beside the step.
	dialog bool
	// action verbs write no record.
	action bool
}

func request(method, main string, dialog bool, known ...string) *verb {
	return &verb{
		who: Agent, main: main, dialog: dialog, id: dialogID, known: append(known, "id"),
		fixed: []member{field("type", textValue("extension_ui_request")), field("method", textValue(method))},
	}
}

func response(known ...string) *verb {
	return &verb{who: Agent, id: responseID, known: known, fixed: []member{field("type", textValue("response"))}}
}

// verbs are all that a step can say, by end and name.
var verbs = map[Role]map[string]*verb{
	Agent: {
		"select":          request("select", "title", true, "options", "timeout", "message", "optionDetails", "initialIndex"),
		"confirm":         request("confirm", "title", true, "message", "timeout"),
		"input":           request("input", "title", true, "placeholder", "timeout"),
		"editor":          request("editor", "title", true, "prefill", "timeout"),
		"questionnaire":   request("questionnaire", "questions", true, "timeout"),
		"ask":             request("ask", "questions", true, "timeout", "title"),
		"notify":          request("notify", "message", false, "notifyType"),
		"setStatus":       request("setStatus", "statusKey", false, "statusText"),
		"setWidget":       request("setWidget", "widgetKey", false, "widgetLines", "widgetPlacement"),
		"setTitle":        request("setTitle", "title", false),
		"set_editor_text": request("set_editor_text", "text", false),
		"open_url":        request("open_url", "url", false, "launchUrl", "instructions"),
		"dismiss": {who: Agent, id: targetID, known: []string{"reason", "id"},
			fixed: []member{field("type", textValue("extension_ui_request")), field("method", textValue("cancel"))}},
		"response": response("data", "error", "command"),
		"result":   response("isError", "details"),
		"error": {who: Agent, main: "error", known: []string{"extensionPath", "event", "stack"},
			fixed: []member{field("type", textValue("extension_error"))}},
		"event":  {who: Agent, main: "type"},
		"record": {who: Agent},
		"line":   {who: Agent, known: []string{}},
		"bytes":  {who: Agent, known: []string{}},
		"close":  {who: Agent, known: []string{}, action: true},
		"exit":   {who: Agent, known: []string{}, action: true},
		"kill":   {who: Agent, known: []string{}, action: true},
	},
	Client: {
		"prompt":  {who: Client, main: "message", id: commandID, fixed: []member{field("type", textValue("prompt"))}},
		"call":    {who: Client, main: "toolName", id: commandID, known: []string{"input", "id"}, fixed: []member{field("type", textValue("call_tool"))}},
		"command": {who: Client, main: "type", id: commandID},
		"answer":  {who: Client, id: answerID, known: []string{}, fixed: []member{field("type", textValue("extension_ui_response"))}},
		"cancel":  {who: Client, id: answerID, known: []string{}, fixed: []member{field("type", textValue("extension_ui_response"))}},
		"record":  {who: Client},
		"line":    {who: Client, known: []string{}},
		"bytes":   {who: Client, known: []string{}},
		"close":   {who: Client, known: []string{}, action: true},
		"kill":    {who: Client, known: []string{}, action: true},
	},
}

// verbNames lists the verbs of one end for a message.
func verbNames(r Role) string {
	return strings.Join(slices.Sorted(maps.Keys(verbs[r])), ", ")
}

// bare are the verbs that may stand without a value: "client: close".
var bare = []string{"close", "cancel"}

// template makes the record of a step without its id: main is what stands behind
// the verb, rest the members beside it.
func (v *verb) template(name string, main value, rest []member) value {
	record := objectOf(v.fixed...)
	record.at = main.at
	switch {
	case name == "record":
		return main
	case v.main != "":
		record.members = append(slices.Clone(v.fixed), member{v.main, main, main.at})
	default:
		record.members = append(slices.Clone(v.fixed), v.special(name, main)...)
	}
	if name == "result" {
		if i := slices.IndexFunc(rest, func(m member) bool { return m.name == "details" }); i >= 0 {
			record.put("data.details", rest[i].value)
		}
		if i := slices.IndexFunc(rest, func(m member) bool { return m.name == "isError" }); i >= 0 {
			record.put("data.isError", rest[i].value)
		}
		return record
	}
	record.members = append(record.members, rest...)
	return record
}

// put sets a member, or one of a member that is an object.
func (v *value) put(path string, m value) {
	outer, inner, nested := strings.Cut(path, ".")
	for i := range v.members {
		if v.members[i].name == outer {
			if nested {
				// The members are shared with what the value was copied from.
				v.members[i].value.members = slices.Clone(v.members[i].value.members)
				v.members[i].value.put(inner, m)
			} else {
				v.members[i].value = m
			}
			return
		}
	}
	v.members = append(v.members, member{outer, m, m.at})
}

// special are the members of the verbs whose main value has no member of its own.
func (v *verb) special(name string, main value) []member {
	switch name {
	case "answer":
		return answerMembers(main)
	case "cancel":
		return []member{field("cancelled", boolValue(true))}
	case "response":
		return []member{{"success", main, main.at}}
	case "result":
		content := main
		if main.kind != array {
			content = value{kind: array, at: main.at, items: []value{
				objectOf(field("type", textValue("text")), field("text", main))}}
		}
		return []member{
			field("command", textValue("call_tool")), field("success", boolValue(true)),
			field("data", objectOf(field("content", content))),
		}
	}
	return nil
}

// answerMembers are the members of a response that says main: a text for select,
// input and editor, true or false for confirm, a list for a questionnaire, and an
// object for the members as they are.
func answerMembers(main value) []member {
	switch {
	case main.kind == object && !isOperator(main):
		return main.members
	case main.kind == truth:
		return []member{{"confirmed", main, main.at}}
	case main.kind == array:
		return []member{{"answers", main, main.at}}
	default:
		return []member{{"value", main, main.at}}
	}
}
