package main

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
)

// results are all measurements of one file.
type results struct {
	config map[string]string
	names  []string // in the order of the file
	values map[key][]float64
}

// key is a benchmark, without Benchmark and without the number of cores, and
// a unit.
type key struct{ name, unit string }

func readResults(file string) (*results, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := &results{config: map[string]string{}, values: map[key][]float64{}}
	seen := map[string]bool{}
	in := benchfmt.NewReader(f, file)
	for in.Scan() {
		switch rec := in.Result().(type) {
		case *benchfmt.SyntaxError:
			return nil, rec
		case *benchfmt.Result:
			name := plainName(string(rec.Name.Full()))
			if !seen[name] {
				seen[name] = true
				r.names = append(r.names, name)
			}
			for _, c := range rec.Config {
				if c.File {
					r.config[c.Key] = string(c.Value)
				}
			}
			for _, v := range rec.Values {
				if v.OrigUnit == nsPerOp { // as printed: in seconds, 100 ns isn't quite 100e-9
					v.Value, v.Unit = v.OrigValue, nsPerOp
				}
				k := key{name, v.Unit}
				r.values[k] = append(r.values[k], v.Value)
			}
		}
	}
	if err := in.Err(); err != nil {
		return nil, err
	}
	if len(r.names) == 0 {
		return nil, fmt.Errorf("%s holds no results", file)
	}
	return r, nil
}

// plainName drops the "-2" that go test appends when it uses two cores.
func plainName(full string) string {
	i := strings.LastIndexByte(full, '-')
	if i > 0 && strings.Trim(full[i+1:], "0123456789") == "" && i+1 < len(full) {
		return full[:i]
	}
	return full
}

// summary is the median and its confidence interval, as benchstat has them.
func (r *results) summary(name, unit string) (benchmath.Summary, bool) {
	values := r.values[key{name, unit}]
	if len(values) == 0 {
		return benchmath.Summary{}, false
	}
	sample := benchmath.NewSample(append([]float64(nil), values...), &benchmath.DefaultThresholds)
	return benchmath.AssumeNothing.Summary(sample, 0.95), true
}

func (r *results) median(name, unit string) (float64, bool) {
	s, ok := r.summary(name, unit)
	return s.Center, ok
}

// fastest is the benchmark with the least median time among those whose name
// is prefix, anything, suffix.
func (r *results) fastest(prefix, suffix string) (name string, ns float64, ok bool) {
	for _, n := range r.names {
		if !strings.HasPrefix(n, prefix) || !strings.HasSuffix(n, suffix) {
			continue
		}
		if m, has := r.median(n, nsPerOp); has && (!ok || m < ns) {
			name, ns, ok = n, m, true
		}
	}
	return name, ns, ok
}
