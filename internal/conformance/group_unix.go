//go:build unix

package conformance

import (
	"os/exec"
	"syscall"
)

// ownGroup starts the command in a process group of its own, so that kill
// reaches what the shell starts, too.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func kill(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // it may be gone
