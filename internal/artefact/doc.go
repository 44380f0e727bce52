// Package artefact opens the folders of artefacts for reading, and puts
// snapshots in place.
//
// [Open] is a file system for package promotion that neither blocks nor leads
// out. [Place] is the only thing that Pawl ever does with an artefact: it
// writes a snapshot's bytes to a folder, whole or not at all.
package artefact
