package main

// scene is one picture: what the agent sends besides the conversation, and the
// keys that are pressed once wait is on the screen. until is what they lead to.
type scene struct {
	name, about string
	records     []string
	wait        string
	keys        []string
	until       string
}

const request = `{"type":"extension_ui_request",`

// conversation is what stands above every dialog.
var conversation = []string{
	request + `"id":"a1","method":"setTitle","title":"pi · web shop"}`,
	request + `"id":"a2","method":"setStatus","statusKey":"model","statusText":"\u001b[36mscript-1\u001b[0m"}`,
	request + `"id":"a3","method":"setStatus","statusKey":"turns","statusText":"3"}`,
	request + `"id":"a4","method":"setWidget","widgetKey":"tasks","widgetLines":["\u001b[32m✓\u001b[0m read the Makefile","\u001b[33m▸\u001b[0m clean and test"]}`,
	request + `"id":"a5","method":"setWidget","widgetKey":"branch","widgetLines":["main ↑2"],"widgetPlacement":"borderTopRight"}`,
	`{"type":"agent_start"}`,
	`{"type":"message_start","message":{"role":"assistant","content":[]}}`,
	`{"type":"message_update","assistantMessageEvent":{"type":"text_delta","contentIndex":0,"delta":"The **old build** is in the way. I would:\n\n1. remove it with ` + "`rm -rf build`" + `\n2. run the tests again\n"}}`,
	`{"type":"message_end","message":{"role":"assistant","content":[{"type":"text","text":"…"}],"stopReason":"toolUse"}}`,
	`{"type":"tool_execution_start","toolCallId":"c0","toolName":"read","args":{"path":"Makefile"}}`,
	`{"type":"tool_execution_end","toolCallId":"c0","toolName":"read","result":{"content":[{"type":"text","text":"all: build"}]},"isError":false}`,
	`{"type":"tool_execution_start","toolCallId":"c1","toolName":"bash","args":{"command":"rm -rf build"}}`,
}

const questions = request + `"id":"d","method":"questionnaire","questions":[` +
	`{"question":"Which storage should runs use?","header":"Storage","options":[{"label":"SQLite","description":"A local file"},{"label":"libSQL","description":"A shared database"}]},` +
	`{"question":"Which checks run before a commit?","header":"Checks","multiSelect":true,"options":[{"label":"vet","description":"fast"},{"label":"race","description":"slow, thorough"}]},` +
	`{"question":"Which layout do you like?","header":"Layout","options":[{"label":"Wide","description":"one column","preview":"# Wide\n\n- header\n- **content**\n- footer"},{"label":"Split","description":"two columns","preview":"` + "```go\\ntype Split struct {\\n\\tleft, right Pane\\n}\\n```" + `"}]}]}`

var scenes = []scene{
	{name: "conversation", about: "The conversation and the prompt", wait: "main ↑2", keys: []string{"Please do"}, until: "Please do"},
	{name: "tools", about: "A tool call opened", wait: "main ↑2", keys: []string{"C-t", "Up", "Enter"}, until: "all: build"},
	{name: "help", about: "The help", wait: "main ↑2", keys: []string{"?"}, until: "Everywhere"},
	{name: "select", about: "A select with a time limit", records: []string{
		request + `"id":"d","method":"select","title":"Dangerous command: rm -rf build","options":["Allow","Allow for this session","Block"],"timeout":60000}`},
		wait: "Dangerous", keys: []string{"Down"}, until: "▸ 1"},
	{name: "filter", about: "A long list with a filter", records: []string{
		request + `"id":"d","method":"select","title":"Which model?","options":["alpha small","alpha large","beta small","beta large","gamma small","gamma large","delta small","delta large","epsilon"]}`},
		wait: "Which model", keys: []string{"/", "lar"}, until: "4 of 9"},
	{name: "confirm", about: "A confirm, which begins at No", records: []string{
		request + `"id":"d","method":"confirm","title":"Clear session?","message":"All messages will be lost."}`}, wait: "Clear session"},
	{name: "input", about: "An input", records: []string{
		request + `"id":"d","method":"input","title":"What is the branch to be called?","placeholder":"feature/…"}`}, wait: "feature/"},
	{name: "editor", about: "An editor, which keeps tabs and carriage returns", records: []string{
		request + `"id":"d","method":"editor","title":"Edit the commit message","prefill":"Remove the old build\n\n\tIt was in the way.\r\n\tTests pass.\n"}`}, wait: "Edit the commit"},
	{name: "questionnaire", about: "A questionnaire: one tab for each question", records: []string{questions}, wait: "Which storage", keys: []string{"2"}, until: "▸ 2"},
	{name: "preview", about: "Options with a preview", records: []string{questions}, wait: "Which storage", keys: []string{"2", "Enter", "Tab", "2"}, until: "▸ 2"},
	{name: "review", about: "The review before a questionnaire is sent", records: []string{questions}, wait: "Which storage", keys: []string{"2", "Enter", "1", "Space", "Tab", "Tab"}, until: "Enter sends"},
	{name: "queue", about: "Several dialogs at once", records: []string{
		request + `"id":"d","method":"confirm","title":"Remove build?"}`,
		request + `"id":"e","method":"confirm","title":"Run the tests?","timeout":60000}`,
		request + `"id":"f","method":"input","title":"Name the branch"}`}, wait: "of 3", keys: []string{"C-n"}, until: "2 of 3"},
	{name: "hostile", about: "Text that would like to be obeyed", records: []string{
		request + `"id":"d","method":"confirm","title":"Run \u001b[2J\u001b]0;harmless\u0007this\u202e?","message":"rm\u200b -rf \u001b[8m/\u001b[0m"}`}, wait: "Run "},
	{name: "ended", about: "A dialog whose time ran out leaves what was typed", records: []string{
		request + `"id":"d","method":"input","title":"A word?","timeout":3500}`}, wait: "A word?", keys: []string{"half a thou"}, until: "time ran out"},
}
