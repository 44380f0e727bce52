// Package rules holds the house rules as tests.
//
// Nothing here is compiled into the product: the package has no exported name
// and its only code is in test files. Each rule is a small function from
// something plain (a parsed file, a list of imports, an import graph) to a list
// of violations. Every such function has a table test that feeds it a source
// which breaks the rule, so that a rule which stops catching anything fails its
// own test; beside it, one test runs the rule over the repository.
//
// The rules:
//
//   - layout_test.go: which packages exist, which of them are pure, who may
//     import whom, and which library is fenced into which package
//   - reach_test.go: pure packages reach no network, database, process or log
//   - clock_test.go: pure packages read no clock, no randomness, no environment
//   - docs_test.go: comments on packages and exported names, and examples that
//     are run
//   - tree_test.go: package names, file lengths, private paths, tidy modules
//
// A rule that stands in the way of a good change is changed in the same commit
// as that change, in the open.
package rules
