// Package promotion is the promotion gate: may an artefact that an agent made,
// a skill (SKILL.md and its files), go live without a person?
//
// [Decide] folds what is known of it into one of three terminals; whatever is
// missing counts as failing, so that the zero [Inputs] needs a person. A
// [Scanner] is the tripwire: it reads the artefact's bytes and can only raise.
// [Artefact.Snapshot] fixes what was read, so that what is decided is what is
// applied.
//
// The package computes from its arguments: files come as an fs.FS or as bytes.
// docs/promotion.md is its contract.
package promotion
