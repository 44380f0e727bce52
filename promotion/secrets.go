package promotion

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
)

// secretForm is a way in which secrets are written.
type secretForm struct {
	// hints are lower-case, and each match of pattern holds one of them: they
	// are quick to look for, and most lines hold none.
	hints []string
	// pattern's first group that took part is what is cut; without a group all
	// of the match is.
	pattern *regexp.Regexp
}

// secretForms cut too much rather than too little: a finding says where to look.
var secretForms = []secretForm{
	{ // Tokens that tell what they are by how they begin.
		[]string{"akia", "asia", "aroa", "aida", "gh", "glpat-", "sk-", "sk_", "rk_", "xox", "aiza", "npm_", "pypi-", "hf_", "eyj"},
		regexp.MustCompile(`(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{12,}` +
			`|\bgh[a-z]_[A-Za-z0-9]{10,}|\bgithub_pat_\w{10,}|\bglpat-[\w-]{10,}` +
			`|\bsk-[\w-]{10,}|\b[sr]k_(?:live|test)_\w{8,}|\bxox[a-z]-[\w-]{8,}` +
			`|\bAIza[\w-]{20,}|\bnpm_[A-Za-z0-9]{20,}|\bpypi-[\w-]{16,}|\bhf_[A-Za-z0-9]{20,}` +
			`|\beyJ[\w-]{6,}\.[\w-]{4,}(?:\.[\w-]*)?`),
	},
	{ // A URL's user and password.
		[]string{"://"},
		regexp.MustCompile("://([^\\s/?#\"'`<>]+)@"),
	},
	{ // What a header carries.
		[]string{"bearer", "authorization"},
		regexp.MustCompile(`(?i)\bbearer[\s:=]+([\w.~+/=-]{8,})|\bauthorization["']?\s*[:=]\s*["']?(?:basic|token|digest)\s+([^\s"']{4,})`),
	},
	{ // What is called a secret: in quotes up to the closing one, else up to a blank.
		[]string{"passw", "pwd", "passphrase", "secret", "token", "key", "credential"},
		regexp.MustCompile(`(?i:passw(?:or)?d|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|signing[_-]?key|credentials?)` +
			`(?:[A-Z0-9_-][\w-]*)?\\?["'\x60]?\s*(?::=|=>|=|:)\s*` +
			`(?:\\?"([^"]{4,})|\\?'([^']{4,})|\x60([^\x60]{4,})|([^\s"'\x60]{4,}))`),
	},
	{ // A private key on one line.
		[]string{"private key-----"},
		regexp.MustCompile(`PRIVATE KEY-----(.+?)(?:-----END|$)`),
	},
}

// secretReference is a value that says where a secret is, and isn't one.
var secretReference = regexp.MustCompile(`^(?:\$[({]|\$[A-Z_][A-Z0-9_]*[\\"',;)]*$|process\.env\b|import\.meta\.env\b|os\.(?:environ|getenv)\b|secrets\.|\{\{|<[a-z _-]+>)`)

// secretsIn returns what looks like a secret, in order and without overlaps.
// Clipped says that the line goes on beyond that end.
func secretsIn(line []byte, clippedLo, clippedHi bool) []span {
	var found []span
	lower := bytes.ToLower(line) // for the hints: it needn't be as long
	for _, form := range secretForms {
		if !slices.ContainsFunc(form.hints, func(hint string) bool { return bytes.Contains(lower, []byte(hint)) }) {
			continue
		}
		for _, m := range form.pattern.FindAllSubmatchIndex(line, -1) {
			s := span{m[0], m[1]}
			for g := 2; g < len(m); g += 2 {
				if m[g] >= 0 {
					s = span{m[g], m[g+1]}
					break
				}
			}
			if !secretReference.Match(line[s.start:s.end]) {
				found = append(found, s)
			}
		}
	}
	for i := 0; i < len(line); {
		if !runByte(line[i]) {
			i++
			continue
		}
		start := i
		for i < len(line) && runByte(line[i]) {
			i++
		}
		for i < len(line) && line[i] == '=' && i-start >= minSecret-2 {
			i++
		}
		// Of a run that goes on, or whose name may be beyond the line's
		// beginning, nobody knows what it is.
		goesOn := clippedLo && start < maxKeyName || clippedHi && i == len(line)
		if i-start >= minSecret && (goesOn || looksRandom(line[start:i])) {
			found = append(found, span{start, i})
		}
	}
	slices.SortFunc(found, func(a, b span) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end)) })
	merged := found[:0]
	for _, s := range found {
		if n := len(merged); n > 0 && s.start < merged[n-1].end {
			merged[n-1].end = max(merged[n-1].end, s.end)
			continue
		}
		merged = append(merged, s)
	}
	return merged
}

// maxKeyName is how much the name of a secret and what follows it may take.
const maxKeyName = 64

// minSecret is the length from which a run of letters and digits may be a secret.
const minSecret = 24

// runByte tells of the characters of hex and of both base64 alphabets.
func runByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '+' || c == '/' || c == '-' || c == '_'
}

// word is a part of a path or an identifier, as people name things: words that
// begin with at most one capital, or are all capitals, with a few digits at
// either end.
var word = regexp.MustCompile(`^(?:\d{0,4}(?:[A-Za-z]?[a-z]*(?:[A-Z][a-z]+)*|[A-Z]+)\d{0,4})$`)

// looksRandom tells of runs that mix small letters, capitals and digits in a
// way in which people name nothing.
func looksRandom(run []byte) bool {
	run = bytes.TrimRight(run, "=")
	var lower, upper, digit int
	for _, c := range run {
		switch {
		case 'a' <= c && c <= 'z':
			lower = 1
		case 'A' <= c && c <= 'Z':
			upper = 1
		case '0' <= c && c <= '9':
			digit = 1
		}
	}
	if lower+upper+digit < 2 {
		return false
	}
	for part := range bytes.FieldsFuncSeq(run, func(r rune) bool { return r == '/' || r == '-' || r == '_' || r == '+' }) {
		if !word.Match(part) {
			return true
		}
	}
	return false
}

// keyLook is how far back the beginning of a private key is looked for.
const keyLook = 8 << 10

// insideKey reports whether the line that begins at start may be a line of a
// private key in PEM form: its header is before it, and since then only lines
// as they stand in a key.
func insideKey(data []byte, start int, line []byte) bool {
	before := data[max(0, start-keyLook):start]
	begin := bytes.LastIndex(before, []byte("-----BEGIN "))
	if begin < 0 {
		return false
	}
	first := true
	for l := range bytes.Lines(before[begin:]) {
		if first && !bytes.Contains(l, []byte("PRIVATE KEY-----")) || !first && !keyLine(l) {
			return false
		}
		first = false
	}
	return keyLine(line)
}

// keyLine tells of lines of base64, quoted or with something after it, and of a
// key's own headers.
func keyLine(line []byte) bool {
	line = bytes.TrimSpace(line)
	if bytes.HasPrefix(line, []byte("-----END ")) {
		return false
	}
	blank := bytes.IndexAny(line, " \t")
	if blank < 0 || blank >= minSecret/2 && !bytes.ContainsFunc(line[:blank], func(r rune) bool { return r >= 0x80 }) {
		return true
	}
	return bytes.HasPrefix(line, []byte("Proc-Type: ")) || bytes.HasPrefix(line, []byte("DEK-Info: "))
}
