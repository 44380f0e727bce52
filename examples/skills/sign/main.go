// Command sign makes the evidence of the skill tidy anew, after the skill was
// changed:
//
//	go run ./examples/skills/sign
//
// It makes a key pair, writes evidence.pub and tidy.evidence.dsse.json, and
// forgets the private key: nobody can sign anything else for this policy.
package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/pawlgate/pawl/internal/evidence"
	"github.com/pawlgate/pawl/promotion"
)

// statement is what an evaluation would have found; here it is made up.
const statement = `{
  "_type": "https://in-toto.io/Statement/v1",
  "subject": [{"name": "skills/tidy", "digest": {"sha256": "DIGEST"}}],
  "predicateType": "https://pawl.dev/promotion-evidence/v1",
  "predicate": {
    "expires": "2099-12-31T00:00:00Z",
    "oracle": "out_of_process_isolated",
    "record": {"gate2Verdict": "present_positive"},
    "gate4Armed": true,
    "touchesIrreversibleTool": false,
    "statisticsPresent": true,
    "concurringSignals": ["unit_tests", "canary"]
  }
}
`

func main() {
	dir := flag.String("dir", "examples/skills", "the folder of the example")
	flag.Parse()
	if err := run(*dir); err != nil {
		fmt.Fprintln(os.Stderr, "sign:", err)
		os.Exit(1)
	}
}

func run(dir string) error {
	digest, err := tidy(dir)
	if err != nil {
		return err
	}
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	envelope, err := evidence.Sign([]byte(strings.Replace(statement, "DIGEST", strings.TrimPrefix(digest, "sha256:"), 1)), private)
	if err != nil {
		return err
	}
	write := func(name string, text []byte) error {
		return os.WriteFile(filepath.Join(dir, name), text, 0o644) //nolint:gosec // both are public
	}
	return errors.Join(write("evidence.pub", promotion.KeyOf(public).PEM()), write("tidy.evidence.dsse.json", append(envelope, '\n')))
}

// tidy returns the digest of the skill's snapshot.
func tidy(dir string) (string, error) {
	snapshot, err := promotion.Read("tidy", os.DirFS(filepath.Join(dir, "tidy")), ".", promotion.DefaultLimits()).Snapshot()
	if err != nil {
		return "", err
	}
	return snapshot.Digest, nil
}
