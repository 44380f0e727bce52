package stream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
)

// Worker answers records, one after the other. Each core has its own.
type Worker interface {
	// Answer appends the answer to one record, with its line break.
	Answer(dst []byte, r Record) []byte
}

// Failer is a worker that can find that the run must end: an answer that isn't
// kept where it should be is none. The record at which Err begins to return an
// error is not answered, and the run ends there with that error.
type Failer interface{ Err() error }

// Options of a run.
type Options struct {
	Format Format
	// FirstLine is the number of the input's first line, if it isn't 1.
	FirstLine int
	// NewWorker is called once for each worker.
	NewWorker func() Worker
	// Workers is how many answer at a time, if it isn't one for each core.
	Workers int
	// Block is how many records a worker takes at once, if it isn't as many as
	// pay: 1 for answers that take long.
	Block int
	// Progress, if not nil, is told now and then how many bytes were read and
	// how many records are answered and written.
	Progress func(bytes, records int64)
}

// Result says how far a run came.
type Result struct {
	Records  int64 // read and answered, the answer written whole
	NextLine int   // the line of the input with which to go on; 0 if all is done
	Cut      bool  // the output ends in the beginning of one more answer
}

// job is a block on its way, in the order of the input.
type job struct {
	block *block
	bytes int64 // read up to the end of the block
	done  chan struct{}
	out   []byte
	lines []int // the line of each record
	ends  []int // where in out the answer to each record ends
	err   error // the worker failed or panicked; out holds the answers before
}

// Run answers each record of r, in order, to w. When it can't go on (the
// context is cancelled, r or w fails), it says how many answers were written
// and why it stopped; what was read by then and can still be written is.
// Memory doesn't grow with the input.
func Run(ctx context.Context, r io.Reader, w io.Writer, o Options) (Result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	n := o.Workers
	if n < 1 {
		n = runtime.GOMAXPROCS(0)
	}
	todo := make(chan *job)
	ordered := make(chan *job, 2*n)
	var readErr error // written before ordered is closed
	go func() {
		defer close(ordered)
		defer close(todo)
		readErr = produce(ctx, r, o, todo, ordered)
	}()
	for range n {
		worker := o.NewWorker()
		go func() {
			for j := range todo {
				j.answer(worker)
			}
		}()
	}
	res := Result{NextLine: max(1, o.FirstLine)}
	for {
		select {
		case j, ok := <-ordered:
			if !ok {
				if readErr == nil {
					res.NextLine = 0
				}
				return res, readErr
			}
			<-j.done
			if err := j.write(w, &res); err != nil {
				return res, j.failed(err)
			}
			if o.Progress != nil {
				o.Progress(j.bytes, res.Records)
			}
		case <-ctx.Done():
			// The reader may hang in a read; what it has handed over is answered.
			return res, errors.Join(drain(ordered, w, &res), context.Cause(ctx))
		}
	}
}

// outBuffers are used again: an answer is several times as long as its record.
var outBuffers = sync.Pool{New: func() any { return new([]byte) }}

func produce(ctx context.Context, r io.Reader, o Options, todo, ordered chan<- *job) error {
	s := newSplitter(r, o.Format)
	s.line = max(1, o.FirstLine)
	if o.Block > 0 {
		s.limit = o.Block
	}
	for {
		b, err := s.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read line %d: %w", s.line, err)
		}
		j := &job{block: b, bytes: s.bytes - int64(len(s.buf)), done: make(chan struct{})}
		select {
		case todo <- j:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		select {
		case ordered <- j:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (j *job) answer(w Worker) {
	defer close(j.done)
	defer func() {
		if p := recover(); p != nil {
			j.err = fmt.Errorf("internal error: a worker panicked with a %T", p)
			if len(j.ends) > 0 {
				j.out = j.out[:j.ends[len(j.ends)-1]]
			} else {
				j.out = nil
			}
		}
	}()
	j.out = (*outBuffers.Get().(*[]byte))[:0]
	j.lines, j.ends = make([]int, 0, blockRecords), make([]int, 0, blockRecords)
	failer, _ := w.(Failer)
	j.block.records(func(r Record) {
		if j.err != nil {
			return
		}
		out := w.Answer(j.out, r)
		if failer != nil {
			if j.err = failer.Err(); j.err != nil {
				return
			}
		}
		j.out = out
		j.lines = append(j.lines, r.Line)
		j.ends = append(j.ends, len(j.out))
	})
}

// failed says that what failed was writing, if it was.
func (j *job) failed(err error) error {
	if errors.Is(err, j.err) {
		return err
	}
	return fmt.Errorf("write: %w", err)
}

// write writes the job's answers and counts those that were written whole.
func (j *job) write(w io.Writer, res *Result) error {
	n, err := w.Write(j.out)
	if err == nil && j.err != nil {
		res.Records += int64(len(j.ends))
		res.NextLine = j.block.line
		if len(j.lines) > 0 {
			res.NextLine = j.lines[len(j.lines)-1] + 1
		}
		return j.err
	}
	if err == nil && n < len(j.out) {
		err = io.ErrShortWrite
	}
	if n == len(j.out) {
		res.Records += int64(len(j.ends))
		res.NextLine = j.block.next
		out := j.out
		outBuffers.Put(&out)
		return err
	}
	whole := 0
	for i, end := range j.ends {
		if end > n {
			res.NextLine = j.lines[i]
			break
		}
		whole = end
		res.Records++
	}
	res.Cut = n > whole
	return err
}

// drain writes the jobs that are on their way already.
func drain(ordered <-chan *job, w io.Writer, res *Result) error {
	for {
		select {
		case j, ok := <-ordered:
			if !ok {
				return nil
			}
			<-j.done
			if err := j.write(w, res); err != nil {
				return j.failed(err)
			}
		default:
			return nil
		}
	}
}
