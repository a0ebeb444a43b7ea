package script

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/md5"
	"crypto/rand"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"hash"
	"io"
	"net"
	"net/http"
	"os"
	"os/user"
	"path"
	"runtime"
	"strings"
	"syscall"
	"unicode/utf8"

	"extui/internal/uuid"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/goccy/go-yaml"
	whatwg "github.com/nlnwa/whatwg-url/url"
	"modernc.org/quickjs"
)

// systemOps are the host functions behind text, URLs, hashes and the like.
func (e *engine) systemOps() hostOps {
	return hostOps{
		"encode": func(a arguments) (any, error) { return base64.StdEncoding.EncodeToString([]byte(a.text(0))), nil },
		"decode": func(a arguments) (any, error) {
			b, err := a.bytes(0)
			if err != nil {
				return nil, err
			}
			if utf8.Valid(b) {
				return string(b), nil
			}
			if a.flag(1) {
				return nil, nodeError("The encoded data was not valid for encoding utf-8")
			}
			return toValidUTF8(b), nil
		},
		"yaml": func(a arguments) (any, error) {
			if strings.TrimSpace(a.text(0)) == "" {
				return "null", nil
			}
			text, err := yaml.YAMLToJSON([]byte(a.text(0)))
			if err != nil {
				return nil, &codedError{"YAML_PARSE_ERROR", yaml.FormatError(err, false, true)}
			}
			return string(text), nil
		},
		"windows": func(arguments) (any, error) { return runtime.GOOS == "windows", nil },
		"cwd":     func(arguments) (any, error) { return e.cwd, nil },
		"glob": func(a arguments) (any, error) {
			ok, err := path.Match(a.text(0), a.text(1))
			return ok, err
		},
		"os":      func(arguments) (any, error) { return osInfo() },
		"process": func(arguments) (any, error) { return e.processInfo() },
		"url":     func(a arguments) (any, error) { return parseURL(a.text(0), a.optional(1)) },
		"urlset":  func(a arguments) (any, error) { return setURL(a.text(0), a.text(1), a.text(2)) },
		"random": func(a arguments) (any, error) {
			n := a.integer(0)
			if n < 0 || n > 1<<28 {
				return nil, fmt.Errorf("random: %d bytes", n)
			}
			b := make([]byte, n)
			_, _ = rand.Read(b) // it never fails
			return base64.StdEncoding.EncodeToString(b), nil
		},
		"uuid": func(arguments) (any, error) { return uuid.New(), nil },
		"hash": func(a arguments) (any, error) {
			data, err := a.bytes(1)
			if err != nil {
				return nil, err
			}
			return digest(a.text(0), data, a.optional(2))
		},
		"newcancel": func(arguments) (any, error) { return e.newCancel(), nil },
		"cancel": func(a arguments) (any, error) {
			if c, ok := e.cancels[a.integer(0)]; ok {
				c.cancel()
			}
			return nil, nil
		},
		"uncancel": func(a arguments) (any, error) { e.dropCancel(a.integer(0)); return nil, nil },
		"fetch":    e.opFetch,
		"soon": func(arguments) (any, error) {
			e.post(func() {
				if err := e.enter("soon"); err != nil {
					e.stopped(err)
				}
			})
			return nil, nil
		},
	}
}

// toValidUTF8 puts U+FFFD where b is no UTF-8, as browsers do: one for each longest
// prefix of a character.
func toValidUTF8(b []byte) string {
	return string(bytes.ToValidUTF8(explode(b), []byte("\uFFFD")))
}

// explode keeps runs of broken bytes apart, which bytes.ToValidUTF8 would make one.
func explode(b []byte) []byte {
	out := make([]byte, 0, len(b)+16)
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 {
			n = brokenPrefix(b)
			out = append(out, "\uFFFD"...)
		} else {
			out = append(out, b[:n]...)
		}
		b = b[n:]
	}
	return out
}

// brokenPrefix returns how many bytes at the start of b one U+FFFD stands for.
func brokenPrefix(b []byte) int {
	need := 0
	low, high := byte(0x80), byte(0xBF)
	switch c := b[0]; {
	case c >= 0xC2 && c <= 0xDF:
		need = 1
	case c >= 0xE0 && c <= 0xEF:
		need = 2
		if c == 0xE0 {
			low = 0xA0
		}
		if c == 0xED {
			high = 0x9F
		}
	case c >= 0xF0 && c <= 0xF4:
		need = 3
		if c == 0xF0 {
			low = 0x90
		}
		if c == 0xF4 {
			high = 0x8F
		}
	}
	n := 1
	for n <= need && n < len(b) && b[n] >= low && b[n] <= high {
		n++
		low, high = 0x80, 0xBF
	}
	return n
}

