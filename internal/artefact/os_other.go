//go:build !unix

package artefact

import "os"

// dontBlock is nothing here: there are no FIFOs among files.
const dontBlock = 0

// syncFolder does nothing: a folder can't be asked to last here.
func syncFolder(*os.File) error { return nil }
