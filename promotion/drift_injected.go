package promotion

import "bytes"

// hostShell is what the host calls the tool that runs such commands.
const hostShell = "Bash"

// withShell returns the catalogue, with the shell of the host if it has none and
// the text may have a command in it: that must not pass since a policy's own
// catalogue is short.
func withShell(cat *Catalogue, text []byte) *Catalogue {
	if _, ok := cat.names[hostShell]; ok || !bytes.Contains(text, []byte("!`")) {
		return cat
	}
	return newCatalogue(append(cat.Tools(), Tool{Name: hostShell, Effect: EffectIrreversible}))
}

// injected finds the commands in Markdown that some hosts run when they load
// it, before the model sees a word, and put what they print in their place:
// !`command`, at the start of a line or behind a blank or a bracket. (Claude
// Code's documentation of skills calls it dynamic context.) Whoever writes it
// uses a shell, declared or not. A fence with the tag ! is the same at length;
// its code is read as source is.
func (d *drifter) injected(begin int) {
	shell := d.cat.names[hostShell]
	data := d.file.Data
	line := segment{line: 1, begin: begin}
	for from, at := begin, begin; ; {
		n := bytes.Index(data[at:], []byte("!`"))
		if n < 0 || at+n+2 == len(data) {
			return
		}
		at += n
		if data[at+2] != '`' && (at == begin || bytes.IndexByte([]byte(" \t\r\n([{>*_|:\"'"), data[at-1]) >= 0) {
			if last := bytes.LastIndexByte(data[from:at], '\n'); last >= 0 {
				line.line += bytes.Count(data[from:at], []byte("\n"))
				line.begin = from + last + 1
			}
			from = at
			d.report(shell, line, at, 2, "runs a command on loading with", []byte(d.cat.tools[shell].Name))
		}
		at += 2
	}
}
