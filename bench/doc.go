// Package bench puts Pawl's threshold gate beside other ways of taking the
// same decision in Go: a hand-written if, cel-go, expr, cedar-go and OPA.
//
// And it measures the case gate beside a schema validator and encoding/json
// ([CaseSteps]).
//
// It measures the promotion gate's scan beside ripgrep and a loop over
// bytes.Contains, on real Markdown and on text made to be slow ([NewMarkdown],
// [Adversaries]).
//
// Every contender decides the same inputs ([Cases]), each in the form that it
// likes best, and must give the verdict that stands in the table beside the
// input: a test holds all of them to it, and every benchmark does again before
// its clock starts. README.md has the results, the options of each peer and
// the command.
package bench
