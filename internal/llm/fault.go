package llm

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"time"
)

// fault is why there is no answer, in words of this package alone.
type fault struct {
	words   string
	retry   bool          // another attempt may help
	wait    time.Duration // the least that the server wants before that
	refusal bool          // the server may not know the response format
}

func (f *fault) Error() string { return f.words }

// The causes with which the two clocks end a context.
var (
	errTimeout  = errors.New("timeout of an attempt")
	errDeadline = errors.New("deadline of a question")
)

// ended says why a context is done; nil if it isn't.
func ended(ctx context.Context, m Model) *fault {
	switch cause := context.Cause(ctx); {
	case cause == nil:
		return nil
	case errors.Is(cause, errTimeout):
		return &fault{words: fmt.Sprintf("no complete answer within %s", m.Timeout), retry: true}
	case errors.Is(cause, errDeadline):
		return &fault{words: fmt.Sprintf("no answer within the deadline of %s", m.Deadline)}
	default:
		return &fault{words: "the caller gave up"}
	}
}

// connection puts an error of the network into words. The error's own text
// isn't used: the server may have had a hand in it.
func connection(err error) *fault {
	var own *fault
	var cert *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var dns *net.DNSError
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &cert):
		return &fault{words: "the server's certificate is not trusted, or is not for this host"}
	case errors.As(err, &record):
		return &fault{words: "the server doesn't speak TLS"}
	case errors.As(err, &dns):
		return &fault{words: "the host's name can't be resolved", retry: true}
	case errors.Is(err, syscall.ECONNREFUSED):
		return &fault{words: "the connection was refused", retry: true}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return &fault{words: "the connection was closed before the answer was complete", retry: true}
	default:
		return &fault{words: "the connection failed", retry: true}
	}
}
