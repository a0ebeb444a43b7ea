package scenario

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strings"

	"extui/protocol"
)

// encodings are the ways in which a text stands in others: as it is, escaped as in a
// JSON string, and in one that is in another, percent-encoded as in a path, a query or
// by encodeURIComponent, with small digits too, and in base64, at any place of what is
// encoded. The text itself is the first; no form is there twice.
func encodings(s string) []string {
	component := strings.ReplaceAll(url.QueryEscape(s), "+", "%20")
	for _, c := range "!'()*" {
		component = strings.ReplaceAll(component, strings.ToUpper(url.QueryEscape(string(c))), string(c))
	}
	all := []string{s, url.QueryEscape(s), url.PathEscape(s), component}
	for _, form := range all[1:] {
		all = append(all, smallDigits().ReplaceAllStringFunc(form, strings.ToLower))
	}
	all = append(all, base64Forms(s)...)
	for _, form := range slices.Clone(all) {
		once := inJSON(form)
		all = append(all, once, inJSON(once), strings.ReplaceAll(form, "/", `\/`), strings.ReplaceAll(form, "${", "$${"))
	}
	var forms []string
	for _, form := range all {
		if !slices.Contains(forms, form) {
			forms = append(forms, form)
		}
	}
	return forms
}

var smallDigits = lazily(`%[0-9A-F]{2}`)

// inJSON is s between the quotes of a JSON string.
func inJSON(s string) string {
	quoted := string(protocol.AppendString(nil, s))
	return quoted[1 : len(quoted)-1]
}

// base64Forms are what s is in base64 behind any number of bytes, without the
// characters that hold bits of its neighbours.
func base64Forms(s string) []string {
	var forms []string
	for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for shift := range 3 {
			text := encoding.EncodeToString([]byte(strings.Repeat("\x00", shift) + s))
			end := (shift + len(s)) * 8 / 6
			if form := text[(shift*8+5)/6 : end]; len(form) >= minSecret {
				forms = append(forms, form)
			}
		}
	}
	return forms
}
