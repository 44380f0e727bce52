package policy

import (
	"strconv"

	"github.com/pawlgate/pawl/threshold"
	"github.com/pawlgate/pawl/verdict"
)

// Version is the version of the program (https://semver.org).
const Version = "0.1.0"

// Engine names the program that decides, as it stands beside every decision.
const Engine = "pawl/" + Version

// AppendResult appends a decision as a JSON object with what it was made by:
// {"line", "id", "gate", "policy", "engine", "result"}. Line is left out if it
// is 0, id if it is nil.
func (t *Threshold) AppendResult(dst []byte, line int, id []byte, d *threshold.Decision) []byte {
	dst = appendResultHead(dst, line, id, t.prefix)
	return append(t.gate.AppendJSON(dst, d), '}')
}

// appendResultHead appends what stands before a result; prefix is its end,
// which is the same for all results of a gate.
func appendResultHead(dst []byte, line int, id, prefix []byte) []byte {
	dst = append(dst, '{')
	if line > 0 {
		dst = append(dst, `"line":`...)
		dst = strconv.AppendInt(dst, int64(line), 10)
		dst = append(dst, ',')
	}
	if id != nil {
		dst = append(dst, `"id":`...)
		dst = verdict.AppendString(dst, string(id))
		dst = append(dst, ',')
	}
	return append(dst, prefix...)
}
