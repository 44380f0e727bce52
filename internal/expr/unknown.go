package expr

import (
	"errors"
	"fmt"
	"strings"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

// unknownError is why an expression has no value, in words that name kinds and
// never what the input held.
type unknownError string

func (e unknownError) Error() string { return string(e) }

// unknown makes a CEL error that explain lets pass.
func unknown(format string, args ...any) ref.Val {
	return types.WrapErr(unknownError(fmt.Sprintf(format, args...)))
}

// harmless are messages of cel-go's own that can't hold a value of the input.
var harmless = []string{
	"no such overload", "no such attribute", "division by zero", "modulus by zero", "integer overflow", "unsigned integer overflow",
	"actual cost limit exceeded",
}

// explain turns the error of an evaluation into one that may be shown. Many of
// cel-go's messages quote the value that they are about (a time that can't be
// read, a regular expression, a key); those are replaced.
func (p *Program) explain(err error) error {
	var own unknownError
	if errors.As(err, &own) {
		return own
	}
	text := err.Error()
	for _, h := range harmless {
		if strings.Contains(text, h) {
			return errors.New(h)
		}
	}
	if _, key, ok := strings.Cut(text, "no such key: "); ok {
		if key != "" && strings.Contains(p.text, key) {
			return fmt.Errorf("no such key: %s", key)
		}
		return errors.New("no such key")
	}
	return errors.New("it can't be evaluated")
}
