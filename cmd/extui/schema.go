package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"extui/protocol/schema"
)

func newSchema(w *world) *cobra.Command {
	return &cobra.Command{
		Use:   "schema [NAME]",
		Short: "Print the JSON Schema of a record",
		Long: lines(
			"Prints the JSON Schema (2020-12) of one record of the protocol. Without NAME it lists",
			"the names, and all prints one schema that any record matches.",
		),
		Example: lines(
			"extui schema",
			"extui schema select",
		),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usageError("extui schema NAME prints one schema", "one schema at a time, got %d names", len(args))
			}
			return nil
		},
		ValidArgs: append(schema.Names(), everySchema),
		RunE:      func(_ *cobra.Command, args []string) error { return printSchema(w, args) },
	}
}

// everySchema is the name for one schema of all records.
const everySchema = "all"

func printSchema(w *world, args []string) error {
	if len(args) == 0 {
		return printed(fmt.Fprintln(w.stdout, strings.Join(append(schema.Names(), everySchema), "\n")))
	}
	var text []byte
	var err error
	if args[0] == everySchema {
		text, err = schema.All()
	} else {
		text, err = schema.Get(args[0])
	}
	if errors.Is(err, schema.ErrUnknown) {
		return usageError("extui schema lists the names", "no schema %q", args[0])
	}
	if err != nil {
		return &failure{codeFailed, err, ""}
	}
	return printed(w.stdout.Write(text))
}
