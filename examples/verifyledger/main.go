// Command verifyledger checks an exported ledger with nothing but the log's
// public keys:
//
//	go run ./examples/verifyledger KEYS [EXPORT]
//
// It is what somebody who doesn't trust Pawl would write: from docs/ledger.md,
// with the standard library only, and without a line of Pawl's code. It says
// yes (exit 0) or no (exit 1); `pawl ledger verify` says what is wrong.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "verifyledger:", err)
		os.Exit(1)
	}
}

func run(args []string, stdin io.Reader, stdout io.Writer) error {
	if len(args) < 1 || len(args) > 2 {
		return fmt.Errorf("usage: verifyledger KEYS [EXPORT]")
	}
	text, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	keys, err := parseKeys(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	in := stdin
	if len(args) == 2 && args[1] != "-" {
		f, err := os.Open(args[1])
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }() // it was only read
		in = f
	}
	size, root, err := verify(bufio.NewReaderSize(in, 1<<20), keys)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "verified %d entries, root %s\n", size, root)
	return err
}
