package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"
)

// helpPrinter prints the help of a command. It is our own, since the libraries
// that draw one for cobra ask the terminal for its background first, also to
// print an error: on a dumb terminal the question is garbage, and on one that
// does not answer every mistake on the command line would cost seconds.
type helpPrinter struct {
	w      io.Writer
	width  int  // of a terminal; 0: lines are not wrapped
	styled bool // titles and names may be bold
}

// help prints the help of cmd to its output.
func help(w *world) func(*cobra.Command, []string) {
	return func(cmd *cobra.Command, _ []string) {
		p := helpPrinter{w: cmd.OutOrStdout()}
		if f, ok := w.stdout.(*os.File); ok && isTerminal(f) {
			dumb := w.getenv("TERM") == "" || w.getenv("TERM") == "dumb"
			// Older consoles of Windows show escape sequences as they are.
			p.styled = !dumb && w.getenv("NO_COLOR") == "" && runtime.GOOS != "windows"
			if width, _, err := term.GetSize(int(f.Fd())); err == nil {
				p.width = width
			}
		}
		p.print(cmd)
	}
}

func (p helpPrinter) print(cmd *cobra.Command) {
	about := cmd.Long
	if about == "" {
		about = cmd.Short
	}
	fmt.Fprintln(p.w)
	p.block("  ", about)
	p.title("usage")
	p.block("    ", usageLine(cmd))
	if cmd.Example != "" {
		p.title("examples")
		p.block("    ", cmd.Example)
	}
	var commands, flags [][2]string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			commands = append(commands, [2]string{strings.TrimPrefix(usageLine(c), cmd.CommandPath()+" "), c.Short})
		}
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			flags = append(flags, flagHelp(f))
		}
	})
	column := 10
	for _, row := range append(commands[:len(commands):len(commands)], flags...) {
		column = max(column, ansi.StringWidth(row[0])+2)
	}
	p.table("commands", commands, column)
	p.table("flags", flags, column)
	fmt.Fprintln(p.w)
}

// usageLine is how a command is called.
func usageLine(cmd *cobra.Command) string {
	line := cmd.CommandPath() + strings.TrimPrefix(cmd.Use, cmd.Name())
	if cmd.HasAvailableSubCommands() {
		line += " [command]"
	}
	if cmd.HasAvailableLocalFlags() && cmd.Name() != "help" && !strings.Contains(line, "[flags]") {
		line += " [flags]"
	}
	return line
}

func flagHelp(f *pflag.Flag) [2]string {
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + " " + name
	}
	first, n := utf8.DecodeRuneInString(f.Usage)
	does := string(unicode.ToUpper(first)) + f.Usage[n:]
	switch f.DefValue {
	case "", "false", "0", "[]":
	default:
		does += " (" + f.DefValue + ")"
	}
	return [2]string{name, does}
}

func (p helpPrinter) title(s string) {
	s = strings.ToUpper(s)
	if p.styled {
		s = "\x1b[1m" + s + "\x1b[m"
	}
	fmt.Fprintf(p.w, "\n  %s\n\n", s)
}

// block prints a text, each line of it indented.
func (p helpPrinter) block(indent, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		for _, row := range p.wrap(line, len(indent)) {
			fmt.Fprintln(p.w, strings.TrimRight(indent+row, " "))
		}
	}
}

func (p helpPrinter) table(title string, rows [][2]string, column int) {
	if len(rows) == 0 {
		return
	}
	p.title(title)
	for _, row := range rows {
		name := row[0]
		if p.styled {
			name = "\x1b[1m" + name + "\x1b[m"
		}
		fill := strings.Repeat(" ", column-ansi.StringWidth(row[0]))
		for i, does := range p.wrap(row[1], 4+column) {
			if i > 0 {
				name, fill = "", strings.Repeat(" ", column)
			}
			fmt.Fprintln(p.w, "    "+name+fill+does)
		}
	}
}

// wrap breaks a line that stands behind so many columns. It is left alone where
// there would be hardly any room for it.
func (p helpPrinter) wrap(line string, used int) []string {
	if p.width-used < 20 {
		return []string{line}
	}
	return strings.Split(ansi.Wordwrap(line, p.width-used, " "), "\n")
}
