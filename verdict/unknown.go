package verdict

import (
	"errors"
	"fmt"
	"runtime"
)

// Recovered turns, when it is deferred, a panic of somebody else's function into an error,
// which a gate takes as unknown. The value of a panic may hold what an input
// held, so only the runtime's own messages are passed on.
func Recovered(err *error) {
	switch p := recover().(type) {
	case nil:
	case runtime.Error:
		*err = fmt.Errorf("panicked: %w", p)
	default:
		*err = fmt.Errorf("panicked with a %T", p)
	}
}

// Flatten turns an error into its text while a panic of its Error method (a
// typed nil pointer, say) can still be recovered.
func Flatten(err error) error {
	if err == nil {
		return nil
	}
	return errors.New(err.Error())
}
