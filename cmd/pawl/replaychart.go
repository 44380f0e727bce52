package main

import (
	"fmt"
	"math"
	"strconv"

	"github.com/pawlgate/pawl/policy"
)

// Where things are in a chart, in the units of its viewBox.
const (
	chartWidth  = 360.0
	plotLeft    = 10.0
	plotRight   = 350.0
	plotTop     = 34.0
	plotBottom  = 134.0
	maxBars     = 64
	clipQuantum = 0.005 // on each side, if the rest would be squeezed
)

// chart is the histogram of one score as one policy bands it.
type chart struct {
	Title, Summary string // the summary stands for the picture where there is none
	Bars           []chartBar
	Bounds         []chartBound
	Min, Max       string // of the horizontal axis
	Top            string // the tallest bar's count
	Clipped        string // what lies outside, if anything
}

// chartBar is one band's part of a bar.
type chartBar struct {
	X, Y, Width, Height string
	Band                string
}

// chartBound is a bound of a band: a line with a label.
type chartBound struct {
	X, LabelX, LabelY string
	Anchor, Label     string
}

// axis maps values to places, in bars of equal width.
type axis struct {
	lo, hi float64 // multiples of width
	width  float64 // of a bar
}

func (a axis) x(v float64) float64 {
	v = max(a.lo, min(v, a.hi))
	return plotLeft + (v-a.lo)/(a.hi-a.lo)*(plotRight-plotLeft)
}

