package artefact

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// renameNew renames within a folder, and fails with fs.ErrExist if there is a to.
func renameNew(folder *os.File, from, to string) error {
	return renameat2(folder, from, to, unix.RENAME_NOREPLACE)
}

// exchange exchanges two names of a folder, so that both are always there.
func exchange(folder *os.File, a, b string) error {
	return renameat2(folder, a, b, unix.RENAME_EXCHANGE)
}

func renameat2(folder *os.File, from, to string, flags uint) error {
	fd := int(folder.Fd())
	err := unix.Renameat2(fd, from, fd, to, flags)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.ENOTSUP):
		// from and to are names of one folder, and neither lies in the
		// other: EINVAL is a file system without the flag.
		return errors.ErrUnsupported
	}
	return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
}
