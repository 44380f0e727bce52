package main

import (
	"bytes"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// What SARIF 2.1.0 demands of the parts that are written: required members,
// their values, and references that lead somewhere.
func TestSarifIsValid(t *testing.T) {
	folder := t.TempDir()
	files := map[string]string{
		"none.pawl.yaml":       "pawl: v1\ngate: g\nkind: threshold\n",
		"errors.pawl.yaml":     "pawl: v2\ngate: 1\nkind: threshold\ncolour: red\n",
		"warnings.pawl.yaml":   "pawl: v1\ngate: g\nkind: threshold\nenableAutoApply: true\n",
		"empty.pawl.yaml":      "",
		"a name #%.pawl.yaml":  "x",
		"umlaut äöü.pawl.json": `{"pawl": "v1", "pawl": "v1"}`,
	}
	args := []string{"policy", "check", "-o", "sarif"}
	for name, text := range files {
		name = filepath.Join(folder, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, name)
	}
	var out bytes.Buffer
	if code, stderr := run(nil, &out, args...); code != exitUsage || stderr != "" {
		t.Fatalf("exit code %d, %q", code, stderr)
	}
	var log struct {
		Schema  string `json:"$schema"`
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name, SemanticVersion string
					Rules                 []struct{ ID string }
				}
			}
			ColumnKind string
			Results    []struct {
				RuleID, Level string
				Message       struct{ Text string }
				Locations     []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine, StartColumn int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal(out.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || log.Schema == "" || len(log.Runs) != 1 {
		t.Fatalf("version %q, schema %q, %d runs", log.Version, log.Schema, len(log.Runs))
	}
	r := log.Runs[0]
	if r.Tool.Driver.Name != "pawl" || r.Tool.Driver.SemanticVersion == "" || r.ColumnKind != "unicodeCodePoints" {
		t.Errorf("tool %+v, column kind %q", r.Tool, r.ColumnKind)
	}
	var ids []string
	for _, rule := range r.Tool.Driver.Rules {
		if rule.ID == "" || slices.Contains(ids, rule.ID) {
			t.Errorf("rule %q is empty or there twice", rule.ID)
		}
		ids = append(ids, rule.ID)
	}
	found := map[string]bool{}
	for _, res := range r.Results {
		if !slices.Contains(ids, res.RuleID) || !slices.Contains([]string{"error", "warning"}, res.Level) || res.Message.Text == "" || len(res.Locations) != 1 {
			t.Errorf("result %+v", res)
			continue
		}
		at := res.Locations[0].PhysicalLocation
		if at.Region.StartLine < 1 || at.Region.StartColumn < 1 {
			t.Errorf("result %+v", res)
		}
		uri, err := url.Parse(at.ArtifactLocation.URI)
		if err != nil || uri.Fragment != "" || uri.RawQuery != "" {
			t.Errorf("uri %q: %v", at.ArtifactLocation.URI, err)
			continue
		}
		found[filepath.Base(uri.Path)] = true
	}
	for name := range files {
		if want := name != "none.pawl.yaml"; found[name] != want {
			t.Errorf("%s: results %v, want %v", name, found[name], want)
		}
	}
}
