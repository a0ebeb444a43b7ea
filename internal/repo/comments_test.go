package repo

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"slices"
	"testing"
)

// undocumented returns a line for each exported name of s that no comment explains. A group of
// constants or variables may share one comment; types, functions and methods have their own,
// and so have the methods of an exported interface. A method named in promised, which the comment
// of an interface explains, needs none of its own. Test files export nothing.
func undocumented(set *token.FileSet, s source, promised map[string]bool) []string {
	if s.test || ast.IsGenerated(s.file) {
		return nil
	}
	var faults []string
	fault := func(name *ast.Ident, kind string) {
		faults = append(faults, fmt.Sprintf("%s: exported %s %s has no comment; say what it does, its units, what may be nil and which errors",
			set.Position(name.Pos()), kind, name.Name))
	}
	for _, declaration := range s.file.Decls {
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && d.Doc == nil &&
				(d.Recv == nil || ast.IsExported(receiver(d)) && !promised[d.Name.Name]) {
				fault(d.Name, "function")
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					if !spec.Name.IsExported() {
						continue
					}
					if spec.Doc == nil && (d.Doc == nil || len(d.Specs) > 1) {
						fault(spec.Name, "type")
					}
					for _, method := range interfaceMethods(spec) {
						if method.Names[0].IsExported() && method.Doc == nil && method.Comment == nil {
							fault(method.Names[0], "method")
						}
					}
				case *ast.ValueSpec:
					exported := slices.IndexFunc(spec.Names, (*ast.Ident).IsExported)
					if exported >= 0 && d.Doc == nil && spec.Doc == nil && spec.Comment == nil {
						fault(spec.Names[exported], d.Tok.String())
					}
				}
			}
		}
	}
	return faults
}

// promises returns, for each directory, the methods that one of its exported interfaces
// explains, and everywhere those that Go itself gives a meaning.
func promises(all []source) map[string]map[string]bool {
	byDir := map[string]map[string]bool{}
	for _, s := range all {
		dir := path.Dir(s.name)
		if byDir[dir] == nil {
			byDir[dir] = map[string]bool{"Error": true, "String": true, "Unwrap": true}
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok && spec.Name.IsExported() && !s.test {
				for _, method := range interfaceMethods(spec) {
					byDir[dir][method.Names[0].Name] = true
				}
			}
			return true
		})
	}
	return byDir
}

// receiver returns the name of the type that a method belongs to.
func receiver(d *ast.FuncDecl) string {
	at := d.Recv.List[0].Type
	for {
		switch t := at.(type) {
		case *ast.StarExpr:
			at = t.X
		case *ast.IndexExpr:
			at = t.X
		case *ast.IndexListExpr:
			at = t.X
		case *ast.Ident:
			return t.Name
		default:
			return ""
		}
	}
}

// interfaceMethods returns the methods that an interface type lists itself, not embedded ones.
func interfaceMethods(spec *ast.TypeSpec) []*ast.Field {
	t, ok := spec.Type.(*ast.InterfaceType)
	if !ok {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(t.Methods.List), func(f *ast.Field) bool { return len(f.Names) == 0 })
}

func TestEveryExportIsDocumented(t *testing.T) {
	set, all := sources(t)
	promised := promises(all)
	for _, s := range all {
		report(t, undocumented(set, s, promised[path.Dir(s.name)]))
	}
}

func TestEveryPackageHasAComment(t *testing.T) {
	_, all := sources(t)
	documented := map[string]bool{}
	for _, s := range all {
		dir := path.Dir(s.name)
		documented[dir] = documented[dir] || s.file.Doc != nil
	}
	for dir, has := range documented {
		if !has {
			t.Errorf("%s: no file has a package comment; say what the package is for and who is at fault when something blocks", dir)
		}
	}
}

func TestUndocumented(t *testing.T) {
	for text, want := range map[string]int{
		"func F() {}":                                      1,
		"// F does.\nfunc F() {}":                          0,
		"func f() {}":                                      0,
		"type T int":                                       1,
		"// T is.\ntype T int":                             0,
		"// Both.\ntype (\n\tT int\n\tU int\n)":            2,
		"type t int\nfunc (t) M() {}":                      0,
		"// T is.\ntype T int\nfunc (*T) M() {}":           1,
		"// T is.\ntype T[P any] int\nfunc (*T[P]) M() {}": 1,
		"// T is.\ntype T int\nfunc (T) Error() string { return \"\" }":                            0,
		"// I is.\ntype I interface {\n\tM()\n\tn()\n}":                                            1,
		"// I is.\ntype I interface {\n\t// M does.\n\tM()\n\terror\n}":                            0,
		"// I is.\ntype I interface {\n\tM() // M does.\n}\n// T is.\ntype T int\nfunc (T) M() {}": 0,
		"const C = 1":                           1,
		"// All.\nconst (\n\tC = 1\n\tD = 2\n)": 0,
		"var (\n\tV = 1 // V is.\n\tW = 2\n)":   1,
		"var v, W = 1, 2":                       1,
	} {
		set, s := parse(t, "p/a.go", "package p\n\n"+text)
		if got := undocumented(set, s, promises([]source{s})["p"]); len(got) != want {
			t.Errorf("%s\ngot %d faults, want %d: %q", text, len(got), want, got)
		}
	}
	for name, text := range map[string]string{
		"p/a_test.go": "package p\n\nfunc TestX() {}",
		"p/a.go":      "// Code generated by x. DO NOT EDIT.\n\npackage p\n\nfunc F() {}",
	} {
		set, s := parse(t, name, text)
		if got := undocumented(set, s, nil); len(got) != 0 {
			t.Errorf("%s: %q", name, got)
		}
	}
}
