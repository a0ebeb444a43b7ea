package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"extui/scenario/conformance"
)

// resultFile is where the results of an implementation are kept.
func resultFile(module string, s subject) string {
	return filepath.Join(module, "scenario", "conformance", "results", s.file+".json")
}

// changing is what differs from run to run: folders, and ids that clients make up.
var changing = regexp.MustCompile(`/[^\s"']*/extui-[^\s"']*|extui-[A-Z2-7]{8}-|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// writeResult keeps a report without what differs from run to run.
func writeResult(module string, s subject, r *conformance.Report) error {
	kept := *r
	kept.Command, kept.Results = nil, nil
	for _, one := range r.Results {
		one.Message = changing.ReplaceAllString(one.Message, "…")
		one.Output, one.Wire = "", nil
		kept.Results = append(kept.Results, one)
	}
	return writeFile(resultFile(module, s), func(w io.Writer) error { return conformance.WriteJSON(w, &kept, nil) })
}

// merged is what is kept of an implementation with the results of a new report in the
// place of the old ones. Rules that there are no more fall out.
func merged(module string, s subject, r *conformance.Report) (*conformance.Report, error) {
	kept, err := readResult(module, s)
	if err != nil {
		return nil, err
	}
	byID := map[string]conformance.Result{}
	for _, one := range slices.Concat(kept.Results, r.Results) {
		byID[one.Rule.ID] = one
	}
	kept.Results = nil
	for _, rule := range conformance.Rules(s.role) {
		if one, ok := byID[rule.Rule.ID]; ok {
			kept.Results = append(kept.Results, one)
		}
	}
	return kept, nil
}

func readResult(module string, s subject) (*conformance.Report, error) {
	text, err := os.ReadFile(resultFile(module, s))
	if err != nil {
		return nil, err
	}
	r, err := conformance.ReadJSON(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.file, err)
	}
	return r, nil
}

// readResults reads what is kept, in the order of the table.
func readResults(module string) ([]*conformance.Report, error) {
	var all []*conformance.Report
	for _, s := range table {
		r, err := readResult(module, s)
		if errors.Is(err, os.ErrNotExist) {
			continue // Not checked yet.
		}
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// pages are what the results are shown as.
var pages = map[string]func(io.Writer, []*conformance.Report) error{
	"conformance.md":   conformance.WriteMarkdown,
	"conformance.html": conformance.WriteHTML,
}

// writePages writes the pages from the results that are kept.
func writePages(module string) error {
	all, err := readResults(module)
	if err != nil {
		return err
	}
	for name, page := range pages {
		if err := writeFile(filepath.Join(module, "docs", name), func(w io.Writer) error { return page(w, all) }); err != nil {
			return err
		}
	}
	return nil
}

func writeFile(path string, write func(io.Writer) error) error {
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, text.Bytes(), 0o666)
}
