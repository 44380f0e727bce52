package promotion

// ScanOptions are what a policy says about the tripwire.
type ScanOptions struct {
	Catalogue   *Catalogue // the universe of tools; nil: the shipped one
	Promotable  []string   // what an artefact may declare at most; nil: whatever it declares
	ExtraTokens []string   // added to the floor
}

// Scanner is a compiled tripwire. It is immutable and safe for concurrent use.
type Scanner struct{}

// ScanResult is what a scan says of an artefact.
type ScanResult struct {
	Tripwire TripwireResult
	// Irreversible are the tools, sorted, that the artefact declares or names
	// and whose effects can't be taken back.
	Irreversible []string
}
