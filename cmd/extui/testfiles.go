package main

import "os"

// written is a flag that names a file to be written; file may be empty, or - where the
// flag takes that for standard output.
type written struct{ flag, file string }

// keepInputs returns an error if a file that is to be written is one that is read: by
// whatever name, link or path. What is no regular file is not lost by being written to.
func keepInputs(inputs []string, outputs ...written) error {
	for _, o := range outputs {
		to, err := os.Stat(o.file)
		if o.file == "" || o.file == "-" || err != nil || !to.Mode().IsRegular() {
			continue // Nothing is there yet that could be lost.
		}
		for _, name := range inputs {
			if from, err := os.Stat(name); name != "" && err == nil && os.SameFile(from, to) {
				return usageError("--"+o.flag+" takes the name of another file", "--%s %s would overwrite %s, which is read", o.flag, o.file, name)
			}
		}
	}
	return nil
}
