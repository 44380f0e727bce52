package conformance

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pawlgate/pawl/vectors"
)

// Check compares an answer with what a vector expects and returns what is
// wrong with it, nothing if it is right.
func Check(v *vectors.Vector, a *Answer) []string {
	var wrong []string
	fail := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	if a.ID != v.ID() {
		fail("the answer is to %q", a.ID)
		return wrong
	}
	want := &v.Expect
	if a.Verdict != want.Verdict {
		fail("verdict is %s, want %s", orNone(a.Verdict), want.Verdict)
	}
	if want.Bands != nil && !maps.Equal(a.Bands, want.Bands) {
		fail("bands are %s, want %s", listBands(a.Bands), listBands(want.Bands))
	}
	if want.Codes != nil && !slices.Equal(a.Codes, want.Codes) {
		fail("codes are %s, want %s", listCodes(a.Codes), listCodes(want.Codes))
	}
	if want.Risk != nil && a.Risk != nil && *a.Risk != *want.Risk {
		fail("risk is %s, want %s", orNone(*a.Risk), orNone(*want.Risk))
	}
	if want.PolicyInvalid && !slices.Contains(a.Codes, "policy_invalid") {
		fail("the policy is invalid and was not refused")
	}
	return wrong
}

func listBands(bands map[string]string) string {
	list := make([]string, 0, len(bands))
	for _, name := range slices.Sorted(maps.Keys(bands)) {
		list = append(list, name+" "+bands[name])
	}
	return orNone(strings.Join(list, ", "))
}

func listCodes(codes []string) string { return orNone(strings.Join(codes, ", ")) }

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
