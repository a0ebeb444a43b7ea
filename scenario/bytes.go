package scenario

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"extui/protocol"
)

// maxBytes is how many bytes one step may send.
const maxBytes = 64 << 20

// piece is a part of the bytes that a step sends, or that a line must contain.
type piece struct {
	text  value // ${name} in it stands for a variable; null if it is none
	fixed []byte
	times int // how often it is written
}

// pieces reads what stands behind bytes: a text, or a list of texts, {hex: …} and
// {repeat: …, times: …}.
func (p *parseState) pieces(v value, where string) []piece {
	if v.kind != array {
		return []piece{p.piece(v, where)}
	}
	var all []piece
	size := 0
	for i, item := range v.items {
		one := p.piece(item, fmt.Sprintf("%s[%d]", where, i))
		size += (len(one.fixed) + len(one.text.text)) * one.times
		all = append(all, one)
	}
	if len(all) == 0 || size > maxBytes {
		p.add(v.at, where, "", "from one to %d bytes", maxBytes)
	}
	return all
}

func (p *parseState) piece(v value, where string) piece {
	one := piece{text: value{kind: null}, times: 1}
	if v.kind == text {
		p.variables(v, where)
		one.text = v
		return one
	}
	const want = `a text, {hex: "c3 28"}, {repeat: x, times: 1000}, or a list of them`
	if !p.is(v, object, where, want) || len(v.members) == 0 {
		return one
	}
	hexText, isHex := v.get("hex")
	repeated, isRepeat := v.get("repeat")
	times, hasTimes := v.get("times")
	switch {
	case isHex && len(v.members) == 1:
		fixed, err := hex.DecodeString(strings.Join(strings.Fields(hexText.text), ""))
		if hexText.kind != text || err != nil || len(fixed) == 0 {
			p.add(hexText.at, where+".hex", hexText.short(), `bytes as pairs of hexadecimal digits: "c3 28"; in quotes if they are digits alone`)
		}
		one.fixed = fixed
	case isRepeat && hasTimes && len(v.members) == 2:
		n, err := strconv.Atoi(times.text)
		if times.kind != number || err != nil || n < 1 || n > maxBytes {
			p.add(times.at, where+".times", times.short(), "how often: a number from 1 to %d", maxBytes)
			n = 1
		}
		if p.is(repeated, text, where+".repeat", "a text") {
			p.variables(repeated, where+".repeat")
		}
		one.text, one.times = repeated, n
		if len(repeated.text)*n > maxBytes {
			p.add(times.at, where+".times", times.short(), "at most %d bytes", maxBytes)
			one.times = 1
		}
	default:
		p.add(v.at, where, v.short(), "%s", want)
	}
	return one
}

// append writes a piece. Without vars, names of variables stay as they are.
func (one piece) append(dst []byte, vars map[string]value) []byte {
	part := one.fixed
	if one.text.kind == text {
		filled := one.text
		if vars != nil {
			filled = fill(filled, vars)
		}
		part = []byte(filled.text)
		if filled.kind != text {
			part = filled.append(nil)
		}
	}
	return append(dst, bytes.Repeat(part, one.times)...)
}

func appendPieces(dst []byte, all []piece, vars map[string]value) []byte {
	for _, one := range all {
		dst = one.append(dst, vars)
	}
	return dst
}

// isRaw reports whether a step is written as bytes, whatever they say.
func (s *step) isRaw() bool { return s.name == "bytes" || s.name == "line" }

// rawLines adds what a raw step writes to the bytes of the line that has begun, and
// returns the lines that end with it and what is left of the next.
func (s *step) rawLines(begun []byte, vars map[string]value) (lines [][]byte, rest []byte) {
	rest = appendPieces(begun, s.bytes, vars)
	if s.name == "line" {
		rest = append(append(rest, s.main.text...), '\n')
	}
	for {
		line, after, ended := bytes.Cut(rest, []byte("\n"))
		if !ended {
			return lines, rest
		}
		lines, rest = append(lines, bytes.TrimSuffix(line, []byte("\r"))), after
	}
}

