package main

import (
	"fmt"
	"strings"
)

// report writes everything as Markdown.
func (r *results) report() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s.\n%s. Medians, with the 95 %% interval of the median after ±.\n", r.machine(), r.config["peers"])
	r.writeBars(&b)
	r.writeMicro(&b, "In memory", "Decide/", "Decide/pawl/reused")
	r.writeMicro(&b, "From JSON", "JSON/", "JSON/pawl/fixture")
	r.writeCases(&b)
	r.writeStream(&b)
	r.writeStore(&b)
	return b.String()
}

func (r *results) machine() string {
	parts := []string{r.config["go"], r.config["goos"] + "/" + r.config["goarch"]}
	for _, key := range []string{"cpu", "cores", "commit"} {
		if v := r.config[key]; v != "" {
			parts = append(parts, key+" "+v)
		}
	}
	return strings.Join(parts, ", ")
}

func (r *results) writeBars(b *strings.Builder) {
	b.WriteString("\n| bar | measured | |\n|---|---|---|\n")
	for _, bar := range bars {
		a := bar.measure(r)
		text, mark := a.text, "**missed**"
		switch {
		case !a.known:
			text, mark = "", "not measured"
		case a.met:
			mark = "met"
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", bar.promise, text, mark)
	}
}

// writeMicro writes a table of the benchmarks with that prefix; times are
// also given as multiples of ours.
func (r *results) writeMicro(b *strings.Builder, title, prefix, ours string) {
	var names []string
	for _, n := range r.names {
		if short, ok := strings.CutPrefix(n, prefix); ok && strings.HasSuffix(n, "/"+forms[0]) {
			names = append(names, strings.TrimSuffix(short, "/"+forms[0]))
		}
	}
	if len(names) == 0 {
		return
	}
	base := strings.TrimPrefix(ours, prefix)
	fmt.Fprintf(b, "\n**%s**\n\n| | clear | × %s | mixed | × %s | allocs |\n|---|--:|--:|--:|--:|--:|\n", title, base, base)
	for _, n := range names {
		fmt.Fprintf(b, "| %s |", n)
		for _, form := range forms {
			fmt.Fprintf(b, " %s | %s |", r.time(prefix+n+"/"+form), r.times(prefix+n+"/"+form, ours+"/"+form))
		}
		allocs, _ := r.median(prefix+n+"/"+forms[1], allocsPerOp)
		fmt.Fprintf(b, " %g |\n", allocs)
	}
}

func (r *results) time(name string) string {
	s, ok := r.summary(name, nsPerOp)
	if !ok {
		return ""
	}
	return nanoseconds(s.Center) + " ±" + strings.TrimSpace(s.PctRangeString())
}

func (r *results) times(name, ours string) string {
	theirs, ok := r.median(name, nsPerOp)
	mine, also := r.median(ours, nsPerOp)
	if !ok || !also {
		return ""
	}
	return fmt.Sprintf("%.2f", theirs/mine)
}

func (r *results) writeStream(b *strings.Builder) {
	started := false
	for _, name := range r.names {
		short, ok := strings.CutPrefix(name, "Stream/")
		if !ok {
			continue
		}
		if !started {
			b.WriteString("\n**Stream**\n\n| | lines/s | peak memory | peak memory, 1 GB |\n|---|--:|--:|--:|\n")
			started = true
		}
		speed, _ := r.summary(name, linesPerSec)
		peak, _ := r.median(name, peakBytesOf)
		big := ""
		if p, ok := r.median("StreamBig/"+short, peakBytesOf); ok {
			big = megabytes(p)
		}
		fmt.Fprintf(b, "| %s | %.2f M ±%s | %s | %s |\n", short, speed.Center/1e6, strings.TrimSpace(speed.PctRangeString()), megabytes(peak), big)
	}
}

// casePrefix is what the benchmarks of the case gate begin with.
const casePrefix = "Case/"

// writeCases writes what is measured of the case gate, and its yardsticks.
func (r *results) writeCases(b *strings.Builder) {
	started := false
	for _, name := range r.names {
		short, ok := strings.CutPrefix(name, casePrefix)
		if !ok {
			continue
		}
		if !started {
			b.WriteString("\n**Cases, on one core**\n\n| | a case | cases/s | allocs |\n|---|--:|--:|--:|\n")
			started = true
		}
		speed, _ := r.median(name, casesPerSec)
		allocs, _ := r.median(name, allocsPerOp)
		fmt.Fprintf(b, "| %s | %s | %.0f | %g |\n", short, r.time(name), speed, allocs)
	}
}