func encodeJSON(v any) (any, error) {
	b, err := json.Marshal(v, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil, fmt.Errorf("answer JavaScript: %w", err)
	}
	return string(b), nil
}

// nodePlatform and nodeArch are Node's names for what Go was built for.
func nodePlatform() string {
	if runtime.GOOS == "windows" {
		return "win32"
	}
	return runtime.GOOS
}

func nodeArch() string {
	switch runtime.GOARCH {
	case "amd64":
		return "x64"
	case "386":
		return "ia32"
	}
	return runtime.GOARCH
}

func osInfo() (any, error) {
	info := struct {
		Platform string `json:"platform"`
		Type     string `json:"type"`
		Arch     string `json:"arch"`
		Machine  string `json:"machine"`
		Release  string `json:"release"`
		Hostname string `json:"hostname"`
		Homedir  string `json:"homedir"`
		Tmpdir   string `json:"tmpdir"`
		Username string `json:"username"`
		UID      int    `json:"uid"`
		GID      int    `json:"gid"`
		CPUs     int    `json:"cpus"`
		Total    int64  `json:"totalmem"`
		Free     int64  `json:"freemem"`
	}{
		Platform: nodePlatform(), Arch: nodeArch(), Machine: runtime.GOARCH, Tmpdir: os.TempDir(), CPUs: runtime.NumCPU(), UID: os.Getuid(), GID: os.Getgid(),
		Type: map[string]string{"linux": "Linux", "darwin": "Darwin", "windows": "Windows_NT", "freebsd": "FreeBSD"}[runtime.GOOS],
	}
	// What cannot be found out stays empty, as an extension shows it at most.
	info.Hostname, _ = os.Hostname()
	info.Homedir, _ = os.UserHomeDir()
	if u, err := user.Current(); err == nil {
		info.Username = u.Username
	}
	return encodeJSON(info)
}

func (e *engine) processInfo() (any, error) {
	executable, _ := os.Executable() // empty if unknown
	return encodeJSON(map[string]any{
		"env": environment(e.env), "path": e.path, "execPath": executable, "platform": nodePlatform(), "arch": nodeArch(),
		"pid": os.Getpid(), "ppid": os.Getppid(), "quickjs": quickjs.Version(), "uid": os.Getuid(), "gid": os.Getgid(),
	})
}

func digest(name string, data []byte, key *string) (any, error) {
	makers := map[string]func() hash.Hash{
		"md5": md5.New, "sha1": sha1.New, "sha224": sha256.New224, "sha256": sha256.New, "sha384": sha512.New384, "sha512": sha512.New,
	}
	maker := makers[name]
	if maker == nil {
		return nil, nodeError("Digest method not supported: " + name)
	}
	h := maker()
	if key != nil {
		k, err := base64.StdEncoding.DecodeString(*key)
		if err != nil {
			return nil, fmt.Errorf("read the key: %w", err)
		}
		h = hmac.New(maker, k)
	}
	h.Write(data) // a hash never fails
	return base64.StdEncoding.EncodeToString(h.Sum(nil)), nil
}

func parseURL(text string, base *string) (any, error) {
	var u *whatwg.Url
	var err error
	if base != nil {
		u, err = whatwg.ParseRef(*base, text)
	} else {
		u, err = whatwg.Parse(text)
	}
	if err != nil {
		return nil, err
	}
	return urlParts(u)
}

func setURL(href, field, value string) (any, error) {
	u, err := whatwg.Parse(href)
	if err != nil {
		return nil, err
	}
	switch field {
	case "protocol":
		u.SetProtocol(value)
	case "username":
		u.SetUsername(value)
	case "password":
		u.SetPassword(value)
	case "host":
		u.SetHost(value)
	case "hostname":
		u.SetHostname(value)
	case "port":
		u.SetPort(value)
	case "pathname":
		u.SetPathname(value)
	case "search":
		u.SetSearch(value)
	case "hash":
		u.SetHash(value)
	}
	return urlParts(u)
}

func urlParts(u *whatwg.Url) (any, error) {
	origin := "null"
	switch u.Protocol() {
	case "http:", "https:", "ws:", "wss:", "ftp:":
		origin = u.Protocol() + "//" + u.Host()
	}
	return encodeJSON(map[string]string{
		"href": u.Href(false), "origin": origin, "protocol": u.Protocol(), "username": u.Username(), "password": u.Password(), "host": u.Host(),
		"hostname": u.Hostname(), "port": u.Port(), "pathname": u.Pathname(), "search": u.Search(), "hash": u.Hash(),
	})
}

