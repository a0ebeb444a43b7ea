package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"
)

// version says what this program was built from.
type version struct {
	Version  string `json:"version"`            // Of the module; "devel" in a checkout.
	Revision string `json:"revision,omitempty"` // Of the repository, if it is known.
	Time     string `json:"time,omitempty"`     // Of that revision, RFC 3339.
	Modified bool   `json:"modified,omitzero"`  // The checkout had changes.
	Go       string `json:"go"`
	Platform string `json:"platform"` // OS/ARCH.
}

func buildVersion() version {
	v := version{Version: "devel", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if m := info.Main.Version; m != "" && m != "(devel)" {
		v.Version = m
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.time":
			v.Time = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

func (v version) String() string {
	text := "extui " + v.Version
	if v.Revision != "" {
		text += " " + v.Revision[:min(12, len(v.Revision))]
	}
	if v.Modified {
		text += " (modified)"
	}
	return fmt.Sprintf("%s, %s, %s", text, v.Go, v.Platform)
}

func newVersion(w *world) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version and what it was built from",
		Example: lines(
			"extui version",
			"extui version --json",
		),
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			if !asJSON {
				return printed(fmt.Fprintln(w.stdout, buildVersion()))
			}
			text, err := json.Marshal(buildVersion(), jsontext.WithIndent("  "))
			if err != nil {
				return &failure{codeFailed, fmt.Errorf("encode version: %w", err), ""}
			}
			return printed(fmt.Fprintf(w.stdout, "%s\n", text))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// printed turns the result of a print to standard output into an error with an
// exit code.
func printed(_ int, err error) error {
	if err != nil {
		return &failure{codeFailed, fmt.Errorf("write to standard output: %w", err), ""}
	}
	return nil
}
