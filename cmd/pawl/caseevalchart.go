package main

import (
	"fmt"
	"strconv"

	"github.com/pawlgate/pawl/casegate"
)

// heatMap is a confusion matrix as a picture, 360 units wide.
type heatMap struct {
	Summary       string
	Height        string
	Columns, Rows []heatLabel
	Cells         []heatCell
}

// heatLabel names a row or a column.
type heatLabel struct{ X, Y, Text string }

// heatCell is one count: a box, and the number in its middle.
type heatCell struct {
	X, Y, TextX, TextY string
	Meaning            string // right, category, over or missed
	Opacity            string
	Text               string // empty: none
}

// Where things are in a heat map. A gap sets DECIDE apart.
const (
	heatLeft   = 53.0
	heatTop    = 22.0
	heatWidth  = 42.0
	heatHeight = 30.0
	heatGap    = 8.0
)

// heat draws a confusion matrix. A cell is the darker, the more of its row it
// has; the missed ones are dark anyway.
func heat(r *casegate.EvaluationReport) heatMap {
	c := r.Confusion
	h := heatMap{
		Summary: fmt.Sprintf("confusion matrix: %s; %d escalations missed, %d cases escalated without need, category right %d of %d",
			evalCases(r), r.MissedEscalations.Count, r.OverEscalations.Count, r.CategoryAccuracy.Count, r.CategoryAccuracy.Of),
		Height: coordinate(heatTop + float64(len(c.Rows))*heatHeight + heatGap + 2),
	}
	x := func(j int) float64 {
		at := heatLeft + float64(j)*heatWidth
		if c.Given[j] == string(casegate.Decide) {
			at += heatGap
		}
		return at
	}
	for j, given := range c.Given {
		h.Columns = append(h.Columns, heatLabel{coordinate(x(j) + heatWidth/2), coordinate(heatTop - 7), shortLabel(given)})
	}
	for i, row := range c.Rows {
		y := heatTop + float64(i)*heatHeight
		if row.Label == string(casegate.Decide) {
			y += heatGap
		}
		name := shortLabel(row.Label)
		if name == string(casegate.Escalate) {
			name = "ESC"
		}
		h.Rows = append(h.Rows, heatLabel{coordinate(heatLeft - 5), coordinate(y + heatHeight/2 + 4), name})
		sum := 0
		for _, n := range row.Counts {
			sum += n
		}
		for j, n := range row.Counts {
			cell := heatCell{
				X: coordinate(x(j)), Y: coordinate(y),
				TextX: coordinate(x(j) + heatWidth/2), TextY: coordinate(y + heatHeight/2 + 4),
				Meaning: confusionMeaning(row.Label, c.Given[j]), Opacity: "0",
			}
			if n > 0 {
				cell.Text = compact(n)
				cell.Opacity = coordinate(0.2 + 0.3*float64(n)/float64(sum))
				if cell.Meaning == "missed" { // each of them counts
					cell.Opacity = coordinate(0.5)
				}
			}
			h.Cells = append(h.Cells, cell)
		}
	}
	return h
}

// confusionMeaning says what a cell of a confusion matrix counts.
func confusionMeaning(label, given string) string {
	switch {
	case label == given, label == string(casegate.Escalate) && given != string(casegate.Decide):
		return "right"
	case given == string(casegate.Decide):
		return "missed"
	case label == string(casegate.Decide):
		return "over"
	default:
		return "category"
	}
}

// compact writes a count in at most five characters or so: 9,999, 12k, 3.4M.
func compact(n int) string {
	switch {
	case n < 10_000:
		return thousands(n)
	case n < 1_000_000:
		return strconv.Itoa(n/1000) + "k"
	default:
		return strconv.FormatFloat(float64(n/100_000)/10, 'f', -1, 64) + "M"
	}
}

// reliabilityChart shows, for each tenth of the confidence, the share of cases
// that are labelled DECIDE with its interval, and below how many cases it has.
type reliabilityChart struct {
	Summary string
	Ticks   []chartTick
	Points  []reliabilityPoint
	Bars    []chartBar
	Top     string // the tallest bar's count
}

// chartTick is a value on both axes.
type chartTick struct{ X, Y, TextY, Text, Anchor string }

// reliabilityPoint is a share, with its interval from Low up to High.
type reliabilityPoint struct {
	X, Y, Low, High string
	CapLeft, CapEnd string
	Meaning         string // sure, unsure or fits
}

// Where things are in a reliability diagram, 360 units wide: the bars end at
// the bottom, and shares are above them.
const (
	reliabilityLeft   = 36.0
	reliabilityRight  = 348.0
	reliabilityTop    = 22.0
	reliabilityBottom = 222.0
	barsTop           = 236.0
	barsBottom        = 276.0
)

func reliabilityX(v float64) float64 {
	return reliabilityLeft + v*(reliabilityRight-reliabilityLeft)
}

func reliabilityY(v float64) float64 {
	return reliabilityBottom - v*(reliabilityBottom-reliabilityTop)
}

// drawReliability draws the diagram. A point whose interval lies wholly below
// the diagonal is one where the gate is too sure.
func drawReliability(r *casegate.EvaluationReport) reliabilityChart {
	var c reliabilityChart
	for _, v := range []float64{0, 0.25, 0.5, 0.75, 1} {
		t := chartTick{X: coordinate(reliabilityX(v)), Y: coordinate(reliabilityY(v)), TextY: coordinate(reliabilityY(v) + 4), Text: short(v), Anchor: "middle"}
		c.Ticks = append(c.Ticks, t)
	}
	most, sure, unsure, points := 0, 0, 0, 0
	for _, b := range r.Reliability {
		most = max(most, b.Cases)
	}
	for _, b := range r.Reliability {
		if b.MeanConfidence == nil {
			continue
		}
		points++
		x := reliabilityX(*b.MeanConfidence)
		p := reliabilityPoint{
			X: coordinate(x), Y: coordinate(reliabilityY(*b.Decide.Share)),
			Low: coordinate(reliabilityY(b.Decide.Lower)), High: coordinate(reliabilityY(b.Decide.Upper)),
			CapLeft: coordinate(x - 4), CapEnd: coordinate(x + 4), Meaning: "fits",
		}
		switch {
		case b.Decide.Upper < *b.MeanConfidence:
			p.Meaning = "sure"
			sure++
		case b.Decide.Lower > *b.MeanConfidence:
			p.Meaning = "unsure"
			unsure++
		}
		c.Points = append(c.Points, p)
		height := max(0.75, float64(b.Cases)/float64(most)*(barsBottom-barsTop))
		c.Bars = append(c.Bars, chartBar{
			X: coordinate(reliabilityX(b.From) + 0.5), Y: coordinate(barsBottom - height),
			Width: coordinate(reliabilityX(b.To) - reliabilityX(b.From) - 1), Height: coordinate(height), Band: "count",
		})
	}
	c.Summary = fmt.Sprintf("%d of 10 bins have cases; in %d of them the gate is surer than the labels bear out, in %d less sure than it could be", points, sure, unsure)
	if most > 0 {
		c.Top = thousands(most)
	}
	return c
}
