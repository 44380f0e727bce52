package llm_test

import (
	"context"
	"math"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pawlgate/pawl/internal/llm"
)

// first answers the first n requests with h, all later ones well.
func first(n int32, h http.HandlerFunc) http.HandlerFunc {
	var count atomic.Int32
	return func(w http.ResponseWriter, r *http.Request) {
		if count.Add(1) <= n {
			h(w, r)
			return
		}
		writeJSON(w, completion(opinion))
	}
}

func later(status int, retryAfter string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", retryAfter)
		failing(status)(w, r)
	}
}

func TestRetriesAreBounded(t *testing.T) {
	t.Parallel()
	for _, status := range []int{429, 500, 501, 502, 503, 504, 529} {
		wantFault(t, model(serve(t, failing(status))), "HTTP status ", 3)
	}
	for _, status := range []int{401, 402, 403, 405, 408, 409, 413, 418, 451} {
		wantFault(t, model(serve(t, failing(status))), "HTTP status ", 1)
	}
	m := model(serve(t, failing(500)))
	m.Retries = 0
	wantFault(t, m, "HTTP status 500", 1)
}

func TestRetriesHelp(t *testing.T) {
	t.Parallel()
	a := ask(t, newClient(t, model(serve(t, first(2, failing(500))))), question)
	want := []string{
		"asking model judge for judge-7b, response format json_schema",
		"attempt 1: HTTP status 500", "attempt 2: HTTP status 500", "attempt 3: answered",
	}
	if diff := cmp.Diff(want, a.Trail); diff != "" || a.Text != opinion || a.Attempts != 3 {
		t.Errorf("%+v %s", a, diff)
	}
	hangUp := func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	if a := ask(t, newClient(t, model(serve(t, first(1, hangUp)))), question); a.Text != opinion || a.Attempts != 2 {
		t.Errorf("%+v", a)
	}
}

// Falling back to another response format doesn't bring new retries.
func TestRetriesAreCountedOverFormats(t *testing.T) {
	t.Parallel()
	var n atomic.Int32
	a := wantFault(t, model(serve(t, func(w http.ResponseWriter, r *http.Request) {
		failing([]int{500, 400, 500, 400, 500, 500}[n.Add(1)-1])(w, r)
	})), "HTTP status 500", 5)
	if a.Format != "plain" {
		t.Errorf("%+v", a)
	}
}

func TestRetryAfterIsHonoured(t *testing.T) {
	t.Parallel()
	for _, status := range []int{429, 503} {
		a := ask(t, newClient(t, model(serve(t, first(1, later(status, "1"))))), question)
		if a.Text != opinion || a.Took < time.Second || a.Took > 15*time.Second || !slices.Contains(a.Trail, "waiting as long as the server asks, 1s") {
			t.Errorf("%+v", a)
		}
	}
}

// A pause that would pass the deadline is not begun.
func TestRetryAfterBeyondTheDeadline(t *testing.T) {
	t.Parallel()
	for _, v := range []string{"31", "3600", "99999999999", strings.Repeat("9", 400), time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)} {
		a := wantFault(t, model(serve(t, later(429, v))), "HTTP status 429", 1)
		if a.Took > 5*time.Second || !strings.Contains(a.Trail[len(a.Trail)-1], "would pass the deadline") {
			t.Errorf("%s: %+v", v, a)
		}
	}
}

func TestRetryAfterThatSaysNothing(t *testing.T) {
	t.Parallel()
	for _, v := range []string{"", "0", "-5", "+5", "1.5", "soon", "1 hour", "0x10", "Mon, 02 Jan 2006 15:04:05 GMT"} {
		a := ask(t, newClient(t, model(serve(t, first(1, later(429, v))))), question)
		if a.Text != opinion || a.Attempts != 2 {
			t.Errorf("%q: %+v", v, a)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	for v, want := range map[string]time.Duration{
		"7": 7 * time.Second, " 7 ": 7 * time.Second, "007": 7 * time.Second, "-7": 0, "": 0, "9223372036": 9223372036 * time.Second,
		"9223372037": math.MaxInt64, "99999999999999999999": math.MaxInt64,
	} {
		if got := llm.RetryAfter(v); got != want {
			t.Errorf("%q: %s, want %s", v, got, want)
		}
	}
	if llm.RetryAfter() != 0 || llm.RetryAfter("1", "2") != 0 {
		t.Error("none or two say something")
	}
	if got := llm.RetryAfter(time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)); got < 59*time.Minute || got > time.Hour {
		t.Errorf("in an hour: %s", got)
	}
}

func TestBackoffDoublesUpToALimit(t *testing.T) {
	t.Parallel()
	for retry, ms := range []int{500, 1000, 2000, 4000, 8000, 10000, 10000, 10000, 10000, 10000, 10000, 10000} {
		most := time.Duration(ms) * time.Millisecond
		for range 50 {
			if d := llm.Backoff(retry); d < most/2 || d >= most {
				t.Errorf("retry %d: %s, want %s to %s", retry, d, most/2, most)
			}
		}
	}
}

// A pause ends early when the caller gives up.
func TestAPauseCanBeInterrupted(t *testing.T) {
	t.Parallel()
	c := newClient(t, model(serve(t, later(429, "10"))))
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	stop := time.AfterFunc(100*time.Millisecond, cancel)
	defer stop.Stop()
	a := c.Ask(ctx, question)
	check(t, a)
	if a.Fault != "the caller gave up" || a.Attempts != 1 || a.Took > 8*time.Second {
		t.Errorf("%+v", a)
	}
}

func TestNobodyListens(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	wantFault(t, model("http://"+l.Addr().String()), "the connection was refused", 3)
}
