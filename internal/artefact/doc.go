// Package artefact reads artefacts from the disk, and puts snapshots in place.
//
// [Load] and [LoadSnapshot] read once; they neither wait for anything nor follow
// a link out. [Place] is the only thing that Pawl ever does with an artefact: it
// writes a snapshot's bytes to a folder, whole or not at all.
package artefact
