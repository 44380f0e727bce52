package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// exchange is one question on its way: the layers below the client library,
// which sees of the network only what they let through. Do rounds off the
// request, go-retryablehttp repeats it, and RoundTrip makes one attempt. It is
// for one goroutine.
type exchange struct {
	c        *Client
	attempts int
	retries  int
	wait     time.Duration // before the next attempt
	got      completion
	trail    []string
}

func (x *exchange) note(format string, args ...any) {
	x.trail = append(x.trail, fmt.Sprintf(format, args...))
}

// Do sends the request of the client library.
func (x *exchange) Do(req *http.Request) (*http.Response, error) {
	body, err := withTemperature0(req.Body)
	if err != nil {
		return nil, err
	}
	again, err := retryablehttp.NewRequestWithContext(req.Context(), req.Method, req.URL.String(), body)
	if err != nil {
		return nil, err
	}
	again.Header = req.Header
	again.Header.Set("User-Agent", "pawl")
	r := &retryablehttp.Client{
		HTTPClient: &http.Client{Transport: x}, // it never sees a redirect: RoundTrip makes a fault of each
		RetryMax:   x.c.m.Retries,
		CheckRetry: x.again,
		Backoff:    func(_, _ time.Duration, _ int, _ *http.Response) time.Duration { return x.wait },
	}
	return r.Do(again)
}

// withTemperature0 says what the client library leaves out: it takes 0 for
// "not set", and the usual server then draws at 1.
func withTemperature0(body io.Reader) ([]byte, error) {
	var members map[string]json.RawMessage
	if err := json.NewDecoder(body).Decode(&members); err != nil {
		return nil, err
	}
	members["temperature"] = json.RawMessage("0")
	members["stream"] = json.RawMessage("false")
	return json.Marshal(members)
}

// RoundTrip makes one attempt and reads its answer whole, within the timeout.
// What it returns is a response that holds a checked completion, or a *fault.
func (x *exchange) RoundTrip(req *http.Request) (*http.Response, error) {
	x.attempts++
	ctx, cancel := context.WithTimeoutCause(req.Context(), x.c.m.Timeout, errTimeout)
	defer cancel()
	body, f := x.attempt(req.WithContext(ctx))
	if f != nil {
		x.note("attempt %d: %s", x.attempts, f.words)
		return nil, f
	}
	x.note("attempt %d: answered", x.attempts)
	return &http.Response{
		StatusCode: http.StatusOK, Status: "200 OK", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), Request: req,
	}, nil
}

func (x *exchange) attempt(req *http.Request) ([]byte, *fault) {
	failed := func(err error) *fault {
		if f := ended(req.Context(), x.c.m); f != nil {
			return f
		}
		return connection(err)
	}
	resp, err := x.c.transport.RoundTrip(req)
	if err != nil {
		return nil, failed(err)
	}
	defer resp.Body.Close()
	if f := judgeHeader(resp); f != nil {
		return nil, f
	}
	limit := x.c.m.MaxResponse
	body, err := io.ReadAll(io.LimitReader(resp.Body, int64(limit)+1))
	if err != nil {
		return nil, failed(err)
	}
	if len(body) > limit {
		return nil, tooLarge(limit)
	}
	got, f := readCompletion(body)
	if x.c.leaks(got.model) || x.c.leaks(got.text) {
		got.model, got.text = "", ""
		f = &fault{words: "the answer holds the API key"}
	}
	x.got = got
	if f != nil {
		return nil, f
	}
	body, err = got.envelope()
	if err != nil {
		return nil, &fault{words: "the answer can't be handed on"}
	}
	return body, nil
}

// again decides whether there is another attempt, and when.
func (x *exchange) again(ctx context.Context, _ *http.Response, err error) (bool, error) {
	if err == nil {
		return false, nil
	}
	var f *fault
	if !errors.As(err, &f) || !f.retry || ctx.Err() != nil {
		return false, err
	}
	if x.retries >= x.c.m.Retries {
		return false, err
	}
	x.wait = max(x.c.backoff(x.retries), f.wait)
	if end, ok := ctx.Deadline(); ok && x.wait > time.Until(end) {
		x.note("no further attempt: the pause before it, %s, would pass the deadline", x.wait.Round(time.Millisecond))
		return false, err
	}
	x.retries++
	if f.wait > 0 {
		x.note("waiting as long as the server asks, %s", f.wait.Round(time.Millisecond))
	}
	return true, nil
}

// retryAfter reads the header of that name: seconds or a date. What is neither,
// or lies in the past, asks for nothing; what is too long to count asks for all
// time.
func retryAfter(values []string) time.Duration {
	if len(values) != 1 {
		return 0
	}
	v := strings.TrimSpace(values[0])
	if v != "" && strings.Trim(v, "0123456789") == "" {
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil || n > int64(math.MaxInt64/time.Second) {
			return math.MaxInt64
		}
		return time.Duration(n) * time.Second
	}
	at, err := http.ParseTime(v)
	if err != nil {
		return 0
	}
	return max(0, time.Until(at))
}
