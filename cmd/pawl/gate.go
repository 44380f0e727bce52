package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/pawlgate/pawl"
	"github.com/pawlgate/pawl/review"
)

// gateCmds change how much a gate may do alone.
type gateCmds struct {
	List      gateListCmd      `cmd:"" help:"List the gates and how they are set."`
	Show      gateShowCmd      `cmd:"" help:"Show a gate, its policies and what happened to it."`
	Supervise gateSuperviseCmd `cmd:"" help:"Send every new decision to a person, at once."`
	Stop      gateStopCmd      `cmd:"" help:"Supervise, and let nobody redeem a permit."`
	Resume    gateResumeCmd    `cmd:"" help:"Make a gate live again; takes two people unless its policy says one."`
	Ramp      gateRampCmd      `cmd:"" help:"Set the share of automatic decisions that stay automatic; raising it is loosening."`
	Activate  gateActivateCmd  `cmd:"" help:"Make another version of its policy decide, a former one, too."`
}

// gateJSON is a gate for programs.
type gateJSON struct {
	Gate     string           `json:"gate"`
	State    review.GateState `json:"state"`
	Shadow   bool             `json:"shadow,omitempty"`
	Ramp     string           `json:"ramp"`
	Policy   policyRefJSON    `json:"policy"`
	Epoch    int64            `json:"epoch"`
	TwoOf    bool             `json:"twoPeople"`
	Proposal *proposalJSON    `json:"proposal,omitempty"`
	Events   []gateEventJSON  `json:"events,omitempty"`
	Versions []versionJSON    `json:"policies,omitempty"`
}

type proposalJSON struct {
	By    string           `json:"by"`
	State review.GateState `json:"state"`
	Ramp  string           `json:"ramp"`
	Until *time.Time       `json:"until"`
}

type gateEventJSON struct {
	Seq      int64            `json:"seq"`
	At       *time.Time       `json:"at"`
	By       string           `json:"by"`
	Known    review.Known     `json:"known,omitempty"`
	Proposer string           `json:"proposedBy,omitempty"`
	Proposed bool             `json:"proposed,omitempty"`
	State    review.GateState `json:"state"`
	Ramp     string           `json:"ramp"`
	Policy   int64            `json:"policyVersion"`
	Cause    string           `json:"cause,omitempty"`
}

type versionJSON struct {
	policyRefJSON
	Name    string     `json:"name,omitempty"`
	Kind    string     `json:"kind"`
	Active  bool       `json:"active"`
	AddedBy string     `json:"addedBy"`
	AddedAt *time.Time `json:"addedAt"`
}

func newGateJSON(g *pawl.Gate) gateJSON {
	out := gateJSON{
		Gate: g.Name, State: g.State, Shadow: g.Shadow, Ramp: rampText(g.Ramp), Policy: policyRefJSON{g.Policy.Version, g.Policy.Digest},
		Epoch: g.Epoch, TwoOf: !g.OnePerson,
	}
	if q := g.Proposal; q != nil {
		out.Proposal = &proposalJSON{q.By.ID, q.To.State, rampText(q.To.Ramp), moment(q.Until)}
	}
	return out
}

func newGateEventJSON(e *pawl.GateEvent) gateEventJSON {
	return gateEventJSON{
		Seq: e.Seq, At: moment(e.At), By: e.Actor.ID, Known: e.Actor.Known, Proposer: e.Seconded.ID, Proposed: e.Proposed,
		State: e.To.State, Ramp: rampText(e.To.Ramp), Policy: e.To.Policy.Version, Cause: e.Cause,
	}
}

// rampText writes a ramp.
func rampText(ramp int) string {
	return strconv.FormatFloat(float64(ramp)*100/review.FullRamp, 'f', -1, 64) + "%"
}

// parsePercent reads one: 5%, 0.5%, 100%.
func parsePercent(s string) (int, error) {
	number, ok := strings.CutSuffix(s, "%")
	f, err := strconv.ParseFloat(number, 64)
	share := math.Round(f * review.FullRamp / 100)
	if !ok || err != nil || !(f >= 0 && f <= 100) || math.Abs(share-f*review.FullRamp/100) > 1e-6 {
		return 0, usagef("%q is no ramp: write 5%%, from 0%% to 100%% in steps of 0.01%%", s)
	}
	return int(share), nil
}

func gateRow(g *pawl.Gate) []string {
	mode := "binding"
	if g.Shadow {
		mode = "shadow"
	}
	waits := "-"
	if g.Proposal != nil {
		waits = fmt.Sprintf("a second person for what %s asked for", cell(g.Proposal.By.ID))
	}
	return []string{cell(g.Name), string(g.State), mode, rampText(g.Ramp), strconv.FormatInt(g.Policy.Version, 10), waits}
}

var gateHeader = []string{"gate", "state", "mode", "ramp", "policy", "waits for"}

type gateListCmd struct{ dbFlags }

// Run lists gates.
func (c *gateListCmd) Run(p *program) error {
	return c.read(p, func(ctx context.Context, service *pawl.Pawl) error {
		gates, err := service.Gates(ctx)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		rows, out := [][]string{gateHeader}, make([]gateJSON, len(gates))
		for i := range gates {
			rows, out[i] = append(rows, gateRow(&gates[i])), newGateJSON(&gates[i])
		}
		writeTable(&b, rows)
		return c.answer(p, b.Bytes(), out)
	})
}

