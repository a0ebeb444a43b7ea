package terminal

import (
	"strings"

	"extui/internal/safetext"
)

// splitter cuts a stream of Markdown into chunks that can be rendered on their
// own, so that only the last one has to be rendered again when more comes. It
// cuts where a new block surely begins: at a line that is neither indented nor
// part of a list, behind a blank one, outside a code block. Chunks that grow too
// long are cut wherever it is possible.
type splitter struct {
	safe  safetext.Stream
	on    bool   // a message has begun
	fence string // the line that opened the code block we are in, "" for none
	marks string // its backquotes or tildes
	blank bool   // the last whole line was blank
	line  string // the line that has not ended
	size  int    // bytes in the chunk
}

// step is a piece of text for the last chunk, or for a fresh one.
type step struct {
	text  string
	fresh bool
	joins bool // a fresh chunk that goes on from the one before
}

// longChunk is where a chunk is cut even if its Markdown suffers for it.
const longChunk = 8 << 10

func (s *splitter) active() bool { return s.on }

// write takes a piece of the stream.
func (s *splitter) write(delta string) []step {
	text := s.safe.Write(delta)
	if text == "" {
		return nil
	}
	return s.take(text)
}

// end ends the message and returns what was held back of it.
func (s *splitter) end() string {
	rest := s.safe.Flush()
	*s = splitter{}
	return rest
}

func (s *splitter) take(text string) []step {
	var out []step
	emit := func(t string) {
		if t == "" {
			return
		}
		s.size += len(t)
		if n := len(out); n > 0 {
			out[n-1].text += t
			return
		}
		out = append(out, step{text: t, fresh: !s.on})
		s.on = true
	}
	fresh := func(t string, joins bool) {
		out = append(out, step{text: t, fresh: true, joins: joins})
		s.size = len(t)
	}
	for text != "" {
		if s.line == "" && s.on {
			switch {
			case s.size > longChunk && s.fence != "":
				emit(s.marks + "\n")
				fresh(s.fence+"\n", true)
			case s.fence == "" && s.blank && startsBlock(text), s.size > longChunk:
				joins := !s.blank
				fresh("", joins)
			}
		}
		line, _, ended := strings.Cut(text, "\n")
		if !ended {
			s.line += line
			emit(line)
			if s.size > 2*longChunk && s.fence == "" {
				s.line = ""
				fresh("", true)
			}
			return trim(out)
		}
		emit(line + "\n")
		s.endLine(s.line + line)
		s.line, text = "", text[len(line)+1:]
	}
	return trim(out)
}

// trim drops steps without text that are no fresh chunk.
func trim(steps []step) []step {
	out := steps[:0]
	for _, s := range steps {
		if s.text != "" || s.fresh {
			out = append(out, s)
		}
	}
	return out
}

func (s *splitter) endLine(line string) {
	s.blank = strings.TrimSpace(line) == ""
	t := strings.TrimLeft(line, " ")
	if len(line)-len(t) > 3 {
		return
	}
	marks := t[:len(t)-len(strings.TrimLeft(t, "`"))]
	if marks == "" {
		marks = t[:len(t)-len(strings.TrimLeft(t, "~"))]
	}
	switch {
	case len(marks) < 3:
	case s.fence == "":
		if marks[0] == '~' || !strings.Contains(t[len(marks):], "`") {
			s.fence, s.marks = line, marks
		}
	case marks[0] == s.marks[0] && len(marks) >= len(s.marks) && strings.TrimSpace(t) == marks:
		s.fence, s.marks = "", ""
	}
}

// startsBlock reports whether a line with this beginning cannot belong to the
// block above the blank line before it.
func startsBlock(text string) bool {
	c := text[0]
	switch {
	case c == ' ' || c == '\t' || c == '\n':
		return false
	case c == '-' || c == '*' || c == '+' || c >= '0' && c <= '9':
		return false // may be an item of the list above
	}
	return true
}
