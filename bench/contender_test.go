package bench

import (
	"slices"
	"testing"

	"github.com/pawlgate/pawl/threshold"
)

// inputs are what is measured: the one clear input, and the mixture.
var inputs = []struct {
	name  string
	cases []Case
}{
	{"clear", []Case{Clear}},
	{"mixed", Cases},
}

func TestContendersAgree(t *testing.T) {
	if len(Cases) != 64 {
		t.Errorf("the mixture has %d cases, not 64", len(Cases))
	}
	for _, in := range inputs {
		for _, list := range []struct {
			name string
			make maker
		}{{"memory", Memory}, {"json", JSON}} {
			contenders, err := list.make(in.cases)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range contenders {
				t.Run(in.name+"/"+list.name+"/"+c.Name, func(t *testing.T) {
					// Twice: what is reused must not remember.
					for range 2 {
						if err := c.Check(in.cases); err != nil {
							t.Fatal(err)
						}
					}
				})
			}
		}
	}
}

// Ours says why as well; a number without the work would be no number.
func TestPawlGivesAllReasons(t *testing.T) {
	gate, err := threshold.Compile(gatePolicy())
	if err != nil {
		t.Fatal(err)
	}
	d := gate.Decide(signals(Cases[63:])[0])
	var codes []string
	for _, r := range d.Reasons {
		codes = append(codes, r.String())
	}
	want := []string{
		"band_low:fraud_ok", "band_low:text_ok",
		"rule_route_to_human:vip", "rule_route_to_human:unlinked", "rule_route_to_human:text-doubt",
	}
	if !slices.Equal(codes, want) {
		t.Errorf("reasons %v, want %v", codes, want)
	}
}

func BenchmarkDecide(b *testing.B) { run(b, Memory) }

func BenchmarkJSON(b *testing.B) { run(b, JSON) }

func run(b *testing.B, list maker) {
	for _, in := range inputs {
		contenders, err := list(in.cases)
		if err != nil {
			b.Fatal(err)
		}
		for _, c := range contenders {
			b.Run(c.Name+"/"+in.name, func(b *testing.B) {
				if err := c.Check(in.cases); err != nil {
					b.Fatal(err)
				}
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					c.Decide(i)
					if i++; i == len(in.cases) {
						i = 0
					}
				}
			})
		}
	}
}
