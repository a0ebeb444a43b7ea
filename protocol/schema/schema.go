// Package schema holds a JSON Schema (2020-12) of each record of the protocol,
// for programs that are not in Go and for people who want to read one.
//
// A schema says how a record is to be written. Members that it does not list are
// allowed everywhere, since agents add their own and readers must ignore what
// they do not know. Readers are more lenient in other ways too: the package
// protocol shows a notification of an unknown type, for instance, and sends back
// an id that is no string; neither is something to write.
//
//	doc, err := schema.Get("select") // one record
//	doc, err := schema.All()         // one document that any record matches
//
// A request method or a command has its name on the wire as its name here. The
// other records are value-response, confirmed-response, cancelled-response and
// answers-response, command-response and extension-error; extension-ui-request
// and extension-ui-response are any request and any response.
//
// # Concurrency
//
// All functions may be called at once. Each call returns bytes of its own.
package schema

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

//go:embed *.json
var files embed.FS

// ErrUnknown is what the error of [Get] matches for a name that is not in [Names].
var ErrUnknown = errors.New("no such schema")

// Names returns the names of all schemas, sorted.
func Names() []string {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		panic(fmt.Errorf("read the embedded schemas: %w", err)) // the compiler put them there
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".json"))
	}
	slices.Sort(names)
	return names
}

// Get returns the schema of that name as indented JSON with a line end. It
// stands alone: the schemas that it refers to are in its "$defs". The error
// matches [ErrUnknown].
func Get(name string) ([]byte, error) {
	if !slices.Contains(Names(), name) {
		return nil, fmt.Errorf("schema %q: %w; there are %s", name, ErrUnknown, strings.Join(Names(), ", "))
	}
	doc := read(name)
	parts := referred(doc)
	if len(parts) == 0 {
		return doc, nil
	}
	return indent(withDefs(doc, parts))
}

// All returns one schema that any record of the protocol matches, as indented
// JSON with a line end. The schema of each record is in its "$defs" under its
// name. An error means that the schemas of
// this build are broken.
func All() ([]byte, error) {
	records := slices.DeleteFunc(Names(), func(name string) bool { return len(referred(read(name))) > 0 })
	doc := []byte(`{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"urn:extui:record",` +
		`"title":"Record","description":"Any record of the RPC extension UI protocol.","anyOf":[`)
	for i, name := range records {
		if i > 0 {
			doc = append(doc, ',')
		}
		doc = fmt.Appendf(doc, `{"$ref":%q}`, id(read(name)))
	}
	return indent(withDefs(append(doc, "]}"...), Names()))
}

func read(name string) []byte {
	doc, err := files.ReadFile(name + ".json")
	if err != nil {
		panic(fmt.Errorf("read the embedded schema %s: %w", name, err)) // callers pass a name of Names
	}
	return doc
}

// head is what bundling needs to know of a schema.
type head struct {
	ID    string `json:"$id"`
	OneOf []ref  `json:"oneOf"`
}

type ref struct {
	Ref string `json:"$ref"`
}

func parse(doc []byte) head {
	var h head
	if err := json.Unmarshal(doc, &h); err != nil {
		panic(fmt.Errorf("parse an embedded schema: %w", err)) // a test compiles each
	}
	return h
}

func id(doc []byte) string { return parse(doc).ID }

// referred returns the names of the schemas that doc refers to.
func referred(doc []byte) []string {
	refs := parse(doc).OneOf
	if len(refs) == 0 {
		return nil
	}
	var names []string
	for _, name := range Names() {
		if slices.Contains(refs, ref{id(read(name))}) {
			names = append(names, name)
		}
	}
	return names
}

// withDefs adds the named schemas as "$defs" to a schema that has none. Each
// keeps its "$id", by which it is referred to.
func withDefs(doc []byte, names []string) []byte {
	doc = bytes.TrimSpace(doc)
	out := append(doc[:len(doc)-1:len(doc)-1], `,"$defs":{`...)
	for i, name := range names {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(fmt.Appendf(out, "%q:", name), read(name)...)
	}
	return append(out, "}}"...)
}

func indent(doc []byte) ([]byte, error) {
	v := jsontext.Value(doc)
	if err := v.Indent(jsontext.WithIndent("  ")); err != nil {
		return nil, fmt.Errorf("bundle schemas: %w", err)
	}
	return append(v, '\n'), nil
}
