package source

// What one text may hold. The depth counts lists and objects, the members
// count entries of both.
const (
	MaxBytes   = 1 << 20 // of one input, and of a policy file
	MaxDepth   = 64
	MaxMembers = 10_000
	// maxTokens bounds what the YAML parser is given: its time grows with the
	// square of it. A file of MaxMembers has fewer.
	maxTokens = 4 * MaxMembers
	// maxProblems is how many problems of one file are told apart.
	maxProblems = 100
)