// newAxis chooses what the charts of a score show: all values and bounds, or
// the middle 99 % of the values if the others are far away.
func newAxis(s *policy.ReplayScore) axis {
	var bounds []float64
	for _, b := range []*policy.BandBounds{s.Old, s.New} {
		if b != nil {
			bounds = append(bounds, b.HighMin, b.ReviewMin)
		}
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, b := range bounds {
		lo, hi = min(lo, drawable(b)), max(hi, drawable(b))
	}
	width := 0.0
	if n := len(s.Bins); n > 0 {
		width = s.Bins[0].To - s.Bins[0].From
		first, last := drawable(s.Bins[0].From), drawable(s.Bins[n-1].To)
		from, to := middle(s.Bins)
		if last-first > 4*(max(to, hi)-min(from, lo)) {
			first, last = from, to
		}
		lo, hi = min(lo, first), max(hi, last)
	}
	if !(hi-lo > tiny) { // one value, or none
		width = max(width, math.Ldexp(1, int(math.Ceil(math.Log2(math.Abs(lo)+1)))-10))
		lo, hi = lo-width, hi+width
	}
	width = max(width, math.Ldexp(1, int(math.Floor(math.Log2((hi-lo)/maxBars)))))
	for (hi-lo)/width > maxBars {
		width *= 2
	}
	a := axis{lo: math.Floor(lo/width) * width, hi: math.Ceil(hi/width) * width, width: width}
	if a.hi == hi && hi == bounds[0] { // a bound at the very edge stays visible
		a.hi += width
	}
	return a
}

// tiny is a distance that is none to the eye, whatever stands beside it.
const tiny = 1e-290

// drawable bounds what is on an axis, so that distances stay finite.
func drawable(f float64) float64 {
	const most = 1e300
	return max(-most, min(f, most))
}

// middle returns the ends of the bins without the outermost values.
func middle(bins []policy.Bin) (from, to float64) {
	total := 0
	for _, b := range bins {
		total += b.Items
	}
	skip := int(clipQuantum * float64(total))
	i, j := 0, len(bins)-1
	for n := bins[i].Items; n <= skip; n += bins[i].Items {
		i++
	}
	for n := bins[j].Items; n <= skip; n += bins[j].Items {
		j--
	}
	return bins[i].From, bins[max(i, j)].To
}

// charts draws the histogram of a score under the old policy and under the new.
func charts(s *policy.ReplayScore) []chart {
	a := newAxis(s)
	var all []chart
	for i, bounds := range []*policy.BandBounds{s.Old, s.New} {
		title := []string{"old", "new"}[i]
		if bounds == nil {
			all = append(all, chart{Title: title, Summary: "this policy has no band for " + s.Score})
			continue
		}
		c := chart{Title: title}
		c.Min, c.Max = ends(a.lo, a.hi)
		total := c.draw(a, s.Bins, func(b *policy.Bin) policy.BandCounts {
			if i == 0 {
				return b.Old
			}
			return b.New
		})
		c.bound(a, "highMin", bounds.HighMin, 12)
		if bounds.ReviewMin != bounds.HighMin {
			c.bound(a, "reviewMin", bounds.ReviewMin, 26)
		}
		c.Summary = fmt.Sprintf("high (from %s) %s, review (from %s) %s, low %s, no value %s",
			short(bounds.HighMin), thousands(total.High), short(bounds.ReviewMin), thousands(total.Review), thousands(total.Low), thousands(s.NoValue))
		all = append(all, c)
	}
	return all
}

// draw makes the bars and returns how many values each band has.
func (c *chart) draw(a axis, bins []policy.Bin, side func(*policy.Bin) policy.BandCounts) (total policy.BandCounts) {
	n := int(math.Round((a.hi - a.lo) / a.width))
	bars := make([]policy.BandCounts, n)
	below, above := 0, 0
	for i := range bins {
		counts := side(&bins[i])
		total.Low += counts.Low
		total.Review += counts.Review
		total.High += counts.High
		at := (bins[i].From - a.lo) / a.width // a float: it may be beyond any integer
		switch {
		case bins[i].From < a.lo:
			below += bins[i].Items
		case !(at < float64(n)):
			above += bins[i].Items
		default:
			at := int(at)
			bars[at].Low += counts.Low
			bars[at].Review += counts.Review
			bars[at].High += counts.High
		}
	}
	if below+above > 0 {
		c.Clipped = fmt.Sprintf("outside of the picture: %s below, %s above", thousands(below), thousands(above))
	}
	most := 0
	for _, b := range bars {
		most = max(most, b.Low+b.Review+b.High)
	}
	if most > 0 {
		c.Top = thousands(most)
	}
	width := (plotRight - plotLeft) / float64(n)
	for i, b := range bars {
		y := plotBottom
		for _, part := range []struct {
			band string
			n    int
		}{{"low", b.Low}, {"review", b.Review}, {"high", b.High}} {
			if part.n == 0 {
				continue
			}
			height := max(0.75, float64(part.n)/float64(most)*(plotBottom-plotTop))
			y -= height
			c.Bars = append(c.Bars, chartBar{
				X: coordinate(plotLeft + float64(i)*width), Y: coordinate(y),
				Width: coordinate(max(0.5, width-0.75)), Height: coordinate(height), Band: part.band,
			})
		}
	}
	return total
}

func (c *chart) bound(a axis, name string, v, labelY float64) {
	x := a.x(v)
	b := chartBound{X: coordinate(x), LabelX: coordinate(x + 3), LabelY: coordinate(labelY), Anchor: "start", Label: name + " " + short(v)}
	if x > chartWidth/2 {
		b.LabelX, b.Anchor = coordinate(x-3), "end"
	}
	c.Bounds = append(c.Bounds, b)
}

func coordinate(f float64) string { return strconv.FormatFloat(f, 'f', 2, 64) }

// short writes a number for people.
func short(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// rough is short enough to stand beside others.
func rough(f float64) string { return strconv.FormatFloat(f, 'g', 3, 64) }

// ends writes the ends of an axis, with as few digits as tell them apart.
func ends(lo, hi float64) (string, string) {
	for digits := 3; ; digits++ {
		a, b := strconv.FormatFloat(lo, 'g', digits, 64), strconv.FormatFloat(hi, 'g', digits, 64)
		if a != b || digits == 17 {
			return a, b
		}
	}
}
