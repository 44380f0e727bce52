package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/pawlgate/pawl/internal/stream"
)

// table is a CSV whose header was read.
type table struct {
	header []string
	rows   io.Reader // the rest
	line   int       // on which the rest begins
}

// readTable reads the header of a CSV.
func readTable(in io.Reader) (*table, error) {
	first, rows, line, err := stream.First(in, stream.CSV)
	var defect stream.DefectError
	switch {
	case errors.Is(err, io.EOF):
		return nil, usageError{errNothing}
	case errors.As(err, &defect):
		return nil, usageError{err}
	case err != nil:
		return nil, err
	}
	// Spreadsheets like to write a byte order mark; here it can't mean anything else.
	head := bytes.TrimPrefix(first.Data, []byte("\ufeff"))
	if bytes.IndexByte(head, '\r') >= 0 {
		return nil, usagef("the header has a carriage return without a line feed: lines must end in LF or CRLF")
	}
	names, err := new(row).fields(head)
	if err != nil {
		return nil, usagef("the header: %w", err)
	}
	return &table{names, rows, line}, nil
}

// columnsError says what to do about a header that doesn't fit the policy.
func columnsError(err error) error {
	if strings.Contains(err.Error(), "no column for the flag") {
		err = fmt.Errorf("%w: add it, or say --without FLAG if it is never set", err)
	}
	return usageError{err}
}

// sayColumns tells once what of a table isn't read, and what it lacks.
func (p *program) sayColumns(name string, ignored, missing []string) {
	if len(ignored) > 0 {
		p.say("%s: ignored columns: %s", name, printable(strings.Join(ignored, ", ")))
	}
	if len(missing) > 0 {
		p.say("%s: no column for the score %s: every row will need a person", name, strings.Join(missing, ", "))
	}
}
