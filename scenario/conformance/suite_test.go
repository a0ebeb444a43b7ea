package conformance

import (
	"strings"
	"testing"
	"testing/fstest"

	"extui/scenario"
)

func TestEmbeddedRulesAreGood(t *testing.T) {
	all, err := Load(files)
	if err != nil {
		t.Fatal(err)
	}
	for role, least := range map[scenario.Role]int{scenario.Agent: 60, scenario.Client: 30} {
		if n := len(all[role]); n < least {
			t.Errorf("%d rules for the %s, want at least %d", n, role, least)
		}
		for _, s := range all[role] {
			if sectionIndex(s.Rule.Section) == len(Sections) {
				t.Errorf("%s: the section %q is not in Sections", s.File, s.Rule.Section)
			}
		}
	}
}

const goodRule = `
rule: {id: A-1, says: x, severity: must, section: Framing, source: pi}
steps: [{client: close}]
`

func TestLoadSaysWhatIsWrong(t *testing.T) {
	clientRule := strings.Replace(goodRule, "client: close", "agent: close", 1)
	for want, files := range map[string]map[string]string{
		"":                                     {"agent/A-1.yaml": goodRule, "client/B-1.yaml": strings.Replace(clientRule, "A-1", "B-1", 1)},
		"agent/A-1.yaml: has no rule":          {"agent/A-1.yaml": "steps: [{client: close}]"},
		"the id A-1 is not the name":           {"agent/A-2.yaml": goodRule},
		"the id A-1 is that of agent/A-1.yaml": {"agent/A-1.yaml": goodRule, "client/A-1.yaml": clientRule},
		`needs "wings", which is no feature`:   {"agent/A-1.yaml": strings.Replace(goodRule, "source: pi", "source: pi, needs: wings", 1)},
		"choices are for clients":              {"agent/A-1.yaml": goodRule + "choices: []\n"},
		"severity":                             {"agent/A-1.yaml": strings.Replace(goodRule, "must", "perhaps", 1)},
	} {
		fsys := fstest.MapFS{}
		for name, text := range files {
			fsys[name] = &fstest.MapFile{Data: []byte(text)}
		}
		_, err := Load(fsys)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
