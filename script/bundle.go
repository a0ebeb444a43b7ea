package script

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// builtins are the modules that bundles take from us, by the names that extensions
// import them under, and the file below js that holds each.
var builtins = builtinModules()

func builtinModules() map[string]string {
	m := map[string]string{}
	for _, name := range []string{"typebox", "@sinclair/typebox"} {
		m[name], m[name+"/value"], m[name+"/compile"] = "pi/typebox", "pi/typebox_value", "pi/typebox_compile"
	}
	for _, name := range []string{
		"path", "url", "os", "fs", "fs/promises", "child_process", "crypto", "util", "events", "buffer", "timers", "timers/promises", "process",
		"stream", "stream/promises", "stream/consumers", "readline", "readline/promises", "zlib", "module", "assert", "assert/strict",
		"string_decoder", "querystring", "perf_hooks", "util/types", "async_hooks", "tty", "path/win32",
	} {
		m[name] = "node/" + strings.ReplaceAll(name, "/", "_")
		m["node:"+name] = m[name]
	}
	m["path/posix"], m["node:path/posix"] = "node/path", "node/path"
	for _, owner := range []string{"@earendil-works/", "@mariozechner/"} {
		for name, file := range map[string]string{
			"pi-coding-agent": "coding_agent", "pi-tui": "tui", "pi-agent-core": "agent_core",
			"pi-ai": "ai", "pi-ai/compat": "ai", "pi-ai/models": "ai", "pi-ai/oauth": "ai", "pi-ai/providers/all": "ai",
		} {
			m[owner+name] = "pi/" + file
		}
	}
	return m
}

// bundle is the code of one extension in one file.
type bundle struct {
	code   string
	places *sourceMap
	inputs []string // the files that it was made of, for a watcher
}

// LoadError says why an extension's source could not be made into code: a syntax
// error, or an import of something that is not there.
type LoadError struct {
	File   string // "" if no file is to blame
	Line   int    // counts from 1; 0 if unknown
	Column int    // counts from 1
	Text   string // what is wrong
	Source string // the line of the file, "" if unknown
}

func (e *LoadError) Error() string {
	if e.File == "" {
		return e.Text
	}
	at := e.File
	if e.Line > 0 {
		at += ":" + strconv.Itoa(e.Line) + ":" + strconv.Itoa(e.Column)
	}
	return at + ": " + e.Text
}

// makeBundle bundles an extension whose entry is a file, or a file for an extension that
// runs, see bundleLate.
func makeBundle(entry string, format api.Format) (*bundle, error) {
	dir := filepath.Dir(entry)
	result := build(entry, format, nil)
	if fixes := constantsAssigned(result.Errors, dir); fixes != nil {
		if again := build(entry, format, fixes); len(again.Errors) == 0 {
			result = again
		}
	}
	if len(result.Errors) > 0 {
		return nil, bundleError(result.Errors, dir)
	}
	b := &bundle{}
	for _, f := range result.OutputFiles {
		if filepath.Ext(f.Path) != ".map" {
			b.code = defaultsOfCompilers(string(f.Contents))
			if commonJSEntry().MatchString(b.code) {
				b.code += "export const __extui_commonjs = true;\n"
			}
			continue
		}
		places, err := parseSourceMap(f.Contents, dir)
		if err != nil {
			return nil, fmt.Errorf("bundle %s: %w", entry, err)
		}
		b.places = places
	}
	b.inputs = inputsOf(b.places, dir)
	return b, nil
}

// defaultsOfCompilers makes the default import of a module that was compiled to CommonJS
// what it is in pi, in every file: the default that it exports if that is a function, and
// else all that it exports. That of an ES module stays what it is; it is told by a mark when
// it comes by require. The helpers of esbuild stand in front of the first file.
func defaultsOfCompilers(code string) string {
	const mark = `Symbol.for("extui.module")`
	helpers, files, found := strings.Cut(code, "\n\n// ")
	if !found {
		return code
	}
	helpers = strings.NewReplacer(
		"\n  isNodeMode || !mod || !mod.__esModule ?", "\n  !mod || !mod.__esModule || typeof mod.default !== \"function\" && !mod["+mark+"] ?",
		`__copyProps(__defProp({}, "__esModule"`, `__copyProps(__defProp(__defProp({}, `+mark+`, { value: true }), "__esModule"`,
	).Replace(helpers)
	return helpers + "\n\n// " + files
}