type gateShowCmd struct {
	dbFlags
	Gate string `arg:"" help:"The gate."`
}

// Run shows a gate.
func (c *gateShowCmd) Run(p *program) error {
	return c.read(p, func(ctx context.Context, service *pawl.Pawl) error {
		g, err := service.Gate(ctx, c.Gate)
		if err != nil {
			return fmt.Errorf("gate %s: %w", c.Gate, err)
		}
		events, err := service.GateEvents(ctx, c.Gate)
		if err != nil {
			return err
		}
		versions, err := service.Policies(ctx, c.Gate)
		if err != nil {
			return err
		}
		out := newGateJSON(&g)
		var b bytes.Buffer
		writeTable(&b, [][]string{gateHeader, gateRow(&g)})
		var rows [][]string
		for _, v := range versions {
			out.Versions = append(out.Versions, versionJSON{policyRefJSON{v.Version, v.Digest}, v.Name, v.Kind, v.Active, v.AddedBy.ID, moment(v.AddedAt)})
			active := ""
			if v.Active {
				active = "active"
			}
			rows = append(rows, []string{strconv.FormatInt(v.Version, 10), v.Digest, at(v.AddedAt), who(v.AddedBy), active})
		}
		section(&b, "policies", rows)
		rows = nil
		for i := range events {
			out.Events = append(out.Events, newGateEventJSON(&events[i]))
			rows = append(rows, gateEventRow(&events[i]))
		}
		section(&b, "events", rows)
		return c.answer(p, b.Bytes(), out)
	})
}

func gateEventRow(e *pawl.GateEvent) []string {
	by := who(e.Actor)
	if e.Seconded.ID != "" {
		by += ", as " + who(e.Seconded) + " asked for"
	}
	state := string(e.To.State)
	if e.Proposed {
		state += " (asked for)"
	}
	return []string{strconv.FormatInt(e.Seq, 10), at(e.At), by, state, "ramp " + rampText(e.To.Ramp), fmt.Sprintf("policy %d", e.To.Policy.Version), brief(e.Cause)}
}

// gateActFlags are what a change of a gate has.
type gateActFlags struct {
	dbFlags
	asFlags
	Gate  string `arg:"" help:"The gate."`
	Cause string `short:"m" help:"Say why."`
}

// do changes the gate and says what came of it.
func (f *gateActFlags) do(p *program, change func(context.Context, *pawl.Pawl) (pawl.GateEvent, error)) error {
	return f.open(p, func(ctx context.Context, service *pawl.Pawl) error {
		e, err := change(ctx, service)
		if err != nil {
			return err
		}
		text := fmt.Appendf(nil, "%s is %s, ramp %s, policy %d\n", f.Gate, e.To.State, rampText(e.To.Ramp), e.To.Policy.Version)
		if e.Proposed {
			text = fmt.Appendf(nil, "%s asked for it: nothing has changed until a second person asks for the same, within %s\n", f.As, review.ProposalLife)
		}
		return f.answer(p, text, newGateEventJSON(&e))
	})
}

type gateSuperviseCmd struct{ gateActFlags }

// Run supervises.
func (c *gateSuperviseCmd) Run(p *program) error {
	return c.do(p, func(ctx context.Context, service *pawl.Pawl) (pawl.GateEvent, error) {
		return service.Supervise(ctx, c.Gate, c.actor(), c.Cause)
	})
}

type gateStopCmd struct{ gateActFlags }

// Run stops.
func (c *gateStopCmd) Run(p *program) error {
	return c.do(p, func(ctx context.Context, service *pawl.Pawl) (pawl.GateEvent, error) {
		return service.Stop(ctx, c.Gate, c.actor(), c.Cause)
	})
}

type gateResumeCmd struct{ gateActFlags }

// Run resumes.
func (c *gateResumeCmd) Run(p *program) error {
	return c.do(p, func(ctx context.Context, service *pawl.Pawl) (pawl.GateEvent, error) {
		return service.Resume(ctx, c.Gate, c.actor(), c.Cause)
	})
}

type gateRampCmd struct {
	gateActFlags
	Share string `arg:"" help:"5%, 100% …"`
}

// Run sets the ramp.
func (c *gateRampCmd) Run(p *program) error {
	share, err := parsePercent(c.Share)
	if err != nil {
		return err
	}
	return c.do(p, func(ctx context.Context, service *pawl.Pawl) (pawl.GateEvent, error) {
		return service.SetRamp(ctx, c.Gate, share, c.actor(), c.Cause)
	})
}

type gateActivateCmd struct {
	gateActFlags
	Version int64 `arg:"" help:"The version, as \"pawl gate show\" lists them."`
}

// Run activates a version.
func (c *gateActivateCmd) Run(p *program) error {
	return c.do(p, func(ctx context.Context, service *pawl.Pawl) (pawl.GateEvent, error) {
		return service.ActivatePolicy(ctx, c.Gate, c.Version, c.actor(), c.Cause)
	})
}
