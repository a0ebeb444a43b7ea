// Package repo holds the rules that this repository keeps about itself, as tests, and the
// program that gives the module another path.
//
// The rules, one test file each:
//
//   - imports_test.go: which room (directory) may import which, and what from outside;
//   - comments_test.go: every package and every exported name is documented;
//   - shape_test.go: files and functions stay small, tests do not sleep;
//   - markdown_test.go: links lead somewhere, documented commands exist.
//
// They read source files and never build anything, so they see files for every operating
// system at once. Each failure names a place and says what to do there.
//
// # Concurrency
//
// There is none: nothing here starts a goroutine or may be called twice at once on one tree.
package repo
