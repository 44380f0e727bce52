//go:build unix

package artefact

import (
	"errors"
	"os"
	"syscall"
)

// dontBlock lets no open wait for the other end of a FIFO.
const dontBlock = syscall.O_NONBLOCK

// syncFolder makes the names in a folder last. Some file systems can't be asked to.
func syncFolder(f *os.File) error {
	err := f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		return nil
	}
	return err
}
