package casegate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// DefaultLevel is the confidence level of intervals unless another one is asked
// for.
const DefaultLevel = 0.95

// EvaluationReport is what an evaluation found. What isn't defined, because
// there was no case of the kind, is nil, and left out in JSON.
type EvaluationReport struct {
	Cases int `json:"cases"`
	// Level is the confidence level of all intervals.
	Level float64 `json:"level"`
	// MissedEscalations are false negatives: labelled ESCALATE, but decided; of
	// all that are labelled ESCALATE.
	MissedEscalations Proportion `json:"missedEscalations"`
	// OverEscalations are false positives: labelled DECIDE, but escalated; of
	// all that are labelled DECIDE.
	OverEscalations Proportion `json:"overEscalations"`
	// CategoryAccuracy is how many have the category of their label, of those
	// that are labelled ESCALATE with a category and were escalated.
	CategoryAccuracy Proportion `json:"categoryAccuracy"`
	Confusion        Confusion  `json:"confusion"`
	// Brier is the mean squared distance of confidence_score from 1 for cases
	// labelled DECIDE and from 0 for the others.
	Brier *float64 `json:"brier,omitempty"`
	// Reliability has the ten tenths from 0 to 1.
	Reliability []ReliabilityBin `json:"reliability"`
	// CalibrationError (the expected calibration error) is the mean distance,
	// over all cases, of a bin's mean confidence from its share of DECIDE.
	CalibrationError *float64 `json:"expectedCalibrationError,omitempty"`
}

// Confusion counts cases by label and by answer.
type Confusion struct {
	// Given names the columns: the categories in the default order, and DECIDE.
	Given []string `json:"given"`
	// Rows has the same, with ESCALATE (no category labelled) before DECIDE.
	Rows []ConfusionRow `json:"rows"`
}

// ConfusionRow counts the cases of one label.
type ConfusionRow struct {
	Label  string `json:"label"`
	Counts []int  `json:"counts"` // in the order of Given
}

// ReliabilityBin has the cases whose confidence_score is From or more and less
// than To; the last bin has its end, too.
type ReliabilityBin struct {
	From           float64    `json:"from"`
	To             float64    `json:"to"`
	Cases          int        `json:"cases"`
	MeanConfidence *float64   `json:"meanConfidence,omitempty"`
	Decide         Proportion `json:"decide"` // those labelled DECIDE
}

// Report returns what was counted so far, with intervals at a confidence level
// between 0 and 1 such as [DefaultLevel].
func (e *Evaluation) Report(level float64) (*EvaluationReport, error) {
	if !(level > 0 && level < 1) {
		return nil, fmt.Errorf("the confidence level is %v: want one between 0 and 1, such as %v", level, DefaultLevel)
	}
	r := &EvaluationReport{Level: level, Confusion: Confusion{Given: slices.Clone(evaluationAnswers[:])}}
	var missed, escalations, right, labelled int
	for i, label := range evaluationLabels {
		row := ConfusionRow{Label: label, Counts: slices.Clone(e.counts[i][:])}
		r.Confusion.Rows = append(r.Confusion.Rows, row)
		sum := 0
		for _, n := range row.Counts {
			sum += n
		}
		r.Cases += sum
		decided := row.Counts[answerDecide]
		if i == labelDecide {
			r.OverEscalations = proportion(sum-decided, sum, level)
			continue
		}
		missed += decided
		escalations += sum
		if i < categories {
			right += row.Counts[i]
			labelled += sum - decided
		}
	}
	r.MissedEscalations = proportion(missed, escalations, level)
	r.CategoryAccuracy = proportion(right, labelled, level)
	distance := 0.0
	for i, b := range e.bins {
		bin := ReliabilityBin{From: binStart(i), To: binStart(i + 1), Cases: b.cases, Decide: proportion(b.decide, b.cases, level)}
		if b.cases > 0 {
			mean := b.confidence.over(b.cases)
			bin.MeanConfidence = &mean
			distance += math.Abs(mean-*bin.Decide.Share) * (float64(b.cases) / float64(r.Cases))
		}
		r.Reliability = append(r.Reliability, bin)
	}
	if r.Cases > 0 {
		brier := e.brier.over(r.Cases)
		r.Brier, r.CalibrationError = &brier, &distance
	}
	return r, nil
}

// Exceeds tells, in words, which limits aren't kept; nil is no limit.
//
// A limit is judged by the upper end of the interval that the report shows, not
// by the share that was seen: it is kept only when the cases show it, and too
// few cases, or none, keep none below 1. That end is the two-sided interval's; it
// is a little stricter than a one-sided bound of the same level, which is the
// end of an interval with twice the rest (a bound of 95 %: a level of 0.9).
func (r *EvaluationReport) Exceeds(maxFN, maxFP *float64) []string {
	var all []string
	for _, l := range []struct {
		limit      *float64
		rate       Proportion
		what, done string
		label      Action
	}{
		{maxFN, r.MissedEscalations, "missed escalations", "missed", Escalate},
		{maxFP, r.OverEscalations, "over-escalations", "escalated", Decide},
	} {
		if l.limit == nil || l.rate.Upper <= *l.limit { // no rate keeps NaN
			continue
		}
		level, limit := number(100*r.Level), number(100**l.limit)
		text := fmt.Sprintf("%s: %d of %d (%s), but up to %s by the %s %% interval: over the limit of %s %%",
			l.what, l.rate.Count, l.rate.Of, l.rate.Percent(), percent(l.rate.Upper, roundUp), level, limit)
		if l.rate.Of == 0 {
			text = fmt.Sprintf("%s: no case is labelled %s, so nothing keeps the limit of %s %%", l.what, l.label, limit)
		}
		switch need := casesFor(*l.limit, r.Level); {
		case math.IsInf(need, 1):
			text += "; no number of cases can show that"
		case float64(l.rate.Of) < need:
			text += fmt.Sprintf("; it takes %.0f or more cases labelled %s, with none %s", need, l.label, l.done)
		}
		all = append(all, text)
	}
	return all
}

// number writes a number for people, without the errors of arithmetic.
func number(f float64) string { return strconv.FormatFloat(f, 'g', 10, 64) }