// cancellation is what an abort signal of JavaScript ends. It belongs to the loop.
type cancellation struct {
	ctx    context.Context
	cancel context.CancelFunc
}

func (e *engine) newCancel() int {
	e.lastCancel++
	ctx, cancel := context.WithCancel(e.ctx)
	e.cancels[e.lastCancel] = cancellation{ctx, cancel}
	return e.lastCancel
}

func (e *engine) dropCancel(id int) {
	if c, ok := e.cancels[id]; ok {
		c.cancel()
		delete(e.cancels, id)
	}
}

// opFetch starts an HTTP request: id, cancellation, method, URL, headers, body,
// redirect.
func (e *engine) opFetch(a arguments) (any, error) {
	id := a.integer(0)
	c, ok := e.cancels[a.integer(1)]
	if !ok {
		return nil, errors.New("fetch: it was cancelled before it began")
	}
	body, err := a.bytes(5)
	if err != nil {
		return nil, err
	}
	var headers [][2]string
	if err := a.decode(4, &headers); err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(c.ctx, a.text(2), a.text(3), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if len(body) == 0 {
		request.Body = http.NoBody
	}
	for _, h := range headers {
		request.Header.Add(h[0], h[1])
		if strings.EqualFold(h[0], "host") {
			request.Host = h[1]
		}
	}
	// What pi says where nothing else is said.
	for name, value := range map[string]string{"Accept": "*/*", "Accept-Language": "*", "Sec-Fetch-Mode": "cors", "User-Agent": "undici"} {
		if len(request.Header.Values(name)) == 0 {
			request.Header.Set(name, value)
		}
	}
	redirect := a.text(6)
	e.async(id, func() (any, error) { return fetch(request, redirect) })
	return nil, nil
}

func fetch(request *http.Request, redirect string) (any, error) {
	redirected := false
	client := &http.Client{CheckRedirect: func(r *http.Request, via []*http.Request) error {
		switch {
		case redirect == "manual":
			return http.ErrUseLastResponse
		case redirect == "error":
			return nodeError("unexpected redirect")
		case len(via) > 20:
			return nodeError("redirect count exceeded")
		}
		redirected = true
		return nil
	}}
	response, err := client.Do(request)
	if err != nil {
		return nil, fetchFailure(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil && request.Context().Err() != nil {
		return nil, err
	}
	place := *response.Request.URL
	place.Fragment = ""
	var headers [][2]string
	for name, values := range response.Header {
		for _, v := range values {
			headers = append(headers, [2]string{name, v})
		}
	}
	return encodeJSON(map[string]any{
		"status": response.StatusCode, "statusText": strings.TrimSpace(strings.TrimPrefix(response.Status, fmt.Sprint(response.StatusCode))),
		"url": place.String(), "redirected": redirected, "headers": headers, "body": base64.StdEncoding.EncodeToString(data),
		"cut": err != nil, // the connection ended in the middle of the body
	})
}

// fetchFailure is what Node.js says is the cause of a fetch that failed.
func fetchFailure(err error) error {
	if known, ok := errors.AsType[nodeError](err); ok {
		return known
	}
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		code := "ENOTFOUND"
		if dns.IsTemporary {
			code = "EAI_AGAIN"
		}
		return &codedError{code, "getaddrinfo " + code + " " + dns.Name}
	}
	op, isOp := errors.AsType[*net.OpError](err)
	if code, _ := describeSystem(err); isOp && code != "" && op.Op == "dial" && op.Addr != nil {
		return &codedError{code, "connect " + code + " " + op.Addr.String()}
	}
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() && !errors.Is(err, context.Canceled) {
		return &codedError{"UND_ERR_CONNECT_TIMEOUT", "Connect Timeout Error"}
	}
	if unknown, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		return &codedError{"UNABLE_TO_VERIFY_LEAF_SIGNATURE", "unable to verify the first certificate: " + unknown.Error()}
	}
	if wrong, ok := errors.AsType[x509.HostnameError](err); ok {
		return &codedError{"ERR_TLS_CERT_ALTNAME_INVALID", "Hostname/IP does not match certificate's altnames: " + wrong.Error()}
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) {
		return &codedError{"UND_ERR_SOCKET", "other side closed"}
	}
	return err
}
