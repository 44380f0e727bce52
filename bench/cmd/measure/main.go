// Command measure runs a program on two cores, throws its output away and
// prints how many nanoseconds it took and how many bytes of memory it had at
// the most.
//
// It is a program of its own because Linux counts the memory of whoever starts
// a program among that program's: this one has next to none.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: measure PROGRAM [ARGUMENT ...]")
		os.Exit(2)
	}
	if err := measure(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

func measure(argv []string) error {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	if taskset, err := exec.LookPath("taskset"); err == nil && runtime.NumCPU() > 2 {
		argv = append([]string{taskset, "-c", "0,1"}, argv...)
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=2")
	var said bytes.Buffer // of interest only if it fails
	cmd.Stdout, cmd.Stderr = null, &said
	start := time.Now()
	err = cmd.Run()
	wall := time.Since(start)
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", argv[0], err, said.Bytes())
	}
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return errors.New("no resource usage on " + runtime.GOOS)
	}
	peak := usage.Maxrss
	if runtime.GOOS != "darwin" { // the others count in kilobytes
		peak *= 1024
	}
	_, err = fmt.Println(wall.Nanoseconds(), peak)
	return err
}
