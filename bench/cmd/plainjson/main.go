// Command plainjson is what the stream benchmark measures pawl decide against:
// it decodes a JSONL file with encoding/json into a struct, and nothing else.
// It decides nothing, writes no answers and lets through whatever encoding/json
// lets through. Two workers decode chunks of whole lines while the file is
// read; structs and chunks are used again.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
)

const (
	workers   = 2
	chunkSize = 1 << 18
)

// record has the id and the members that the decision needs, no others.
type record struct {
	ID      string `json:"id"`
	Signals struct {
		Scores struct {
			FraudOK float64 `json:"fraud_ok"`
			TextOK  float64 `json:"text_ok"`
		} `json:"scores"`
		Flags []string `json:"flags"`
		Meta  struct {
			LinkedCount float64 `json:"linkedCount"`
		} `json:"meta"`
	} `json:"signals"`
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: plainjson FILE.jsonl")
		os.Exit(2)
	}
	lines, bad, err := decodeFile(os.Args[1])
	if err == nil && bad > 0 {
		err = fmt.Errorf("%d of %d lines can't be decoded", bad, lines)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "plainjson:", err)
		os.Exit(1)
	}
	fmt.Println(lines)
}

func decodeFile(name string) (lines, bad int64, err error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()

	var total, failed atomic.Int64
	chunks, free := make(chan []byte, workers), make(chan []byte, 2*workers)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for chunk := range chunks {
				n, b := decodeLines(chunk)
				total.Add(n)
				failed.Add(b)
				select {
				case free <- chunk:
				default:
				}
			}
		})
	}
	err = split(f, chunks, free)
	close(chunks)
	group.Wait()
	return total.Load(), failed.Load(), err
}

// split sends the input in chunks of whole lines.
func split(r io.Reader, chunks chan<- []byte, free <-chan []byte) error {
	next := func() []byte {
		select {
		case b := <-free:
			return b[:cap(b)]
		default:
			return make([]byte, chunkSize)
		}
	}
	buf, filled := next(), 0
	for {
		n, err := io.ReadFull(r, buf[filled:])
		filled += n
		switch {
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
			chunks <- buf[:filled]
			return nil
		case err != nil:
			return err
		}
		end := bytes.LastIndexByte(buf, '\n') + 1
		if end == 0 { // a line longer than the chunk
			buf = append(buf, make([]byte, len(buf))...)
			continue
		}
		rest := next()
		if len(rest) < len(buf) {
			rest = make([]byte, len(buf))
		}
		filled = copy(rest, buf[end:])
		chunks <- buf[:end]
		buf = rest
	}
}

func decodeLines(chunk []byte) (lines, bad int64) {
	var rec record
	for len(chunk) > 0 {
		line := chunk
		if i := bytes.IndexByte(chunk, '\n'); i >= 0 {
			line, chunk = chunk[:i], chunk[i+1:]
		} else {
			chunk = nil
		}
		flags := rec.Signals.Flags[:0]
		rec = record{}
		rec.Signals.Flags = flags
		if json.Unmarshal(line, &rec) != nil {
			bad++
		}
		lines++
	}
	return lines, bad
}
