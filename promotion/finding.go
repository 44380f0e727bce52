package promotion

// Kind groups what the tripwire finds.
type Kind string

// The kinds of findings.
const (
	KindEscape      Kind = "path"          // a path that leads out of the artefact, or that two files share
	KindLink        Kind = "link"          // a symlink or hard link
	KindDevice      Kind = "device"        // neither file nor folder
	KindUnread      Kind = "unread"        // couldn't be read, or not whole
	KindScanFailed  Kind = "scan_failed"   // a scan failed, and its part is unknown
	KindDestructive Kind = "destructive"   // denylist: what can't be undone
	KindCredentials Kind = "credentials"   // denylist: where secrets are kept
	KindPersistence Kind = "persistence"   // denylist: what outlives the run
	KindExec        Kind = "exec"          // denylist: runs a program or code
	KindEgress      Kind = "egress"        // denylist: sends to or fetches from elsewhere
	KindExtra       Kind = "extra"         // denylist: the caller's own tokens
	KindHidden      Kind = "hidden_text"   // bidi controls, tag characters, zero-width runs
	KindDrift       Kind = "tool_drift"    // names a tool that it doesn't declare, or may not
	KindFrontMatter Kind = "front_matter"  // missing where it is needed, or not valid
	KindTools       Kind = "allowed_tools" // a declared tool that it may not have, or that can't be told
	KindExecutable  Kind = "executable"    // an executable bit
	KindBinary      Kind = "binary"        // a file that isn't text
	KindLimit       Kind = "limit"         // too large, or too many
)

// kinds says what each kind means, the most severe first.
var kinds = []struct {
	kind  Kind
	means string
}{
	{KindEscape, "a path that leads elsewhere, or that two files share"},
	{KindLink, "a link: what it points to isn't part of the artefact"},
	{KindDevice, "neither a file nor a folder"},
	{KindUnread, "couldn't be read, so nobody knows what it says"},
	{KindScanFailed, "a scan failed, so nobody knows what it would have found"},
	{KindDestructive, "can't be undone"},
	{KindCredentials, "reads or writes where secrets are kept"},
	{KindPersistence, "outlives the run"},
	{KindExec, "runs a program or code"},
	{KindEgress, "sends to or fetches from elsewhere"},
	{KindExtra, "a token that the policy or the caller added"},
	{KindHidden, "text that a reader doesn't see"},
	{KindDrift, "names a tool that it doesn't declare, or may not have"},
	{KindFrontMatter, "what it declares can't be read"},
	{KindTools, "asks for a tool that it may not have, or that can't be told"},
	{KindExecutable, "may be run as a program"},
	{KindBinary, "not text, so nobody read it"},
	{KindLimit, "too large, or too many, to be read whole"},
}

// Kinds lists all kinds, the most severe first.
func Kinds() []Kind {
	list := make([]Kind, len(kinds))
	for i, k := range kinds {
		list[i] = k.kind
	}
	return list
}

// Means says in a few words why something of this kind needs a person, empty if
// there is no such kind.
func (k Kind) Means() string {
	for _, known := range kinds {
		if known.kind == k {
			return known.means
		}
	}
	return ""
}

// Finding is one reason to escalate.
type Finding struct {
	Kind Kind
	// Token is what was found: the denylist's token, a tool's name, or empty.
	Token string
	File  string // the path in the artefact, empty for the artefact as a whole
	// Line and Col count from 1, Col in characters. 0: the file as a whole.
	Line, Col int
	// Offset is the byte in the file at which it begins, -1 for the file as a
	// whole. What stood in an encoded run begins where the run does.
	Offset int
	// Length is the number of bytes of the file that it covers, 0 if unknown.
	Length int
	// Via says behind what the token was hidden, outermost first, empty if it
	// stands there as it is: normalised, joined, base64, hex, percent, utf16,
	// joined with "+".
	Via string
	// Detail is for people: why it matters, in one line.
	Detail string
}

// Blocks reports whether a finding of reading an artefact forbids a snapshot:
// not all of the artefact could be taken, or what was taken couldn't be put
// back as it stood.
func (f Finding) Blocks() bool {
	switch f.Kind {
	case KindEscape, KindLink, KindDevice, KindUnread, KindLimit:
		return true
	default:
		return false
	}
}
