package script

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"extui/protocol"

	"github.com/evanw/esbuild/pkg/api"
	"modernc.org/libc"
	lib "modernc.org/libquickjs"
)

// What a bundle is made of is known when it is made, but for import() and require() of a
// name that the extension puts together, and for createRequire. They are resolved when they
// run, and what they find is bundled then: a bundle of its own, with its own copies of the
// files that are in the first one too.

// lateName is what QuickJS knows the code of such a bundle as; its number follows.
const lateName = bundleName + ":"

// isBundle reports whether a frame of QuickJS is in code of the extension.
func isBundle(file string) bool { return file == bundleName || strings.HasPrefix(file, lateName) }

// place returns where a place of a bundle is in the extension's files.
func (e *engine) place(file string, line, column int) (string, int, int) {
	if number, ok := strings.CutPrefix(file, lateName); ok {
		if n, err := strconv.Atoi(number); err == nil && n < len(e.late) {
			return e.late[n].places.find(file, line, column)
		}
	}
	return e.position(file, line, column)
}

// caller returns the file of the extension that the innermost frame of a stack is in, and
// the extension's own if there is none.
func (e *engine) caller(stack string) string {
	for line := range strings.Lines(stack) {
		if f, ok := parseFrame(line); ok && isBundle(f.file) {
			if file, _, _ := e.place(f.file, f.line, f.column); filepath.IsAbs(file) {
				return file
			}
		}
	}
	return e.path
}

// lateOps are what require.js needs.
func (u *unit) lateOps(e *engine) hostOps {
	return hostOps{
		"caller":  func(a arguments) (any, error) { return e.caller(a.text(0)), nil },
		"resolve": func(a arguments) (any, error) { return resolveLate(a.text(0), a.text(1)), nil },
		"bundle":  func(a arguments) (any, error) { return nil, u.bundleLate(e, a.text(0)) },
	}
}

// bundleLate puts the function that runs a file in the global variable __module.
func (u *unit) bundleLate(e *engine, path string) error {
	e.watch.pause()
	defer e.watch.resume()
	b, err := makeBundle(path, api.FormatCommonJS)
	if err == nil {
		err = u.loader.checkTrust(b.inputs...)
	}
	if err != nil {
		return fmt.Errorf("load %s: %w", path, err)
	}
	u.mu.Lock()
	u.late = append(u.late, b.inputs...)
	u.mu.Unlock()
	e.late = append(e.late, b)
	if !e.inner.compile("(function (module, exports, require) {"+b.code+"\n})", lateName+strconv.Itoa(len(e.late)-1), "__module") {
		return fmt.Errorf("load %s: its code does not compile", path)
	}
	return nil
}

// resolveLate returns the path of a module that a file asks for by name, "" if it is not
// there.
func resolveLate(name, from string) (path string) {
	api.Build(api.BuildOptions{
		Stdin:  &api.StdinOptions{Contents: "require(" + string(protocol.AppendString(nil, name)) + ")", ResolveDir: filepath.Dir(from)},
		Bundle: true, LogLevel: api.LogLevelSilent,
		Platform: api.PlatformNeutral, MainFields: mainFields, Conditions: conditions, ResolveExtensions: extensions,
		Plugins: []api.Plugin{{Name: "extui", Setup: func(b api.PluginBuild) {
			b.OnResolve(api.OnResolveOptions{Filter: `.*`}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
				if args.Kind == api.ResolveJSRequireCall && args.PluginData == nil {
					if found := resolveAgain(b, args); len(found.Errors) == 0 && found.Namespace == "file" {
						path = found.Path
					}
					return api.OnResolveResult{Path: args.Path, External: true}, nil
				}
				return api.OnResolveResult{}, nil
			})
		}}},
	})
	return path
}

// resolveAgain resolves as esbuild does; its plugins see the same call again, with
// PluginData.
func resolveAgain(b api.PluginBuild, args api.OnResolveArgs) api.ResolveResult {
	return b.Resolve(args.Path, api.ResolveOptions{ResolveDir: args.ResolveDir, Importer: args.Importer, Kind: args.Kind, PluginData: true})
}

// compile evaluates code and puts its value in a global variable. It returns false, and the
// error goes nowhere, if that throws.
func (r *innards) compile(code, file, global string) bool {
	text, err := libc.CString(code)
	if err != nil {
		return false
	}
	defer libc.Xfree(r.tls, text)
	name, err := libc.CString(file)
	if err != nil {
		return false
	}
	defer libc.Xfree(r.tls, name)
	v := lib.XJS_Eval(r.tls, r.context, text, lib.Tsize_t(len(code)), name, lib.MJS_EVAL_TYPE_GLOBAL)
	if lib.XJS_HasException(r.tls, r.context) != 0 {
		lib.XFreeValue(r.tls, r.context, lib.XJS_GetException(r.tls, r.context))
		return false
	}
	return r.setGlobal(global, v)
}
