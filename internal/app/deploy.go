package app

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawlgate/pawl/internal/store"
	"github.com/pawlgate/pawl/ledger"
	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/review"
)

// readPolicies reads and compiles the policies of a Config. Two of one gate are
// an error: nobody could say which counts.
func readPolicies(c *Config) ([]*policy.File, error) {
	var files []*policy.File
	var problems []error
	keep := func(f *policy.File, err error) {
		if err != nil {
			problems = append(problems, err)
			return
		}
		if k := slices.IndexFunc(files, func(o *policy.File) bool { return o.Gate == f.Gate }); k >= 0 {
			problems = append(problems, fmt.Errorf("%s and %s are both of the gate %s", files[k].Name, f.Name, f.Gate))
			return
		}
		files = append(files, f)
	}
	for _, path := range c.Policies {
		names, err := policyFiles(path)
		if err != nil {
			problems = append(problems, err)
		}
		for _, name := range names {
			src, err := os.ReadFile(name)
			if err != nil {
				problems = append(problems, err)
				continue
			}
			keep(policy.ParseFiles(name, src, os.DirFS(filepath.Dir(name))))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.PolicyText)) {
		keep(policy.Parse(name, []byte(c.PolicyText[name])))
	}
	for _, gate := range slices.Sorted(maps.Keys(c.On)) {
		k := slices.IndexFunc(files, func(f *policy.File) bool { return f.Gate == gate })
		switch {
		case k < 0 && len(files) > 0:
			problems = append(problems, fmt.Errorf("there are callbacks for the gate %q, which no policy has", gate))
		case k >= 0 && !slices.Contains(rulesOf(&files[k].Review).Audience, c.Executor):
			problems = append(problems, fmt.Errorf("there are callbacks for the gate %s, whose executors don't include %q, as which they would redeem", gate, c.Executor))
		}
	}
	return files, errors.Join(problems...)
}

// policyFiles returns a file, or those of a folder that are policies.
func policyFiles(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.Type()&fs.ModeDir == 0 && (strings.HasSuffix(e.Name(), ".pawl.yaml") || strings.HasSuffix(e.Name(), ".pawl.json")) {
			names = append(names, filepath.Join(path, e.Name()))
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("the folder %s has no *.pawl.yaml and no *.pawl.json", path)
	}
	return names, nil
}

