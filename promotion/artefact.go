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
	// LeftOut are the paths that aren't part of the artefact although they
	// stood in its folder: ".git", at the top alone. They were neither read nor
	// scanned, and no snapshot holds them.
	LeftOut []string
}

// File is one file of an artefact.
type File struct {
	Path string // with slashes, without "." and ".."
	Exec bool   // an executable bit was set
	Data []byte
}

// Limits bound an artefact. What is zero or negative allows nothing. They hold for
// what is really read, whatever sizes a folder or an archive declares.
type Limits struct {
	FileBytes     int64
	ArtefactBytes int64 // of all files together; of an archive as a whole, too
	Files         int
}

// bounded returns limits that can be computed with: nothing is negative, or
// so large that it overflows.
func (l Limits) bounded() Limits {
	const most = 1 << 40
	return Limits{
		FileBytes:     min(max(l.FileBytes, 0), most),
		ArtefactBytes: min(max(l.ArtefactBytes, 0), most),
		Files:         min(max(l.Files, 0), 1<<24),
	}
}

// entries bounds how many files and folders are looked at, so that folders
// without files and archives of folders end, too.
func (l Limits) entries() int {
	return 4*l.bounded().Files + 100
}

// DefaultLimits are 1 MiB a file, 16 MiB and 1,000 files an artefact.
func DefaultLimits() Limits {
	return Limits{FileBytes: 1 << 20, ArtefactBytes: 16 << 20, Files: 1000}
}
