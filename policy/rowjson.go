package policy

import (
	"fmt"

	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/threshold"
	"github.com/pawlgate/pawl/verdict"
)

// AppendJSON appends a row as an envelope, {"id", "signals"}, that is decided as
// the row is: for keeping rows where inputs are JSON. A row that is
// input_malformed, or that has something else than a flag in a flag's column, has
// no such form, and is an error.
func (t *Threshold) AppendJSON(dst []byte, c *Columns, cells [][]byte) ([]byte, error) {
	d := &Decider{t: t, whole: true}
	d.keepSignals()
	if err := d.row(c, cells); err != nil {
		return dst, err
	}
	start := len(dst)
	dst = append(dst, '{')
	if d.id != nil {
		dst = append(verdict.AppendString(append(dst, `"id":`...), string(d.id)), ',')
	}
	dst = append(dst, `"signals":{`...)
	var flags, scores, meta []byte
	name := func(list []byte, col *column) []byte {
		if len(list) > 0 {
			list = append(list, ',')
		}
		return append(verdict.AppendString(list, col.name), ':')
	}
	for i, cell := range cells {
		col := &c.fields[i]
		switch text := string(cell); {
		case text == "" || col.id || col.typ == "":
		case col.typ == threshold.TypeFlag:
			switch text {
			case "1", "true":
				if len(flags) > 0 {
					flags = append(flags, ',')
				}
				flags = verdict.AppendString(flags, col.name)
			case "0", "false":
			default:
				return dst[:start], fmt.Errorf("the flag %s must be 1, 0, true or false", col.name)
			}
		case col.typ == threshold.TypeScore:
			scores = appendCell(name(scores, col), text, source.IsNumber(text))
		case col.typ == threshold.TypeNumber || col.typ == threshold.TypeInteger:
			meta = appendCell(name(meta, col), text, source.IsNumber(text))
		default:
			meta = appendCell(name(meta, col), text, col.typ == threshold.TypeBoolean && (text == "true" || text == "false"))
		}
	}
	comma := false
	for _, part := range []struct {
		open string
		list []byte
		end  byte
	}{{`"scores":{`, scores, '}'}, {`"flags":[`, flags, ']'}, {`"meta":{`, meta, '}'}} {
		if len(part.list) == 0 {
			continue
		}
		if comma {
			dst = append(dst, ',')
		}
		comma = true
		dst = append(append(append(dst, part.open...), part.list...), part.end)
	}
	return append(dst, "}}"...), nil
}

// appendCell appends a cell as it stands, or as a string.
func appendCell(dst []byte, text string, literal bool) []byte {
	if literal {
		return append(dst, text...)
	}
	return verdict.AppendString(dst, text)
}
