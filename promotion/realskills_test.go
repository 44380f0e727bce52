package promotion

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
)

var updateReal = flag.Bool("update", false, "rewrite the golden files")

const (
	realSkills       = "testdata/skills"
	realSkillsGolden = "testdata/realskills.golden"
)

// skillHit is one token found in one file.
type skillHit struct {
	token  Token
	skill  string
	file   string
	offset int
}

// floorHits looks for the floor in the real skills with nothing but
// bytes.Index. Skills are folders of a publisher.
func floorHits(t *testing.T) (skills []string, hits []skillHit, text map[string][]byte) {
	t.Helper()
	fsys := os.DirFS(realSkills)
	text = map[string][]byte{}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Count(name, "/") < 2 { // a publisher's LICENSE
			return err
		}
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		text[name] = data
		parts := strings.SplitN(name, "/", 3)
		skill := path.Join(parts[0], parts[1])
		if !slices.Contains(skills, skill) {
			skills = append(skills, skill)
		}
		lower := asciiLower(data)
		for _, tok := range Floor() {
			for at := 0; ; at++ {
				i := bytes.Index(lower[at:], []byte(tok.Text))
				if i < 0 {
					break
				}
				at += i
				hits = append(hits, skillHit{tok, skill, name, at})
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return skills, hits, text
}

func asciiLower(data []byte) []byte {
	lower := bytes.Clone(data)
	for i, c := range lower {
		if 'A' <= c && c <= 'Z' {
			lower[i] = c + 'a' - 'A'
		}
	}
	return lower
}

// What the floor finds in real skills, for people: how many skills and places
// each token is in, with one of the places; then what each skill is found for.
// A change of the floor shows here what it does to ordinary work.
func TestFloorOverRealSkills(t *testing.T) {
	skills, hits, text := floorHits(t)

	type row struct {
		token  Token
		skills map[string]bool
		places int
		first  skillHit
	}
	var rows []*row
	byToken := map[string]*row{}
	bySkill := map[string]map[Kind][]string{}
	for _, h := range hits {
		r := byToken[h.token.Text]
		if r == nil {
			r = &row{token: h.token, skills: map[string]bool{}, first: h}
			byToken[h.token.Text] = r
			rows = append(rows, r)
		}
		r.places++
		r.skills[h.skill] = true
		kinds := bySkill[h.skill]
		if kinds == nil {
			kinds = map[Kind][]string{}
			bySkill[h.skill] = kinds
		}
		if !slices.Contains(kinds[h.token.Kind], h.token.Text) {
			kinds[h.token.Kind] = append(kinds[h.token.Kind], h.token.Text)
		}
	}
	slices.SortFunc(rows, func(a, b *row) int {
		return cmp.Or(cmp.Compare(len(b.skills), len(a.skills)), cmp.Compare(b.places, a.places), cmp.Compare(a.token.Text, b.token.Text))
	})

	var out bytes.Buffer
	fmt.Fprintf(&out, "%d skills, %d of them with a finding; %d of %d tokens found in %d places\n\n", len(skills), len(bySkill), len(rows), len(Floor()), len(hits))
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "skills\tplaces\tkind\ttoken\tfor example")
	for _, r := range rows {
		_, _ = fmt.Fprintf(w, "%d\t%d\t%s\t%q\t%s\n", len(r.skills), r.places, r.token.Kind, r.token.Text,
			Excerpt(text[r.first.file], r.first.offset, len(r.token.Text), 60))
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(skills)
	for _, skill := range skills {
		fmt.Fprintf(&out, "\n%s\n", skill)
		if bySkill[skill] == nil {
			fmt.Fprintln(&out, "  nothing found")
		}
		for _, kind := range Kinds() {
			if tokens := bySkill[skill][kind]; tokens != nil {
				slices.Sort(tokens)
				fmt.Fprintf(&out, "  %s: %q\n", kind, tokens)
			}
		}
	}

	if *updateReal {
		if err := os.WriteFile(realSkillsGolden, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(realSkillsGolden)
	if err != nil {
		t.Fatalf("%v (go test ./promotion -run RealSkills -update writes it)", err)
	}
	if !bytes.Equal(out.Bytes(), want) {
		t.Errorf("the floor finds something else in the real skills (go test ./promotion -run RealSkills -update takes it over):\n%s", firstDifference(string(want), out.String()))
	}
}

func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(w), len(g)) {
		var a, b string
		if i < len(w) {
			a = w[i]
		}
		if i < len(g) {
			b = g[i]
		}
		if a != b {
			return fmt.Sprintf("line %d:\n- %s\n+ %s", i+1, a, b)
		}
	}
	return ""
}

// Ordinary skills that only document a primitive are found all the same, and
// those that have nothing to do with one are left alone: a floor that finds
// everything tells as little as one that finds nothing.
func TestFloorTellsRealSkillsApart(t *testing.T) {
	skills, hits, _ := floorHits(t)
	if len(skills) < 12 {
		t.Fatalf("only %d real skills", len(skills))
	}
	found := map[string]map[string]bool{}
	for _, skill := range skills {
		found[skill] = map[string]bool{}
	}
	for _, h := range hits {
		found[h.skill][h.token.Text] = true
	}
	for skill, token := range map[string]string{
		"ailabs/docker-containerization":     "wget",
		"nextspark/github":                   "branch -d",
		"pbakaus/agent-reviews":              "github_token",
		"nextspark/npm-development-workflow": "rm -rf",
		"affaan-m/strategic-compact":         ".claude/settings",
	} {
		if !found[skill][token] {
			t.Errorf("%s: %q isn't found", skill, token)
		}
	}
	clean := 0
	for _, tokens := range found {
		if len(tokens) == 0 {
			clean++
		}
	}
	if clean < len(skills)/4 {
		t.Errorf("only %d of %d ordinary skills are left alone", clean, len(skills))
	}
	for _, tok := range Floor() {
		n := 0
		for _, tokens := range found {
			if tokens[tok.Text] {
				n++
			}
		}
		if n > len(skills)/2 {
			t.Errorf("%q is in %d of %d ordinary skills: it tells nothing", tok.Text, n, len(skills))
		}
	}
}

// What was published stays so: neither git nor an editor may change a byte. To
// add a skill, change the digest with it.
func TestRealSkillsAreKeptAsPublished(t *testing.T) {
	const want = "0021c04ca2122a7390ffdf79d6f3c1fe25b93999d87b0f3b11ed46296cf30d02"
	_, _, text := floorHits(t)
	total := 0
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(text)) {
		_, _ = fmt.Fprintf(sum, "%s %d\n%s\n", name, len(text[name]), text[name])
		total += len(text[name])
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != want {
		t.Errorf("the real skills have the digest %s, not %s", got, want)
	}
	if total > 600<<10 {
		t.Errorf("%d bytes of real skills: at most 600 KiB were meant", total)
	}
}
