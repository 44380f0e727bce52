package promotion

// Artefact is what an agent made, as it was read, once. Whatever is decided
// about it and done with it, is decided and done with these bytes.
type Artefact struct {
	// Name is where it was read, for messages.
	Name string
	// Files are the regular files that could be read whole, in the byte order
	// of their paths.
	Files []File
	// Findings is what reading it found: what isn't a regular file, couldn't be
	// read, or may not be part of an artefact. Any of the kinds for which
	// Finding.Blocks holds forbids a snapshot.
	Findings []Finding
}

// File is one file of an artefact.
type File struct {
	Path string // with slashes, without "." and ".."
	Exec bool   // an executable bit was set
	Data []byte
}

// Limits bound an artefact.
type Limits struct {
	FileBytes     int64
	ArtefactBytes int64
	Files         int
}

// DefaultLimits are 1 MiB a file, 16 MiB and 1,000 files an artefact.
func DefaultLimits() Limits {
	return Limits{FileBytes: 1 << 20, ArtefactBytes: 16 << 20, Files: 1000}
}
