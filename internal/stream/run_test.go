package stream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"
)

// answer is a Worker that is a function.
type answer func(dst []byte, r Record) []byte

func (a answer) Answer(dst []byte, r Record) []byte { return a(dst, r) }

// echo answers with the line and the record, line breaks left out.
func echo(dst []byte, r Record) []byte {
	return fmt.Appendf(dst, "%d %s\n", r.Line, bytes.ReplaceAll(r.Data, []byte{'\n'}, nil))
}

func echoes() Worker { return answer(echo) }

// numbered returns lines from, from+1 … to.
func numbered(from, to int) string {
	var b strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&b, "record %d\n", i)
	}
	return b.String()
}

// echoed is what echo answers to numbered.
func echoed(from, to int) string {
	var b strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&b, "%d record %d\n", i, i)
	}
	return b.String()
}

// Answers come in the order of the records, however long each takes, and also
// if one core does nothing but the slowest.
func TestRunKeepsTheOrder(t *testing.T) {
	const n = 20 * blockRecords
	delays := map[string]func(rng *rand.Rand, r Record){
		"random": func(rng *rand.Rand, r Record) {
			if r.Line%500 == 0 {
				time.Sleep(time.Duration(rng.IntN(2000)) * time.Microsecond)
			}
		},
		"the first is the slowest": func(_ *rand.Rand, r Record) {
			if r.Line == 1 {
				time.Sleep(100 * time.Millisecond)
			}
		},
	}
	for name, delay := range delays {
		var out bytes.Buffer
		res, err := Run(t.Context(), strings.NewReader(numbered(1, n)), &out, Options{NewWorker: func() Worker {
			rng := rand.New(rand.NewPCG(1, 2))
			return answer(func(dst []byte, r Record) []byte {
				delay(rng, r)
				return echo(dst, r)
			})
		}})
		if want := (Result{Records: n}); err != nil || res != want {
			t.Errorf("%s: %+v, %v, want %+v", name, res, err, want)
		}
		if out.String() != echoed(1, n) {
			t.Errorf("%s: the answers aren't one for each record, in order", name)
		}
	}
}

func TestRunOfNothing(t *testing.T) {
	res, err := Run(t.Context(), strings.NewReader(""), io.Discard, Options{NewWorker: echoes})
	if res != (Result{}) || err != nil {
		t.Errorf("got %+v, %v", res, err)
	}
}

// What was read before an error is answered, and the rest can go on exactly
// behind it.
func TestRunReaderFails(t *testing.T) {
	boom := errors.New("boom")
	for _, tt := range []struct {
		name, input string
		want        Result
		out         string
	}{
		{"at once", "", Result{0, 1, false}, ""},
		{"between lines", numbered(1, 3), Result{3, 4, false}, echoed(1, 3)},
		{"in the middle of a line", numbered(1, 3) + "record", Result{3, 4, false}, echoed(1, 3)},
		{"after blocks", numbered(1, 5000), Result{5000, 5001, false}, echoed(1, 5000)},
		{"in a line that is too long", "a\n" + strings.Repeat("x", 2<<20), Result{2, 3, false}, "1 a\n2 " + strings.Repeat("x", maxRecord) + "\n"},
	} {
		for how, r := range map[string]io.Reader{
			"later":         io.MultiReader(strings.NewReader(tt.input), iotest.ErrReader(boom)),
			"with the data": &failing{data: tt.input, err: boom},
		} {
			var out bytes.Buffer
			res, err := Run(t.Context(), r, &out, Options{NewWorker: echoes})
			if !errors.Is(err, boom) || res != tt.want || out.String() != tt.out {
				t.Errorf("%s, %s: got %+v, %v, %.40q; want %+v, %.40q", tt.name, how, res, err, out.String(), tt.want, tt.out)
			}
		}
	}
}

// failing gives its data; with the last piece comes the error.
type failing struct {
	data string
	err  error
}