// lineBytes is the line of such a step, without its end.
func (s *step) lineBytes(vars map[string]value) []byte {
	return appendPieces([]byte(s.main.text), s.bytes, vars)
}

// sayRaw sends a step that is written as bytes. The records of it count as those of
// any other step: they can be responded to, and answered.
func (p *player) sayRaw(st *step) bool {
	if st.name == "line" {
		for line := range bytes.SplitSeq(st.lineBytes(p.vars), []byte("\n")) {
			if err := p.write(line, st.end); err != nil {
				return p.fail(st, "%v", err)
			}
		}
	} else if err := p.writeBytes(appendPieces(nil, st.bytes, p.vars)); err != nil {
		return p.fail(st, "%v", err)
	}
	var lines [][]byte
	lines, p.begun = st.rawLines(p.begun, p.vars)
	for _, line := range lines {
		if v, err := decode(line); err == nil && v.kind == object {
			p.passed(p.me, v, st)
		}
	}
	return p.result(st, OK, nil, "")
}

var errNotRead = errors.New("they are not taken in time")

// writeBytes sends bytes as they are. All that was written before has been flushed, so
// that the goroutine of p.out is not writing.
func (p *player) writeBytes(b []byte) error {
	if p.closed {
		return fmt.Errorf("the %s has closed its side before", p.me)
	}
	p.wireBytes(p.me, b)
	done := make(chan error, 1)
	// converse waits for it once In is closed.
	p.writing.Go(func() {
		_, err := p.peer.In.Write(b)
		done <- err
	})
	timer := time.NewTimer(p.s.Within)
	defer timer.Stop()
	var err error
	select {
	case err = <-done:
	case <-timer.C:
		err = errNotRead
	case <-p.ctx.Done():
		err = errors.New("stopped")
	}
	if err != nil {
		return fmt.Errorf("the %s does not read %d bytes: %w", p.me.other(), len(b), err)
	}
	return nil
}

// rawDifferences says which bytes are not in a line that must contain them.
func (s *step) rawDifferences(line []byte, vars map[string]value) []Difference {
	var all []Difference
	for _, one := range s.raw {
		if want := one.append(nil, vars); !bytes.Contains(line, want) {
			all = append(all, Difference{Path: "bytes of the line", Want: "to contain " + quoteBytes(want), Got: quoteBytes(line)})
		}
	}
	return all
}

// lineDifferences says what is wrong with a line apart from the values in it.
func (s *step) lineDifferences(a arrival, vars map[string]value) []Difference {
	return append(s.rawDifferences(a.raw, vars), s.endDifferences(a.end)...)
}

// meansTwice reports whether a step names in raw, twice, all that stands twice in a: such
// a line is then what it expects.
func (s *step) meansTwice(a arrival) bool {
	if len(a.twice) == 0 || len(s.raw) == 0 {
		return false
	}
	named := appendPieces(nil, s.raw, nil)
	return !slices.ContainsFunc(a.twice, func(name string) bool {
		return bytes.Count(named, protocol.AppendString(nil, name)) < 2
	})
}

// lineEnds are the ends that a line may have, by their names.
var lineEnds = map[string]string{"lf": "\n", "crlf": "\r\n"}

// endDifferences says whether a line that is to end in a certain way ends otherwise.
func (s *step) endDifferences(end string) []Difference {
	if want := lineEnds[s.end]; s.end != "" && end != want {
		return []Difference{{Path: "end of the line", Want: quoteBytes([]byte(want)), Got: quoteBytes([]byte(end))}}
	}
	return nil
}

// quoteBytes shows bytes, in hexadecimal too if they are no text.
func quoteBytes(b []byte) string { return shorten(strconv.QuoteToASCII(string(b))) }
