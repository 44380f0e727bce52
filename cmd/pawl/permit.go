package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/pawlgate/pawl"
	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/review"
)

// permitCmds are what an executor does that is no Go program.
type permitCmds struct {
	Redeem permitRedeemCmd `cmd:"" help:"Ask for the permit to act on an item: granted once."`
	Report permitReportCmd `cmd:"" help:"Say what came of a redeemed permit."`
	List   permitListCmd   `cmd:"" help:"List permits that are in doubt: redeemed, and not reported."`
}

// keyFlag is the redemption key. It is a secret, so it comes in a file.
type keyFlag struct {
	RedemptionKeyFile string `required:"" placeholder:"FILE" help:"Your redemption key: at least 16 random bytes, written there before you redeem, as by: openssl rand -out FILE 32"`
}

func (f keyFlag) key() ([]byte, error) {
	key, err := regularBytes(f.RedemptionKeyFile, 4096)
	if err == nil && len(key) < review.MinKey {
		err = usagef("%s: a redemption key has at least %d random bytes", f.RedemptionKeyFile, review.MinKey)
	}
	return key, err
}

type permitRedeemCmd struct {
	dbFlags
	keyFlag
	Item     string `arg:"" help:"The item."`
	Action   string `required:"" placeholder:"FILE" help:"The action that is about to run; - is standard input."`
	Effect   string `enum:"apply,reject" default:"apply" help:"What you are about to do: apply or reject."`
	Executor string `default:"local" help:"Who you are, of those whom the policy lists."`
}

// Help is shown by "pawl permit redeem --help".
func (c *permitRedeemCmd) Help() string {
	return `Exit codes: 0 granted: act, then report. 1 refused or failed: don't act. With the
same key the answer is the same again, and says if it was reported already: then
don't act either.`
}

// Run redeems.
func (c *permitRedeemCmd) Run(p *program) error {
	key, err := c.key()
	if err != nil {
		return err
	}
	action, err := p.readFile(c.Action, source.MaxBytes+1)
	if err != nil {
		return err
	}
	return c.open(p, func(ctx context.Context, service *pawl.Pawl) error {
		got, err := service.Redeem(ctx, pawl.Redemption{Item: c.Item, Action: action, Key: key, Effect: review.Effect(c.Effect), Executor: c.Executor})
		if err != nil {
			return err
		}
		var b bytes.Buffer
		switch {
		case !got.Again:
			fmt.Fprintf(&b, "granted: %s, then report\n", c.Effect)
		case got.Permit.InDoubt():
			fmt.Fprintf(&b, "granted before, %s, and not reported: find out whether it was done\n", at(got.Permit.GrantedAt))
		default:
			fmt.Fprintf(&b, "granted before, %s, and reported as %s: don't do it again\n", at(got.Permit.GrantedAt), got.Permit.State)
		}
		return c.answer(p, b.Bytes(), struct {
			Item   string      `json:"item"`
			Again  bool        `json:"again"`
			Permit *permitJSON `json:"permit"`
		}{c.Item, got.Again, newPermitJSON(&got.Permit)})
	})
}

type permitReportCmd struct {
	dbFlags
	keyFlag
	Item   string `arg:"" help:"The item."`
	State  string `arg:"" enum:"done,failed" help:"done or failed."`
	Result string `placeholder:"FILE" help:"What came of it, any JSON; - is standard input."`
}

// Run reports.
func (c *permitReportCmd) Run(p *program) error {
	key, err := c.key()
	if err != nil {
		return err
	}
	var result []byte
	if c.Result != "" {
		if result, err = p.readFile(c.Result, source.MaxBytes+1); err != nil {
			return err
		}
		if !json.Valid(result) {
			return usagef("%s: the result must be JSON", c.Result)
		}
	}
	return c.open(p, func(ctx context.Context, service *pawl.Pawl) error {
		got, err := service.Report(ctx, c.Item, key, review.PermitState(c.State), result)
		if err != nil {
			return err
		}
		return c.answer(p, fmt.Appendf(nil, "%s is %s\n", c.Item, got.State), newPermitJSON(&got))
	})
}

type permitListCmd struct {
	dbFlags
	InDoubt bool   `required:"" help:"Those in doubt; there is no other list of permits."`
	Gate    string `help:"Only of this gate."`
}

// Run lists permits in doubt.
func (c *permitListCmd) Run(p *program) error {
	return c.read(p, func(ctx context.Context, service *pawl.Pawl) error {
		records, err := service.InDoubt(ctx, c.Gate)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		rows := [][]string{{"item", "gate", "effect", "redeemed", "by", "subject"}}
		out := make([]recordJSON, len(records))
		for i, r := range records {
			out[i] = newRecordJSON(r, false)
			if m := r.Permit; m != nil {
				rows = append(rows, []string{r.ID, cell(r.Gate), string(m.Effect), at(m.GrantedAt), cell(m.GrantedTo), dash(brief(r.Subject))})
			}
		}
		if len(records) == 0 {
			b.WriteString("none\n")
		} else {
			writeTable(&b, rows)
		}
		return c.answer(p, b.Bytes(), out)
	})
}