func (f *failing) Read(p []byte) (int, error) {
	n := copy(p, f.data)
	if f.data = f.data[n:]; f.data == "" {
		return n, f.err
	}
	return n, nil
}

func TestRunReaderGivesNothing(t *testing.T) {
	r := io.MultiReader(strings.NewReader("a\n"), chunks{strings.NewReader("x"), 0})
	res, err := Run(t.Context(), r, io.Discard, Options{NewWorker: echoes})
	if want := (Result{1, 2, false}); res != want || !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("got %+v, %v", res, err)
	}
}

// full is a writer with room for so many bytes.
type full struct {
	room int
	bytes.Buffer
}

var errFull = errors.New("full")

func (f *full) Write(p []byte) (int, error) {
	if len(p) <= f.room {
		f.room -= len(p)
		return f.Buffer.Write(p)
	}
	n, _ := f.Buffer.Write(p[:f.room])
	f.room = 0
	return n, errFull
}

// Wherever a writer fails, the result is exact: so many answers stand in the
// output whole, and going on at the line that it names completes it.
func TestRunWriterFails(t *testing.T) {
	input, want := numbered(1, 40), echoed(1, 40)
	for room := range len(want) {
		w := &full{room: room}
		res, err := Run(t.Context(), chunks{strings.NewReader(input), 50}, w, Options{NewWorker: echoes})
		if !errors.Is(err, errFull) {
			t.Fatalf("room for %d: error %v", room, err)
		}
		whole := strings.Count(w.String(), "\n")
		cut := !strings.HasSuffix("\n"+w.String(), "\n")
		if w.String() != want[:room] || res != (Result{int64(whole), whole + 1, cut}) {
			t.Fatalf("room for %d: %d answers are whole, cut %v; got %+v", room, whole, cut, res)
		}
	}
}

// A writer that says nothing about what it left out is found out.
func TestRunWriterIsShort(t *testing.T) {
	res, err := Run(t.Context(), strings.NewReader("a\nb\n"), short{}, Options{NewWorker: echoes})
	if want := (Result{0, 1, true}); res != want || !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("got %+v, %v", res, err)
	}
}

type short struct{}

func (short) Write(p []byte) (int, error) { return min(1, len(p)), nil }

// The line to go on with is right also behind rows of several lines, a line
// that was too long, and records that have no answer.
func TestRunGoesOn(t *testing.T) {
	input := "h\n\"a\nb\",1\n" + strings.Repeat("x", 3<<20) + "\nc\nd\n"
	want := "7 h\n8 \"ab\",1\n10 " + strings.Repeat("x", maxRecord) + "\n11 c\n12 d\n"
	for _, tt := range []struct {
		room int
		want Result
	}{
		{0, Result{0, 7, false}},
		{4, Result{1, 8, false}},
		{8, Result{1, 8, true}},
		{13, Result{2, 10, false}},
		{20, Result{2, 10, true}},
		{maxRecord + 17, Result{3, 11, false}},
		{maxRecord + 22, Result{4, 12, false}},
	} {
		w := &full{room: tt.room}
		res, err := Run(t.Context(), strings.NewReader(input), w, Options{Format: CSV, FirstLine: 7, NewWorker: echoes})
		if !errors.Is(err, errFull) || res != tt.want || w.String() != want[:tt.room] {
			t.Errorf("room for %d: got %+v, %v; want %+v", tt.room, res, err, tt.want)
		}
	}
}

// A record may have no answer (it wasn't asked for) and still counts.
func TestRunWithoutAnswers(t *testing.T) {
	var out bytes.Buffer
	res, err := Run(t.Context(), strings.NewReader(numbered(1, 5000)), &out, Options{NewWorker: func() Worker {
		return answer(func(dst []byte, _ Record) []byte { return dst })
	}})
	if res != (Result{Records: 5000}) || err != nil || out.Len() > 0 {
		t.Errorf("got %+v, %v, %d bytes", res, err, out.Len())
	}
}

