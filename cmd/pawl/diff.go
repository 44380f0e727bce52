package main

import (
	"bytes"

	"github.com/pawlgate/pawl/policy"
)

type diffCmd struct {
	A      string `arg:"" help:"The old policy file; - is standard input."`
	B      string `arg:"" help:"The new policy file; - is standard input."`
	Output string `short:"o" enum:"text,json" default:"text" help:"text or json."`
}

// Help is shown below the command's one line.
func (diffCmd) Help() string {
	return `Each difference is tighter (no input gets a verdict that is more automatic),
looser (some can), the same (verdicts stay) or ? (nobody can tell), with the
reason. B as a whole is tighter only if no input whatever that both can read
gets a looser verdict; what isn't called so may be harmless all the same. Of how
people review and permits are redeemed, looser is what takes less than before.

Exit codes: 0 the same or tighter, 3 looser or not comparable: a person should
look, 2 an invalid policy or a wrong call.`
}

// Run compares the two policies.
func (c *diffCmd) Run(p *program) error {
	if c.A == "-" && c.B == "-" {
		return usagef("only one of the two policies can come from standard input")
	}
	a, err := p.loadThreshold(c.A)
	if err != nil {
		return err
	}
	b, err := p.loadThreshold(c.B)
	if err != nil {
		return err
	}
	diff, err := policy.Diff(a, b)
	if err != nil {
		return usageError{err}
	}
	if c.Output == "json" {
		err = p.printJSON(newDiffJSON(a, b, diff))
	} else {
		err = p.print(diffText(diff))
	}
	if err == nil && diff.Direction != policy.Same && diff.Direction != policy.Tighter {
		return exit(exitHuman)
	}
	return err
}

// inShort is a direction as it stands before a change.
var inShort = map[policy.Direction]string{policy.Same: "same", policy.Tighter: "tighter", policy.Looser: "looser", policy.NotComparable: "?"}

// conclusions say what a direction means for the whole.
var conclusions = map[policy.Direction]string{
	policy.Same:          "B is the same as A: no verdict changes",
	policy.Tighter:       "B is tighter than A: nothing becomes more automatic, or binding more easily",
	policy.Looser:        "B is looser than A: some verdicts can become more automatic, or binding more easily",
	policy.NotComparable: "B can't be compared with A: some verdicts may become more automatic, or binding more easily",
}

func diffText(diff *policy.Comparison) []byte {
	w := &bytes.Buffer{}
	var rows [][]string
	for _, c := range diff.Changes {
		rows = append(rows, []string{inShort[c.Direction], printable(c.Key), printable(c.Old + " → " + c.New), printable(c.Why)})
	}
	writeTable(w, rows)
	w.WriteString(conclusions[diff.Direction] + "\n")
	return w.Bytes()
}

type diffJSON struct {
	A         diffSideJSON     `json:"a"`
	B         diffSideJSON     `json:"b"`
	Direction policy.Direction `json:"direction"`
	Changes   []policy.Change  `json:"changes"`
}

type diffSideJSON struct {
	File   string `json:"file"`
	Gate   string `json:"gate"`
	Policy string `json:"policy"`
}

func newDiffJSON(a, b *policy.File, diff *policy.Comparison) diffJSON {
	return diffJSON{
		A:         diffSideJSON{a.Name, a.Gate, a.Digest},
		B:         diffSideJSON{b.Name, b.Gate, b.Digest},
		Direction: diff.Direction,
		Changes:   append([]policy.Change{}, diff.Changes...),
	}
}
