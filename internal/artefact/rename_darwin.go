package artefact

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// renameNew renames within a folder, and fails with fs.ErrExist if there is a to.
func renameNew(folder *os.File, from, to string) error {
	return renameatx(folder, from, to, unix.RENAME_EXCL)
}

// exchange exchanges two names of a folder, so that both are always there.
func exchange(folder *os.File, a, b string) error {
	return renameatx(folder, a, b, unix.RENAME_SWAP)
}

func renameatx(folder *os.File, from, to string, flags uint32) error {
	fd := int(folder.Fd())
	err := unix.RenameatxNp(fd, from, fd, to, flags)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.ENOTSUP):
		return errors.ErrUnsupported
	}
	return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
}
