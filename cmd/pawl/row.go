package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"

	"github.com/pawlgate/pawl/internal/stream"
)

// row takes one row of a CSV after the other apart, and keeps its buffers. The
// zero row is ready for use.
type row struct {
	list [][]byte
	text []byte       // of the cells of a row with quotes
	in   bytes.Buffer // what csv reads
	csv  *csv.Reader
}

// cells returns the cells of a row, valid until the next call. Most rows have
// no quotes; for the others there is encoding/csv.
func (r *row) cells(rec stream.Record) ([][]byte, error) {
	if rec.Defect != "" {
		return nil, errors.New("the row is no use: " + rec.Defect)
	}
	r.list = r.list[:0]
	if bytes.IndexByte(rec.Data, '"') < 0 {
		for rest := rec.Data; ; {
			cell, after, more := bytes.Cut(rest, []byte{','})
			r.list = append(r.list, cell)
			if !more {
				return r.list, nil
			}
			rest = after
		}
	}
	fields, err := r.fields(rec.Data)
	r.text = r.text[:0]
	for _, f := range fields { // no longer together than the row
		r.text = append(r.text, f...)
	}
	rest := r.text
	for _, f := range fields {
		r.list = append(r.list, rest[:len(f)])
		rest = rest[len(f):]
	}
	return r.list, err
}

// fields reads exactly one row; the result is valid until the next call.
func (r *row) fields(data []byte) ([]string, error) {
	if r.csv == nil {
		r.in.Reset()
		r.csv = csv.NewReader(&r.in)
		r.csv.FieldsPerRecord = -1
		r.csv.ReuseRecord = true
	}
	start := r.csv.InputOffset()
	r.in.Write(data)
	r.in.WriteByte('\n') // at an end of file a carriage return would be dropped
	fields, err := r.csv.Read()
	if err == nil && r.csv.InputOffset()-start == int64(len(data)+1) {
		return fields, nil
	}
	r.csv = nil // it may not have read all
	var pe *csv.ParseError
	switch {
	case errors.Is(err, io.EOF):
		return nil, errors.New("the line is blank")
	case errors.As(err, &pe):
		return nil, fmt.Errorf("column %d: %w", pe.Column, pe.Err)
	case err == nil:
		return nil, errors.New("text after the end of the row")
	default:
		return nil, err
	}
}
