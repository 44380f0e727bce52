package llm

import (
	"fmt"
	"math"
	"net/netip"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/pawlgate/pawl/internal/source"
)

// Model is one endpoint as the operator configured it.
type Model struct {
	Name         string // what policies call it
	URL          string // the root of the API: https://host/v1
	ID           string // the model, as the server calls it
	KeyEnv       string // the environment variable that holds the API key; "" for none
	Prompt       string // a file with the prompt, for the caller to read; "" for its own
	Timeout      time.Duration
	Deadline     time.Duration // of a whole question: waiting for a turn, all attempts, all pauses
	Retries      int
	Concurrency  int
	MaxResponse  int // bytes
	MaxTokens    int // 0: left to the server
	AllowPrivate bool
}

// Config is what an operator's file says.
type Config struct {
	Models map[string]Model
}

// Error is the error of [Parse] and [NewReplay]: every problem that was found.
type Error struct {
	File     string
	Problems []source.Problem
}

// Error lists the problems, a line each, as file:line:col: message.
func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = e.File + ":" + p.Error()
	}
	return strings.Join(lines, "\n")
}

// The values of what a file leaves out, and the most that it may ask for.
const (
	defaultTimeout     = 20 * time.Second
	defaultDeadline    = time.Minute
	defaultRetries     = 2
	defaultConcurrency = 4

	maxTime        = time.Hour
	maxRetries     = 10
	maxConcurrency = 256
	maxTokens      = 1 << 20
	maxID          = 200
)

var (
	namePattern = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]{0,127}$`)
	envPattern  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,127}$`)
)

// Parse reads an operator's configuration. The name decides the language (.json
// is JSON, everything else YAML) and stands in messages. The error is an
// *[Error] with all problems. No message repeats a URL or a key_env, since
// somebody may have put a key there.
func Parse(name string, src []byte) (*Config, error) {
	parse := source.ParseYAML
	if strings.EqualFold(path.Ext(name), ".json") {
		parse = source.ParseJSON
	}
	root, problems := parse(src)
	if root == nil {
		return nil, &Error{File: name, Problems: problems}
	}
	var r reader
	c := &Config{Models: map[string]Model{}}
	r.config(root, c)
	if len(r.problems) > 0 {
		source.SortProblems(r.problems)
		return nil, &Error{File: name, Problems: r.problems}
	}
	return c, nil
}

// reader takes values out of the tree of a file and collects what is wrong.
type reader struct {
	problems []source.Problem
	line     int // of the file, if the text is one line of it
}

func (r *reader) problem(pos source.Pos, code, format string, args ...any) {
	if r.line > 0 {
		pos.Line = r.line
	}
	r.problems = append(r.problems, source.Problem{Pos: pos, Code: code, Message: fmt.Sprintf(format, args...)})
}

func (r *reader) is(n *source.Node, k source.Kind, what string) bool {
	if n.Kind != k {
		r.problem(n.Pos, "type", "%s must be %s, not %s", what, k, n.Kind)
	}
	return n.Kind == k
}

func (r *reader) known(n *source.Node, what string, keys ...string) {
	for _, m := range n.Members {
		switch {
		case slices.Contains(keys, m.Key):
		case strings.Contains(strings.ToLower(m.Key), "key") || strings.Contains(strings.ToLower(m.Key), "token"):
			r.problem(m.Pos, "unknown-key", "%s has no key %q: an API key never stands in this file; key_env names the environment variable that holds it", what, m.Key)
		default:
			r.problem(m.Pos, "unknown-key", "%s has no key %q, only %s", what, m.Key, strings.Join(keys, ", "))
		}
	}
}

func (r *reader) config(root *source.Node, c *Config) {
	if !r.is(root, source.Object, "a configuration of models") {
		return
	}
	r.known(root, "a configuration of models", "models")
	models := root.Get("models")
	if models == nil {
		r.problem(root.Pos, "missing", "models is missing")
		return
	}
	if !r.is(models, source.Object, "models") {
		return
	}
	if len(models.Members) == 0 {
		r.problem(models.Pos, "missing", "models names no model")
	}
	for _, m := range models.Members {
		if !namePattern.MatchString(m.Key) {
			r.problem(m.Pos, "name", "%q isn't a model's name (letters, digits, _ and -, at most 128)", m.Key)
		}
		c.Models[m.Key] = r.model(m)
	}
}

