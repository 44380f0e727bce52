package policy_test

import (
	"encoding/json"
	"testing"
	"testing/fstest"

	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/promotion"
	"github.com/pawlgate/pawl/verdict"
)

func FuzzParsePromotion(f *testing.F) {
	var keys, catalogues [][]byte
	for _, name := range []string{"a.pub", "two.pub", "zero.pub", "private.pem"} {
		keys = append(keys, readFile(f, "testdata/check/files/"+name))
	}
	for _, name := range []string{"tools.yaml", "bad-tools.yaml", "odd-tools.yaml"} {
		catalogues = append(catalogues, readFile(f, "testdata/check/files/"+name))
	}
	var seeds [][]byte
	for _, pattern := range []string{"testdata/lint/promotion-*", "testdata/check/promotion-*", "../examples/skills/*"} {
		for _, name := range policyFiles(f, pattern) {
			seeds = append(seeds, readFile(f, name))
		}
	}
	for i, seed := range seeds {
		f.Add(seed, keys[i%len(keys)], catalogues[i%len(catalogues)])
	}
	f.Add([]byte(promotionHead+promoting+"catalogue: tools.yaml\nirreversible: [Read]\n"), keys[0], catalogues[0])
	f.Fuzz(func(t *testing.T, src, key, catalogue []byte) {
		files := fstest.MapFS{
			"a.pub": {Data: key}, "evidence.pub": {Data: key}, "files/a.pub": {Data: key},
			"tools.yaml": {Data: catalogue}, "files/tools.yaml": {Data: catalogue},
		}
		file, err := policy.ParseFiles("a.yaml", src, files)
		if (file == nil) == (err == nil) {
			t.Fatalf("%v and %v", file, err)
		}
		if err != nil {
			problemsOf(t, err)
			return
		}
		if file.Promotion == nil {
			return
		}
		file.Lint()
		file.RunTests()
		p := file.Promotion
		for _, r := range []policy.PromotionResult{p.Decide(promotion.Inputs{}), p.Judge(skill(), nil), p.Judge(skill(), &promotion.Evidence{Inputs: allThere()})} {
			if r.Verdict != verdict.RouteToHuman || r.Terminal != promotion.NeedsHuman || !json.Valid(p.AppendResult(nil, nil, &r)) {
				t.Fatalf("%s", r.AppendJSON(nil))
			}
		}
		if r := p.Decide(allThere()); r.Verdict == verdict.AutoApply && len(p.Keys()) == 0 {
			t.Fatal("promoted alone without a key")
		}
	})
}
