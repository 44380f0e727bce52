package promotion

// Tripwire looks through one Markdown text, as if it were all of an artefact,
// with the shipped catalogue. The tools it may name are those of allowedTools;
// what its own front matter says doesn't widen them. extraTokens are added to
// the floor; if one of them can't be used, that is a reason to escalate, and
// the text is held to the floor.
func Tripwire(artefact []byte, allowedTools, extraTokens []string) TripwireResult {
	r := newReport()
	s, err := NewScanner(ScanOptions{ExtraTokens: extraTokens})
	if err != nil {
		r.add(failed("", "the extra tokens", err.Error()))
		if s, err = NewScanner(ScanOptions{}); err != nil {
			r.add(failed("", "the denylist", err.Error()))
			return r.result().Tripwire
		}
	}
	var baseline []string
	for _, entry := range allowedTools {
		if name, _, _, ok := ReadAllowedTool(entry); ok {
			baseline = append(baseline, name)
		}
	}
	s.file(File{Path: manifestName, Data: artefact}, baseline, r)
	return r.result().Tripwire
}
