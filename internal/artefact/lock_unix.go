//go:build linux || darwin

package artefact

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// lockFolder lets one [Place] at a time work in a folder, until the file is
// closed, be it because the process dies. It keeps them from judging what
// another is about to take back; that DEST is whole doesn't rest on it, so a
// file system without locks is no error.
func lockFolder(f *os.File) error {
	const patience, pause = 30 * time.Second, 5 * time.Millisecond
	for begin := time.Now(); ; time.Sleep(pause) {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case err == nil, errors.Is(err, unix.ENOTSUP), errors.Is(err, unix.ENOLCK), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EINVAL):
			return nil
		case errors.Is(err, unix.EINTR):
		case !errors.Is(err, unix.EWOULDBLOCK):
			return err
		case time.Since(begin) > patience:
			return errors.New("another program has it locked; try again later")
		}
	}
}
