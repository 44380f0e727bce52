package main

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows on a terminal how far a stream has come. On anything else it
// shows nothing.
type progress struct{ bar *progressbar.ProgressBar }

func (p *program) progress(name string, in io.Reader) progress {
	f, ok := p.stderr.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return progress{}
	}
	size := int64(-1) // unknown: a spinner
	if file, ok := in.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			size = info.Size()
		}
	}
	return progress{progressbar.NewOptions64(size,
		progressbar.OptionSetWriter(f), progressbar.OptionSetDescription(name),
		progressbar.OptionShowBytes(true), progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(), progressbar.OptionSetWidth(30),
	)}
}

func (p progress) update(bytes, _ int64) {
	if p.bar != nil {
		_ = p.bar.Set64(bytes) // only for show
	}
}

func (p progress) done() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
