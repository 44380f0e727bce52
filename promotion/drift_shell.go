package promotion

import "bytes"

// shellNames calls fn for the words of a line of shell that stand where a
// command does, and for the names of functions and variables that it sets.
// Quotes hide nothing: what they hold may be run, and which of them is open
// can't be told from one line.
func shellNames(text []byte, fn namer) {
	command := true   // the next word is a command
	words := false    // so is any further word of this command
	redirect := false // the next word is where output goes
	i := promptLength(text)
	for i < len(text) {
		switch c := text[i]; {
		case c == ' ' || c == '\t' || c == '\r':
			i++
			continue
		case c == '>' || c == '<':
			redirect = true
			i++
			continue
		case c == '&' && i > 0 && (text[i-1] == '>' || text[i-1] == '<'): // >&2
			i++
			continue
		case shellBreak(c):
			command, words, redirect = true, false, false
			i++
			continue
		case c == '#' && (i == 0 || text[i-1] == ' ' || text[i-1] == '\t' || text[i-1] == ';') && beginsComment(text, i):
			return
		case c == '$' && i+1 < len(text) && text[i+1] == '(':
			i++
			continue
		}
		from := i
		for i < len(text) && text[i] != ' ' && text[i] != '\t' && text[i] != '\r' && text[i] != '<' && text[i] != '>' && !shellBreak(text[i]) {
			if text[i] == '$' && i+1 < len(text) && text[i+1] == '(' {
				break
			}
			i++
		}
		if i < len(text) && (text[i] == '<' || text[i] == '>') && digits(text[from:i]) {
			continue // 2>file
		}
		if !command && !words && !redirect {
			if w := text[from:i]; len(w) > 1 && w[0] == '-' {
				switch string(w) {
				case "-c", "-lc", "-ic", "-ec", "-exec", "-execdir", "-ok", "-okdir":
					command = true // bash -c Bash, find -exec Bash
				}
			}
			continue
		}
		assigned := shellWord(text, from, i, fn)
		if redirect {
			redirect = false
			continue
		}
		if command && !assigned {
			command = false
			switch shellRole(bytes.Trim(text[from:i], "\"'\\")) {
			case shellKeyword:
				command = true
			case shellPrefix:
				words = true
			}
		}
	}
}

// beginsComment reports whether a comment begins at the # at i. It may stand in
// quotes, which may have been opened on a line before, or in a document that is
// read in: what a shell would run there then needs a quote, a substitution or a
// backslash on the line.
func beginsComment(text []byte, i int) bool {
	return !bytes.ContainsAny(text[:i], "\"'`\\") && !bytes.ContainsAny(text[i:], "\"'`") && !bytes.Contains(text[i:], []byte("$("))
}

func digits(word []byte) bool {
	return len(bytes.Trim(word, "0123456789")) == 0
}

// shellBreak tells of the bytes after which a command begins.
func shellBreak(c byte) bool {
	switch c {
	case ';', '&', '|', '(', ')', '`', '\n', '{', '}', '!':
		return true
	default:
		return false
	}
}

// shellWord calls fn for a word of shell: as it is without quotes, its last
// component if it is a path, and its name if it assigns one. assigned says that
// it does.
func shellWord(text []byte, from, to int, fn namer) (assigned bool) {
	word := text[from:to]
	if n := bytes.IndexByte(word, '='); n > 0 {
		name := bytes.TrimRight(word[:n], "+")
		for _, c := range name {
			if !wordByte(c) && c != '-' && c != '.' && c != ':' {
				name = nil
				break
			}
		}
		if len(name) > 0 {
			fn(from, from+len(name), "assigns")
			return true
		}
	}
	begin, end := from, to
	for begin < end && (text[begin] == '"' || text[begin] == '\'' || text[begin] == '\\' || text[begin] == '$' || text[begin] == '@') {
		begin++
	}
	for end > begin && (text[end-1] == '"' || text[end-1] == '\'' || text[end-1] == ',') {
		end--
	}
	if begin == end {
		return false
	}
	fn(begin, end, "runs")
	if n := bytes.IndexByte(text[begin:end], ','); n > 0 { // {Bash,ls} runs Bash ls
		fn(begin, begin+n, "runs")
	}
	if n := bytes.IndexAny(text[begin:end], "-=+?"); n > 0 && n+1 < end-begin && begin > 0 && text[begin-1] == '{' { // ${x:-Bash}
		fn(begin+n+1, end, "runs")
	}
	if slash := bytes.LastIndexByte(text[begin:end], '/'); slash >= 0 && begin+slash+1 < end {
		fn(begin+slash+1, end, "runs")
	}
	return false
}

const (
	shellKeyword = iota + 1 // a command follows
	shellPrefix             // any of the words that follow may be one
)

// shellRole says what a word at a command's place is besides a command.
func shellRole(word []byte) int {
	switch string(word) {
	case "if", "then", "elif", "else", "while", "until", "do", "function", "coproc", "in", "begin", "and", "or", "not":
		return shellKeyword
	case "time", "sudo", "doas", "su", "env", "exec", "command", "builtin", "nohup", "xargs", "parallel", "eval", "nice", "ionice", "timeout", "watch", "stdbuf", "setsid", "strace",
		"RUN", "ssh", "trap", "busybox", "chroot", "unshare", "flock", "script", "call", "start",
		"alias", "export", "declare", "typeset", "local", "readonly", "unset", "type", "which", "def":
		return shellPrefix
	default:
		return 0
	}
}

// promptLength is how many bytes a prompt takes at the start of a line.
func promptLength(text []byte) int {
	for _, prompt := range []string{"$ ", "% ", "> ", ">>> ", "... ", "PS> "} {
		if bytes.HasPrefix(text, []byte(prompt)) {
			return len(prompt)
		}
	}
	// user@host:~$ and the like
	if n := bytes.IndexAny(text, " \t"); n > 0 {
		switch text[n-1] {
		case '$', '%', '>', '#':
			if bytes.ContainsAny(text[:n-1], "@:~]") && !bytes.ContainsAny(text[:n], ";&|()`\"'={}<") {
				return n + 1
			}
		}
	}
	return 0
}