// commonJSEntry matches the end of a bundle whose entry is no ES module: what it exports
// as its default is all of module.exports, see load in api.js.
var commonJSEntry = lazily(`\nexport default require_[\p{L}\p{N}_$]+\(\);\n$`)

// How packages and names without an ending are found.
var (
	mainFields = []string{"main", "module"}
	conditions = []string{"node"} // besides import or require, and default
	extensions = []string{".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".json"}
)

// build makes one file of an extension. fixes are for constantsAssigned.
func build(entry string, format api.Format, fixes constantFixes) api.BuildResult {
	dir := filepath.Dir(entry)
	return api.Build(api.BuildOptions{
		EntryPoints:       []string{entry},
		AbsWorkingDir:     dir,
		Outdir:            dir, // nothing is written; source maps are relative to it
		Bundle:            true,
		Write:             false,
		Format:            format,
		Platform:          api.PlatformNeutral,
		MainFields:        mainFields,
		Conditions:        conditions,
		ResolveExtensions: extensions,
		Target:            api.ES2024,
		Sourcemap:         api.SourceMapExternal,
		// A stack names functions as the extension does, and code that nobody may read
		// need not be small.
		KeepNames:        true,
		MinifyWhitespace: false,
		TreeShaking:      api.TreeShakingTrue,
		Charset:          api.CharsetUTF8,
		LogLevel:         api.LogLevelSilent,
		// import() of what only shows when it runs becomes a call of require, see late.go.
		Supported:   map[string]bool{"import-meta": true, "dynamic-import": false},
		Define:      map[string]string{"__dirname": "__extui_dirname", "__filename": "__extui_filename", "import.meta": "__extui_meta"},
		Loader:      map[string]api.Loader{".json": api.LoaderJSON, ".txt": api.LoaderText, ".md": api.LoaderText, ".cts": api.LoaderTS, ".mts": api.LoaderTS},
		Plugins:     []api.Plugin{{Name: "extui", Setup: func(b api.PluginBuild) { resolveModules(b, fixes) }}},
		TsconfigRaw: `{"compilerOptions":{"experimentalDecorators":true,"verbatimModuleSyntax":false}}`,
	})
}

// inputsOf lists the files of a bundle. Those from which nothing was taken but types
// are not among them.
func inputsOf(m *sourceMap, dir string) []string {
	seen := map[string]bool{}
	for _, f := range m.files {
		if !strings.Contains(filepath.Base(f), builtinNamespace+":") {
			seen[filepath.Clean(f)] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// bundleError turns what esbuild found into one error, with the first place first.
func bundleError(messages []api.Message, dir string) error {
	var all []error
	for _, m := range messages {
		e := &LoadError{Text: m.Text}
		if strings.HasPrefix(m.Text, "Top-level await") {
			e.Text = "await outside of a function does not work in a file that is loaded while the extension runs: import it by a name that is written out"
		}
		if m.Location != nil {
			e.File, e.Line, e.Column = m.Location.File, m.Location.Line, m.Location.Column+1
			e.Source = m.Location.LineText
			if !filepath.IsAbs(e.File) {
				e.File = filepath.Join(dir, e.File)
			}
		}
		all = append(all, e)
	}
	return errors.Join(all...)
}

const builtinNamespace = "extui"

// resolveModules gives bundles our own modules, as pi gives its own to extensions
// whether or not they are installed beside them, and refuses those of Node that we
// do not have. All else is found as Node finds it: relative files, and packages in
// the node_modules of the importing file's folder and those above it.
func resolveModules(build api.PluginBuild, fixes constantFixes) {
	build.OnResolve(api.OnResolveOptions{Filter: `.*`}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
		if file, ok := builtins[args.Path]; ok {
			return api.OnResolveResult{Path: args.Path, Namespace: builtinNamespace, PluginData: file, SideEffects: api.SideEffectsFalse}, nil
		}
		text := unavailable(args.Path)
		// What is not there is the error of who asks for it while it runs.
		late := args.Kind == api.ResolveJSDynamicImport || args.Kind == api.ResolveJSRequireCall
		if late && (text != "" || args.PluginData == nil && len(resolveAgain(build, args).Errors) > 0) {
			return api.OnResolveResult{Path: args.Path, External: true}, nil
		}
		if text != "" {
			return api.OnResolveResult{Errors: []api.Message{{Text: text}}}, nil
		}
		return api.OnResolveResult{}, nil
	})
	build.OnLoad(api.OnLoadOptions{Filter: `.*`, Namespace: builtinNamespace}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
		code := fmt.Sprintf("module.exports = __extui.builtin(%q, %q)", args.PluginData, args.Path)
		return api.OnLoadResult{Contents: &code, Loader: api.LoaderJS}, nil
	})
	build.OnLoad(api.OnLoadOptions{Filter: `\.[cm]?[jt]sx?$`, Namespace: "file"}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
		r, err := loadWithMeta(args)
		if list := fixes[args.Path]; list != nil && err == nil {
			r.Contents = new(fixConstants(*r.Contents, list))
		}
		return r, err
	})
}

// loadWithMeta gives a file that asks for it its own import.meta, __dirname and
// __filename, which bundling would lose.
func loadWithMeta(args api.OnLoadArgs) (api.OnLoadResult, error) {
	data, err := os.ReadFile(args.Path)
	if err != nil {
		return api.OnLoadResult{}, fmt.Errorf("read %s: %w", args.Path, err)
	}
	text := string(data)
	loader := api.LoaderTS
	switch filepath.Ext(args.Path) {
	case ".js", ".mjs", ".cjs":
		loader = api.LoaderJS
	case ".jsx":
		loader = api.LoaderJSX
	case ".tsx":
		loader = api.LoaderTSX
	}
	// On one line with the first of the file, so that all lines keep their numbers. build
	// puts these names in the place of the others, and what nothing uses is left out.
	var head string
	if strings.Contains(text, "import") && strings.Contains(text, "meta") {
		head += fmt.Sprintf("const __extui_meta = { url: %q, filename: %q, dirname: %q, resolve: (s) => new URL(s, %[1]q).href }; ",
			fileURL(args.Path), args.Path, filepath.Dir(args.Path))
	}
	// Many files of ES modules declare these names themselves; esbuild puts ours only
	// where they are not declared.
	if strings.Contains(text, "__dirname") {
		head += fmt.Sprintf("const __extui_dirname = %q; ", filepath.Dir(args.Path))
	}
	if strings.Contains(text, "__filename") {
		head += fmt.Sprintf("const __extui_filename = %q; ", args.Path)
	}
	if strings.HasPrefix(text, "#!") {
		text = "//" + text
	}
	text = head + text
	return api.OnLoadResult{Contents: &text, Loader: loader, ResolveDir: filepath.Dir(args.Path)}, nil
}

func fileURL(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	var b strings.Builder
	b.WriteString("file://")
	for _, c := range []byte(path) {
		if c <= ' ' || c >= 127 || strings.IndexByte(`%?#"<>\^`+"`{|}", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// unavailable says so of a module of Node's or pi's that we do not have; "" for all others.
func unavailable(name string) string {
	if builtins[name] != "" {
		return ""
	}
	bare, prefixed := strings.CutPrefix(name, "node:")
	if prefixed || nodeModules[bare] {
		return fmt.Sprintf("the module %q of Node.js is not available to extensions here", name)
	}
	for _, owner := range []string{"@earendil-works/pi-", "@mariozechner/pi-"} {
		if strings.HasPrefix(name, owner) {
			return fmt.Sprintf("the module %q of pi is not available to extensions here", name)
		}
	}
	return ""
}

// nodeModules are those of Node's modules that can be imported without "node:" and
// that we do not have.
var nodeModules = func() map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(`cluster console constants dgram diagnostics_channel dns dns/promises
		domain http http2 https inspector net punycode repl stream/web sys test tls
		trace_events v8 vm wasi worker_threads`) {
		m[name] = true
	}
	return m
}()