func TestRunReportsProgress(t *testing.T) {
	var read, records int64
	input := numbered(1, 3*blockRecords)
	_, err := Run(t.Context(), strings.NewReader(input), io.Discard, Options{NewWorker: echoes, Progress: func(b, n int64) {
		if b <= read || n <= records {
			t.Errorf("progress goes from %d, %d to %d, %d", read, records, b, n)
		}
		read, records = b, n
	}})
	if err != nil || read != int64(len(input)) || records != 3*blockRecords {
		t.Errorf("at the end: %d of %d bytes, %d records, %v", read, len(input), records, err)
	}
}

// Each line is answered before the next one is there.
func TestRunAnswersAtOnce(t *testing.T) {
	for _, f := range []Format{Lines, CSV} {
		in, feed := io.Pipe()
		answers, out := io.Pipe()
		go func() {
			_, err := Run(t.Context(), in, out, Options{Format: f, NewWorker: echoes})
			out.CloseWithError(err)
		}()
		for i := range 100 {
			if _, err := io.WriteString(feed, numbered(i+1, i+1)); err != nil {
				t.Fatal(err)
			}
			want := echoed(i+1, i+1)
			got := make([]byte, len(want))
			if _, err := io.ReadFull(answers, got); err != nil || string(got) != want {
				t.Fatalf("got %q, %v, want %q", got, err, want)
			}
		}
		_ = feed.Close() // an io.Pipe can always be closed
	}
}

// endless gives lines without end and calls a function at one of them.
type endless struct {
	line, at int
	call     func()
}

func (e *endless) Read(p []byte) (int, error) {
	if e.line++; e.line == e.at {
		e.call()
	}
	return copy(p, numbered(e.line, e.line)), nil
}

func TestRunIsCancelled(t *testing.T) {
	for at := 1; at < 2000; at += 97 {
		ctx, cancel := context.WithCancel(t.Context())
		var out bytes.Buffer
		res, err := Run(ctx, &endless{at: at, call: cancel}, &out, Options{NewWorker: echoes})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("error %v", err)
		}
		n := int(res.Records)
		if out.String() != echoed(1, n) || res != (Result{int64(n), n + 1, false}) {
			t.Fatalf("cancelled at line %d: got %+v and %d answers", at, res, strings.Count(out.String(), "\n"))
		}
	}
}

// A reader that hangs doesn't keep a cancelled run; what it gave is answered.
func TestRunIsCancelledWhileReading(t *testing.T) {
	in, feed := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var answered atomic.Int64
	var out bytes.Buffer
	go func() {
		_, _ = io.WriteString(feed, "a\nb\n\"c") // the rest never comes
		for answered.Load() < 2 {
			runtime.Gosched()
		}
		cancel()
	}()
	res, err := Run(ctx, in, &out, Options{NewWorker: echoes, Progress: func(_, n int64) { answered.Store(n) }})
	_ = feed.Close()
	if want := (Result{2, 3, false}); res != want || !errors.Is(err, context.Canceled) || out.String() != "1 a\n2 b\n" {
		t.Errorf("got %+v, %v, %q", res, err, out.String())
	}
}

// Nothing stays behind, however a run ends.
func TestRunLeavesNoGoroutines(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		_, _ = Run(ctx, &endless{at: 100, call: cancel}, io.Discard, Options{NewWorker: echoes})
		_, _ = Run(t.Context(), &endless{}, &full{room: 1000}, Options{NewWorker: echoes})
		_, _ = Run(t.Context(), strings.NewReader(numbered(1, 100)), io.Discard, Options{NewWorker: echoes})
		_, _ = Run(t.Context(), iotest.ErrReader(errFull), io.Discard, Options{NewWorker: echoes})
	}
	for end := time.Now().Add(20 * time.Second); runtime.NumGoroutine() > before; {
		if time.Now().After(end) {
			buf := make([]byte, 1<<16)
			t.Fatalf("%d goroutines, %d before\n%s", runtime.NumGoroutine(), before, buf[:runtime.Stack(buf, true)])
		}
		time.Sleep(time.Millisecond)
	}
}
