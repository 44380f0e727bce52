package policy_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"testing/fstest"

	"github.com/pawlgate/pawl/casegate"
	"github.com/pawlgate/pawl/policy"
	"github.com/pawlgate/pawl/verdict"
)

// Whatever stands in a case policy and in the schema that it names, it is
// refused with problems, or gives a gate that decides every input the same way
// twice, and nothing that is malformed.
func FuzzParseCase(f *testing.F) {
	var schemas [][]byte
	for _, name := range append(policyFiles(f, "testdata/check/files/*"), "testdata/cases/trade-case.schema.json") {
		schemas = append(schemas, readFile(f, name))
	}
	var seeds [][]byte
	for _, pattern := range []string{"testdata/cases/*.yaml", "testdata/lint/case-*", "testdata/check/case-*"} {
		for _, name := range policyFiles(f, pattern) {
			seeds = append(seeds, readFile(f, name))
		}
	}
	for i, seed := range seeds {
		f.Add(seed, schemas[i%len(schemas)], readFile(f, "testdata/cases/trade-clean.json"))
	}
	f.Add([]byte(plainCase+"case_schema: s.json\n"), []byte(`{"properties": {"facts": {"$ref": "#"}}}`), []byte(goodCase))
	f.Fuzz(func(t *testing.T, src, schema, input []byte) {
		files := fstest.MapFS{"trade-clean.json": {Data: input}}
		for _, name := range []string{"s.json", "trade-case.schema.json", "files/ok.json", "files/schema.json"} {
			files[name] = &fstest.MapFile{Data: schema}
		}
		file, err := policy.ParseFiles("a.yaml", src, files)
		if (file == nil) == (err == nil) {
			t.Fatalf("%v, %v", file, err)
		}
		if err != nil {
			problemsOf(t, err)
			return
		}
		if file.Case == nil {
			return
		}
		file.Lint()
		file.RunTests()
		for _, in := range [][]byte{input, []byte("{}"), append(bytes.Clone(input), 'x')} {
			id, r := file.Case.DecideJSON(in, 1, false)
			line := file.Case.AppendResult(nil, 1, id, &r)
			_, again := file.Case.DecideJSON(in, 1, false)
			if !json.Valid(line) || !bytes.Equal(r.AppendJSON(nil), again.AppendJSON(nil)) {
				t.Fatalf("%s\n%s", line, again.AppendJSON(nil))
			}
			if report := casegate.Validate(r.Output.AppendJSON(nil), nil); report.Malformed != "" || len(report.Schema) > 0 {
				t.Fatalf("%+v: %s", report, line)
			}
			malformed := file.Case.Read(in, 0).Err != nil
			if r.Verdict != verdict.RouteToHuman && (malformed || r.Output.Action != casegate.Decide || !json.Valid(in)) {
				t.Fatalf("%s", line)
			}
			if _, s := file.Case.DecideJSON(in, 1, true); s.Verdict != verdict.RouteToHuman {
				t.Fatalf("supervised: %s", s.AppendJSON(nil))
			}
		}
	})
}
