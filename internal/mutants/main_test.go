package main

import "testing"

// Trying the mutants takes minutes, and is done now and then. That their lines
// are still there is known at once.
func TestTheLinesOfAllMutantsAreThere(t *testing.T) {
	t.Chdir("../..")
	mutants, err := parse(list)
	if err != nil || len(mutants) == 0 {
		t.Fatal(len(mutants), err)
	}
	dir, seen := t.TempDir(), map[string]bool{}
	for _, m := range mutants {
		if _, err := m.overlay(dir); err != nil {
			t.Errorf("%s: %v: put the line as it is now into mutants.txt", m.name, err)
		}
		if seen[m.file+m.name] {
			t.Errorf("%s: two mutants of %s have this name", m.name, m.file)
		}
		seen[m.file+m.name] = true
	}
}
