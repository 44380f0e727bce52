// Command genstream writes the lines of the stream benchmark to stdout: as
// many as -lines says, or as many as it takes to reach -bytes.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/pawlgate/pawl/bench"
)

func main() {
	lines := flag.Int64("lines", 1_000_000, "how many `lines`")
	size := flag.Int64("bytes", 0, "at least so many `bytes`, instead of -lines")
	seed := flag.Uint64("seed", 1, "the same `seed` gives the same lines")
	flag.Parse()
	if err := generate(os.Stdout, *lines, *size, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "genstream:", err)
		os.Exit(1)
	}
}

func generate(w io.Writer, lines, size int64, seed uint64) error {
	out := bufio.NewWriterSize(w, 1<<20)
	stream := bench.NewStream(seed)
	var line []byte
	more := func(n, written int64) bool {
		if size > 0 {
			return written < size
		}
		return n < lines
	}
	for n, written := int64(0), int64(0); more(n, written); n++ {
		line = stream.AppendLine(line[:0])
		if _, err := out.Write(line); err != nil {
			return err
		}
		written += int64(len(line))
	}
	return out.Flush()
}
