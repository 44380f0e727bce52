package promotion

import "bytes"

// hostShell is what the host calls the tool that runs the commands that
// injected finds.
const hostShell = "Bash"

// withShell returns the catalogue, with the shell of the host if it has none and
// the text may have a command in it: that must not pass since a policy's own
// catalogue is short.
func withShell(cat *Catalogue, text []byte) *Catalogue {
	if _, ok := cat.names[hostShell]; ok || !bytes.Contains(text, []byte("!`")) && !bytes.Contains(text, []byte("```!")) {
		return cat
	}
	return newCatalogue(append(cat.Tools(), Tool{Name: hostShell, Effect: EffectIrreversible}))
}

// injected finds the commands in Markdown that some hosts run when they load
// it, before the model sees a word, and put what they print in their place:
// !`command`, at the start of a line or behind a blank or a bracket, and fences
// that begin with ```!. (Claude Code's documentation of skills calls it dynamic
// context.) Whoever writes them uses a shell, declared or not.
func (d *drifter) injected(begin int) {
	shell := d.cat.names[hostShell]
	data := d.file.Data
	line := segment{line: 1, begin: begin}
	for from, at := begin, begin; ; at++ {
		n := bytes.IndexByte(data[at:], '!')
		if n < 0 {
			return
		}
		at += n
		offset, length := command(data, begin, at)
		if length == 0 {
			continue
		}
		if last := bytes.LastIndexByte(data[from:offset], '\n'); last >= 0 {
			line.line += bytes.Count(data[from:offset], []byte("\n"))
			line.begin = from + last + 1
		}
		from = offset
		d.report(shell, line, offset, length, "runs a command on loading with", []byte(d.cat.tools[shell].Name))
	}
}

// command returns the mark of a command, of which the exclamation mark at a byte
// may be a part; its length is 0 if it isn't.
func command(data []byte, begin, at int) (offset, length int) {
	switch {
	case at >= begin+3 && string(data[at-3:at]) == "```":
		return at - 3, 4
	case at+2 >= len(data) || data[at+1] != '`' || data[at+2] == '`':
		return 0, 0
	case at == begin || bytes.IndexByte([]byte(" \t\r\n([{>*_|:\"'"), data[at-1]) >= 0:
		return at, 2
	default:
		return 0, 0
	}
}
