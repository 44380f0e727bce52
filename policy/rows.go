package policy

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/threshold"
	"github.com/pawlgate/pawl/verdict"
)

// Columns says how the columns of a table (CSV) feed a gate: by the names that
// the policy declares. It is immutable and safe for concurrent use.
type Columns struct {
	t      *Threshold
	fields []column
	// Ignored lists the columns that nothing reads, Missing the banded scores
	// that have no column, in order.
	Ignored, Missing []string
}

type column struct {
	name string
	typ  threshold.SignalType // empty: ignored
	id   bool
}

// Columns maps a header to the policy's signals. It fails if the policy
// declares none, if a column that matters stands there twice, or if a declared
// flag has no column and isn't among those that the caller says are never set:
// otherwise a misspelt header would read as a flag that nobody raised.
func (t *Threshold) Columns(header []string, neverSet ...string) (*Columns, error) {
	if t.policy.Signals == nil {
		return nil, fmt.Errorf("a table needs a policy that declares its signals: its columns are mapped by their names")
	}
	c := &Columns{t: t}
	for i, name := range header {
		s, declared := t.policy.Signals[name]
		col := column{name: name, typ: s.Type, id: name == "id" && !declared}
		switch {
		case (declared || col.id) && slices.Contains(header[:i], name):
			return nil, fmt.Errorf("column %q stands in the header twice", name)
		case !declared && !col.id:
			c.Ignored = append(c.Ignored, name)
		}
		c.fields = append(c.fields, col)
	}
	for _, name := range sortedKeys(t.policy.Signals) {
		if t.policy.Signals[name].Type == threshold.TypeFlag && !slices.Contains(header, name) && !slices.Contains(neverSet, name) {
			return nil, fmt.Errorf("no column for the flag %s, which the policy declares", name)
		}
	}
	for _, name := range neverSet {
		if t.policy.Signals[name].Type != threshold.TypeFlag || slices.Contains(header, name) {
			return nil, fmt.Errorf("%q is not a flag of the policy without a column", name)
		}
	}
	for _, name := range sortedKeys(t.policy.Bands) {
		if !slices.Contains(header, name) {
			c.Missing = append(c.Missing, name)
		}
	}
	return c, nil
}

// DecideRow decides one row of a table. Like DecideJSON it always decides; a
// row of another length than the header, or one that isn't UTF-8, is
// input_malformed. An empty cell is an absent signal.
func (d *Decider) DecideRow(dst *threshold.Decision, c *Columns, cells [][]byte) Envelope {
	d.reset()
	if err := d.row(c, cells); err != nil {
		d.malformed(err.Error())
	}
	d.decide(dst)
	return Envelope{ID: d.id}
}

// RowSignals reads a row whole, as Signals does for JSON.
func (t *Threshold) RowSignals(c *Columns, cells [][]byte) threshold.Signals {
	d := &Decider{t: t, whole: true}
	d.keepSignals()
	if err := d.row(c, cells); err != nil {
		d.malformed(err.Error())
	}
	return d.signals
}

// DecideMalformed decides an input that isn't even readable as a line or row.
func (d *Decider) DecideMalformed(dst *threshold.Decision, why string) {
	d.reset()
	d.malformed(why)
	d.decide(dst)
}

func (d *Decider) row(c *Columns, cells [][]byte) error {
	if len(cells) == 1 && len(cells[0]) == 0 && len(c.fields) != 1 {
		return fmt.Errorf("%d:1: the line is blank", max(1, d.scan.Line))
	}
	if len(cells) != len(c.fields) {
		return fmt.Errorf("%d:1: the row has %d cells, the header %d", max(1, d.scan.Line), len(cells), len(c.fields))
	}
	for i, cell := range cells {
		col := &c.fields[i]
		switch {
		case !utf8.Valid(cell):
			return fmt.Errorf("%d:1: column %q isn't valid UTF-8", max(1, d.scan.Line), col.name)
		case len(cell) == 0:
		case col.id:
			d.id = cell
		case col.typ != "":
			d.cell(col, cell)
		}
	}
	return nil
}

func (d *Decider) cell(col *column, cell []byte) {
	switch col.typ {
	case threshold.TypeScore:
		if !source.IsNumber(string(cell)) {
			d.fault(verdict.ScoreNotNumber, col.name, "score "+col.name+" is a string, not a number")
			return
		}
		n := source.ParseNumber(cell)
		switch {
		case n.Inexact || n.IsInt && !threshold.Exact(n.Int):
			d.fault(verdict.NumberInexact, col.name, "score "+col.name+" can't be held exactly")
		case d.slots != nil:
			d.slots.SetNamedScore([]byte(col.name), n.Float)
		default:
			d.signals.Scores[col.name] = n.Float
		}
	case threshold.TypeFlag:
		switch string(cell) {
		case "1", "true":
			d.setFlag([]byte(col.name))
		case "0", "false":
		default:
			d.fault(verdict.SignalType, col.name, "flag "+col.name+" must be 1, 0, true or false")
		}
	default:
		d.setCell(col, cell)
	}
}

// setCell keeps the value of a meta signal. A cell that isn't what was
// declared stays a string, which the gate then finds to be of the wrong type.
func (d *Decider) setCell(col *column, cell []byte) {
	f, v := threshold.Field{Kind: threshold.KindString}, any(nil)
	switch col.typ {
	case threshold.TypeNumber, threshold.TypeInteger:
		if source.IsNumber(string(cell)) {
			f = numberField(cell)
		}
	case threshold.TypeBoolean:
		if s := string(cell); s == "true" || s == "false" {
			f, v = threshold.Field{Kind: threshold.KindBool}, s == "true"
		}
	}
	if d.slots != nil {
		if slot, ok := d.slots.MetaSlot([]byte(col.name)); ok {
			d.slots.SetMeta(slot, f)
		}
		return
	}
	switch f.Kind {
	case threshold.KindInexact:
		d.metaFault(verdict.NumberInexact, col.name, "meta."+col.name+" is "+f.Kind.String())
		v = threshold.Inexact{}
	case threshold.KindInt:
		v = f.Int
	case threshold.KindFloat:
		v = f.Float
	case threshold.KindString:
		v = string(cell)
	}
	d.setMeta(col.name, v)
}
