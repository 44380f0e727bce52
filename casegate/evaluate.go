package casegate

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// Label is what people say of a case: the answer that a gate should give.
type Label struct {
	Action   Action
	Category Category // of ESCALATE; empty: the label doesn't say
}

// Evaluation counts how a gate's answers compare with labels. The zero value
// has seen nothing. It is for one goroutine at a time and its size is fixed;
// several can share a stream and be added up at the end: the sum doesn't depend,
// to the last bit, on who saw what and in which order.
type Evaluation struct {
	counts [len(evaluationLabels)][len(evaluationAnswers)]int
	brier  exactSum // squared distances of the confidence from 1 (label DECIDE) or 0
	bins   [10]evaluationBin
}

// evaluationBin holds the cases whose confidence lies in one tenth.
type evaluationBin struct {
	cases, decide int // all, and those labelled DECIDE
	confidence    exactSum
}

// The columns of a confusion matrix are the categories, in the default order,
// and DECIDE. Its rows have one more: ESCALATE without a category.
var (
	evaluationAnswers = [...]string{
		string(PolicyViolation), string(MissingRequiredDocumentation), string(ConflictingSignals),
		string(ExternalDependency), string(BoundaryCondition), string(InsufficientConfidence), string(Decide),
	}
	evaluationLabels = [...]string{
		string(PolicyViolation), string(MissingRequiredDocumentation), string(ConflictingSignals),
		string(ExternalDependency), string(BoundaryCondition), string(InsufficientConfidence), string(Escalate), string(Decide),
	}
)

const (
	categories    = 6 // the first rows and columns
	labelEscalate = 6 // the row of labels without a category
	labelDecide   = 7 // the row,
	answerDecide  = 6 // and the column, of DECIDE
)

// Count counts one case. A label or an output that is none is refused, and
// leaves everything as it was.
func (e *Evaluation) Count(want Label, got *Output) error {
	row, err := want.row()
	if err != nil {
		return err
	}
	column, err := got.column()
	if err != nil {
		return err
	}
	e.counts[row][column]++
	target := 0.0
	if row == labelDecide {
		target = 1
	}
	e.brier.add((got.Confidence - target) * (got.Confidence - target))
	at := len(e.bins) - 1
	for at > 0 && got.Confidence < binStart(at) {
		at--
	}
	b := &e.bins[at]
	b.cases++
	b.decide += int(target)
	b.confidence.add(got.Confidence)
	return nil
}

// binStart is where a bin begins; the bin after it begins where it ends.
func binStart(i int) float64 { return float64(i) / 10 }

// row finds the row of a label.
func (l Label) row() (int, error) {
	at := slices.Index(evaluationLabels[:categories], string(l.Category))
	switch {
	case l.Action == Decide && l.Category == "":
		return labelDecide, nil
	case l.Action == Decide:
		return 0, fmt.Errorf("the label is DECIDE with the category %q: want none, or ESCALATE", l.Category)
	case l.Action != Escalate:
		return 0, fmt.Errorf("the label's action is %q: want DECIDE or ESCALATE", l.Action)
	case l.Category == "":
		return labelEscalate, nil
	case at < 0:
		return 0, fmt.Errorf("the label's category is %q: want one of the six, or none", l.Category)
	}
	return at, nil
}

// column finds the column of an output.
func (o *Output) column() (int, error) {
	if o == nil {
		return 0, fmt.Errorf("there is no output")
	}
	at := slices.Index(evaluationAnswers[:categories], string(o.Category))
	switch {
	case !(o.Confidence >= 0 && o.Confidence <= 1):
		return 0, fmt.Errorf("the output's confidence is %v: want a number from 0 to 1", o.Confidence)
	case o.Action == Decide && o.Category == "":
		return answerDecide, nil
	case o.Action != Escalate || at < 0:
		return 0, fmt.Errorf("the output is %q with the category %q: want DECIDE without one, or ESCALATE with one of the six", o.Action, o.Category)
	}
	return at, nil
}

// Add adds what another evaluation has counted.
func (e *Evaluation) Add(other *Evaluation) {
	for i := range e.counts {
		for j := range e.counts[i] {
			e.counts[i][j] += other.counts[i][j]
		}
	}
	e.brier.merge(other.brier)
	for i := range e.bins {
		e.bins[i].cases += other.bins[i].cases
		e.bins[i].decide += other.bins[i].decide
		e.bins[i].confidence.merge(other.bins[i].confidence)
	}
}

// exactSum adds up numbers from 0 to 1, each rounded to a multiple of 2⁻⁶², in
// whole numbers of 128 bits, so that the order doesn't matter.
type exactSum struct{ hi, lo uint64 }

const sumBits = 62

func (s *exactSum) add(f float64) {
	s.merge(exactSum{lo: uint64(math.RoundToEven(math.Ldexp(f, sumBits)))})
}

func (s *exactSum) merge(o exactSum) {
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, o.lo, 0)
	s.hi, _ = bits.Add64(s.hi, o.hi, carry)
}

// over divides the sum by n, which is not 0.
func (s exactSum) over(n int) float64 {
	sum := math.Ldexp(float64(s.hi), 64-sumBits) + math.Ldexp(float64(s.lo), -sumBits)
	return min(1, sum/float64(n))
}
