package main

import "testing"

func TestMessagesHoldNoPassword(t *testing.T) {
	for db, want := range map[string]string{
		"kept.db": "kept.db",
		"postgres://anna:secret@db.example.com/pawl":           "postgres://anna:xxxxx@db.example.com/pawl",
		"postgres://db.example.com/pawl?password=secret":       "postgres://db.example.com/pawl",
		"postgres://anna:sec%zzret@db.example.com:5432/pawl":   "the database",
		"postgresql:///pawl?host=/tmp&user=a&password=secret1": "the database",
	} {
		if got := withoutPassword(db); got != want {
			t.Errorf("%s is %s, want %s", db, got, want)
		}
	}
}