// start records that a process begins to write, and with which configuration,
// and deploys the policies.
func (a *App) start(ctx context.Context, files []*policy.File) error {
	err := a.db.Update(ctx, func(tx *store.Tx) error {
		config, err := a.configDigest(files)
		if err != nil {
			return err
		}
		err = write(tx, ledger.Entry{
			Kind:     ledger.KindStart,
			Versions: map[string]string{"engine": policy.Engine},
			Digests:  map[string]string{"config": config.String()},
		})
		if err != nil {
			return err
		}
		for _, f := range files {
			if err := a.deploy(tx, f); err != nil {
				return fmt.Errorf("deploy the policy of gate %s: %w", f.Gate, err)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	a.wrote()
	return nil
}

// configDigest identifies how the service is configured. It holds no secret.
func (a *App) configDigest(files []*policy.File) (review.Digest, error) {
	digests := map[string]string{}
	for _, f := range files {
		digests[f.Gate] = f.Digest
	}
	b, err := json.Marshal(map[string]any{
		"policies": digests, "need_activation": a.cfg.NeedActivation, "deployer": a.cfg.Deployer,
		"executor": a.cfg.Executor, "checkpoint_to": len(a.cfg.CheckpointTo), "callbacks": slices.Sorted(maps.Keys(a.cfg.On)),
	})
	if err != nil {
		return review.Digest{}, fmt.Errorf("describe the configuration: %w", err)
	}
	return sha256.Sum256(b), nil
}

// deploy makes a policy file the active one of its gate, in the name of whoever
// deploys it, unless it is already, or people have to activate it.
func (a *App) deploy(tx *store.Tx, f *policy.File) error {
	g, err := tx.LockGate(f.Gate)
	if errors.Is(err, store.ErrNotFound) {
		return newGate(tx, f, a.deployer(), !a.cfg.NeedActivation)
	}
	if err != nil || g.Policy.Digest == f.Digest {
		return err
	}
	row, err := addVersion(tx, f, a.deployer())
	if err != nil || a.cfg.NeedActivation {
		return err
	}
	to := g.Setting
	to.Policy = review.PolicyRef{Version: row.Version, Digest: row.Digest}
	old, err := a.policies.of(tx, f.Gate, g.Policy)
	if err != nil {
		return err
	}
	if f.Ramp != old.file.Ramp { // else it stays as people have set it
		to.Ramp = f.Ramp
	}
	if f.Shadow != old.file.Shadow {
		to.Shadow = f.Shadow
	}
	// Deploying is one person's, and that it is done is its proof.
	alone := g.Gate
	alone.OnePerson, alone.CountAsserted = true, true
	next, ev, err := review.Loosen(alone, to, false, review.Actor{Person: a.deployer(), MayLoosen: true}, "deployed", tx.Now())
	if err != nil {
		return err
	}
	next.OnePerson, next.CountAsserted = !f.TwoPeople, f.Review.CountAsserted
	g.Gate = next
	return saveGate(tx, g, &ev, row, "activate")
}

// newGate makes a gate with its first policy. Unless that counts as activated
// the gate begins supervised.
func newGate(tx *store.Tx, f *policy.File, by review.Person, active bool) error {
	row, err := addVersion(tx, f, by)
	if err != nil {
		return err
	}
	g := &store.Gate{RampKey: make([]byte, 32)}
	_, _ = rand.Read(g.RampKey)
	g.Gate = review.Gate{
		Name: f.Gate, Epoch: 1, Version: 1, LastAt: tx.Now(), OnePerson: !f.TwoPeople, CountAsserted: f.Review.CountAsserted,
		Setting: review.Setting{State: review.GateLive, Shadow: f.Shadow, Ramp: f.Ramp, Policy: review.PolicyRef{Version: row.Version, Digest: row.Digest}},
	}
	act := "activate"
	if !active {
		g.State, act = review.GateSupervised, ""
	}
	ev := review.GateEvent{Gate: g.Name, Seq: 1, Actor: by, To: g.Setting, Cause: "deployed", At: tx.Now()}
	return saveGate(tx, g, &ev, row, act)
}

// addVersion keeps a policy as the next version of its gate, or returns the
// newest one if that says the same.
func addVersion(tx *store.Tx, f *policy.File, by review.Person) (*store.Policy, error) {
	all, err := tx.Policies(f.Gate)
	if err != nil {
		return nil, err
	}
	next := int64(1)
	if len(all) > 0 {
		last := all[len(all)-1]
		if last.Digest == f.Digest {
			return last, nil
		}
		next = last.Version + 1
	}
	row := &store.Policy{
		Gate: f.Gate, Version: next, Kind: f.Kind, Name: filepath.Base(f.Name), Digest: f.Digest, Engine: policy.Engine,
		Source: f.Source(), Files: f.Files(), AddedBy: by, AddedAt: tx.Now(),
	}
	if _, err := compile(row); err != nil {
		return nil, fmt.Errorf("a policy that is kept must be readable from what is kept: %w", err)
	}
	if err := tx.InsertPolicy(row); err != nil {
		return nil, err
	}
	return row, write(tx, policyEntry(row, "add", by, tx.Now()))
}

// saveGate stores a change of a gate with its event and entries. With an act, the
// event made the policy row the active one.
func saveGate(tx *store.Tx, g *store.Gate, ev *review.GateEvent, row *store.Policy, act string) error {
	if err := tx.PutGate(g); err != nil {
		return err
	}
	if err := tx.AppendGateEvent(*ev); err != nil {
		return err
	}
	if act != "" {
		if err := write(tx, policyEntry(row, act, ev.Actor, ev.At)); err != nil {
			return err
		}
	}
	e, err := gateEntry(g.RampKey, ev, g.Epoch)
	if err != nil {
		return err
	}
	return write(tx, e)
}
