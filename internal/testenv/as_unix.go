//go:build unix

package testenv

import (
	"os/exec"
	"syscall"
)

// as runs a command as the server's user, out of reach of the signals of a terminal.
func as(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if owner != nil {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: owner[0], Gid: owner[1]}
	}
}