func (r *reader) model(entry source.Member) Model {
	n := entry.Value
	m := Model{
		Name: entry.Key, Timeout: defaultTimeout, Deadline: defaultDeadline,
		Retries: defaultRetries, Concurrency: defaultConcurrency, MaxResponse: source.MaxBytes,
	}
	if !r.is(n, source.Object, "a model") {
		return m
	}
	r.known(n, "a model", "url", "model", "key_env", "prompt", "timeout", "deadline", "retries", "concurrency", "max_response", "max_tokens", "allow_private")
	for _, k := range []string{"url", "model"} {
		if n.Get(k) == nil {
			r.problem(entry.Pos, "missing", "model %s: %s is missing", m.Name, k)
		}
	}
	m.ID = r.text(n, "model")
	m.Prompt = r.text(n, "prompt")
	if m.KeyEnv = r.text(n, "key_env"); m.KeyEnv != "" && !envPattern.MatchString(m.KeyEnv) {
		r.problem(n.Get("key_env").Pos, "name", "key_env isn't the name of an environment variable (letters, digits and _); it is not the key itself")
	}
	r.duration(n, "timeout", &m.Timeout)
	r.duration(n, "deadline", &m.Deadline)
	if m.Deadline < m.Timeout {
		pos := entry.Pos
		if d := n.Get("deadline"); d != nil {
			pos = d.Pos
		} else if t := n.Get("timeout"); t != nil {
			pos = t.Pos
		}
		r.problem(pos, "range", "the deadline of a question (%s) is shorter than the timeout of one attempt (%s)", m.Deadline, m.Timeout)
	}
	r.int(n, "retries", 0, maxRetries, &m.Retries)
	r.int(n, "concurrency", 1, maxConcurrency, &m.Concurrency)
	r.int(n, "max_response", 1, source.MaxBytes, &m.MaxResponse)
	r.int(n, "max_tokens", 1, maxTokens, &m.MaxTokens)
	if v := n.Get("allow_private"); v != nil && r.is(v, source.Bool, "allow_private") {
		m.AllowPrivate = v.Bool
	}
	if v := n.Get("url"); v != nil && r.is(v, source.String, "url") {
		m.URL = v.Text
		if why := checkURL(v.Text, m.AllowPrivate); why != "" {
			r.problem(v.Pos, "url", "%s", why)
		}
	}
	return m
}

// text reads a string that may be missing but not be empty.
func (r *reader) text(n *source.Node, key string) string {
	v := n.Get(key)
	if v == nil || !r.is(v, source.String, key) {
		return ""
	}
	if !printable(v.Text) {
		r.problem(v.Pos, "text", "%s must be printable text of at most %d bytes", key, maxID)
	}
	return v.Text
}

func (r *reader) duration(n *source.Node, key string, to *time.Duration) {
	v := n.Get(key)
	if v == nil || !r.is(v, source.String, key+` (a time such as "20s")`) {
		return
	}
	d, err := time.ParseDuration(v.Text)
	if err != nil || d <= 0 || d > maxTime {
		r.problem(v.Pos, "range", `%s must be a time such as "20s", more than 0 and at most %s`, key, maxTime)
		return
	}
	*to = d
}

func (r *reader) int(n *source.Node, key string, least, most int64, to *int) {
	v := n.Get(key)
	if v == nil || !r.is(v, source.Number, key) {
		return
	}
	i, ok := integer(v)
	if !ok || i < least || i > most {
		r.problem(v.Pos, "range", "%s must be a whole number from %d to %d", key, least, most)
		return
	}
	*to = int(i)
}

// integer returns the value of a number that is an int and no fraction.
func integer(n *source.Node) (int64, bool) {
	if n.Kind != source.Number {
		return 0, false
	}
	num := source.ParseNumber([]byte(n.Text))
	return num.Int, num.IsInt && !num.Inexact && num.Int <= math.MaxInt32
}

// checkURL returns what is wrong with the URL of an endpoint, without repeating
// it.
func checkURL(text string, allowPrivate bool) string {
	u, err := url.Parse(text)
	switch {
	case err != nil || strings.ContainsAny(text, " \t\r\n\\"):
		return "this isn't a URL; it should be the root of the API, such as https://host/v1"
	case u.Scheme != "https" && u.Scheme != "http":
		return "a URL must begin with https:// (or with http://, for a server on your own network)"
	case u.Hostname() == "":
		return "the URL has no host"
	case u.User != nil:
		return "the URL holds a user or a password: take it out; key_env names the environment variable that holds the key"
	case u.RawQuery != "" || u.ForceQuery || strings.Contains(text, "#"):
		return "the URL has a query or a fragment; it should be the root of the API, such as https://host/v1"
	case strings.HasSuffix(strings.TrimRight(u.Path, "/"), "/chat/completions"):
		return "the URL should be the root of the API, such as https://host/v1, without /chat/completions"
	case allowPrivate:
		return ""
	case isLocal(u.Hostname()):
		return "the URL names this machine or a private address: set allow_private: true if that is meant"
	case u.Scheme == "http":
		return "http would send the case and the key unencrypted: use https, or set allow_private: true for a server on your own network"
	default:
		return ""
	}
}

// isLocal tells whether a host is by its very name no public one. Other names
// are looked at when they are resolved.
func isLocal(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && !isPublic(a)
}
