package llm

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/pawlgate/pawl/internal/source"
)

var digestPattern = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

// maxProblems is how many problems of one recording are told apart.
const maxProblems = 100

// NewReplay reads the recording and answers from it for the model of that name;
// lines of other models are passed over. The file's name stands in messages. The
// error is an *[Error], or one of reading.
func NewReplay(file, model string, recording io.Reader) (*Replay, error) {
	r := &Replay{model: model, answers: map[question]Answer{}}
	lines := map[question]int{}
	var problems []source.Problem
	s := bufio.NewScanner(recording)
	s.Buffer(nil, source.MaxBytes+1)
	s.Split(splitLines)
	n := 0
	for s.Scan() && len(problems) < maxProblems {
		n++
		rd := reader{line: n}
		l := rd.recorded(s.Bytes())
		if len(rd.problems) > 0 {
			problems = append(problems, rd.problems...)
			continue
		}
		k := question{l.Model, l.Prompt, l.Schema}
		a := fromLine(l)
		if first, ok := lines[k]; ok && l.Model == model {
			if b := r.answers[k]; a.Text != b.Text || a.Fault != b.Fault || a.Model != b.Model {
				rd.problem(source.Pos{Line: 1, Col: 1}, "contradiction", "line %d answers the same question in another way", first)
				problems = append(problems, rd.problems...)
			}
			continue
		}
		lines[k] = n
		if l.Model == model {
			r.answers[k] = a
		}
	}
	switch err := s.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		rd := reader{line: n + 1}
		rd.problem(source.Pos{Line: 1, Col: 1}, "too-large", "a line of more than %d bytes", source.MaxBytes)
		problems = append(problems, rd.problems...)
	case err != nil:
		return nil, err
	}
	if len(problems) > 0 {
		return nil, &Error{File: file, Problems: problems}
	}
	return r, nil
}

// splitLines cuts at each line feed and nothing else, and keeps what follows
// the last one: a line that was cut off isn't well-formed.
func splitLines(data []byte, atEOF bool) (int, []byte, error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}

// recorded reads one line.
func (r *reader) recorded(src []byte) (l line) {
	n, err := source.ReadJSON(src)
	if err != nil {
		p := source.Problem{Pos: source.Pos{Line: 1, Col: 1}, Code: "json-syntax", Message: err.Error()}
		if e := (*source.SyntaxError)(nil); errors.As(err, &e) {
			p.Pos, p.Code = e.Pos, e.Code
			p.Message = strings.TrimPrefix(e.Error(), e.Pos.String()+": ")
		}
		r.problem(p.Pos, p.Code, "%s", p.Message)
		return l
	}
	if !r.members(n, "a recorded line", "model", "prompt", "schema", "answer") {
		return l
	}
	l.Model = r.word(n, "model", func(s string) bool { return namePattern.MatchString(s) })
	l.Prompt = r.word(n, "prompt", digestPattern.MatchString)
	l.Schema = r.word(n, "schema", func(s string) bool { return s == "" || digestPattern.MatchString(s) })
	a := n.Get("answer")
	if !r.members(a, "a recorded answer", "text", "model", "format", "attempts", "prompt_tokens", "completion_tokens", "took_ms", "trail", "fault") {
		return l
	}
	to := &l.Answer
	to.Text = r.word(a, "text", nil)
	to.Fault = r.word(a, "fault", nil)
	if (to.Text == "") == (to.Fault == "") {
		r.problem(a.Pos, "answer", "an answer has either a text or a fault")
	}
	to.Model = r.word(a, "model", func(s string) bool { return printable(s) || s == "" && to.Fault != "" })
	to.Format = r.word(a, "format", func(s string) bool { return slices.Contains(formats[:], s) || s == "" && to.Fault != "" })
	to.Attempts = r.count(a, "attempts")
	to.PromptTokens = r.count(a, "prompt_tokens")
	to.CompletionTokens = r.count(a, "completion_tokens")
	to.TookMS = int64(r.count(a, "took_ms"))
	if trail := a.Get("trail"); r.is(trail, source.List, "trail") {
		for _, item := range trail.Items {
			if r.is(item, source.String, "a line of the trail") {
				to.Trail = append(to.Trail, item.Text)
			}
		}
	}
	return l
}

// members wants an object with exactly these members.
func (r *reader) members(n *source.Node, what string, keys ...string) bool {
	if !r.is(n, source.Object, what) {
		return false
	}
	before := len(r.problems)
	for _, m := range n.Members {
		if !slices.Contains(keys, m.Key) {
			r.problem(m.Pos, "unknown-key", "%s has no key %q", what, m.Key)
		}
	}
	for _, k := range keys {
		if n.Get(k) == nil {
			r.problem(n.Pos, "missing", "%s is missing", k)
		}
	}
	return len(r.problems) == before
}

func (r *reader) word(n *source.Node, key string, good func(string) bool) string {
	v := n.Get(key)
	if r.is(v, source.String, key) && good != nil && !good(v.Text) {
		r.problem(v.Pos, "text", "this is no %s that a recording would have", key)
	}
	return v.Text
}

func (r *reader) count(n *source.Node, key string) int {
	var i int
	r.int(n, key, 0, 1<<31-1, &i)
	return i
}
