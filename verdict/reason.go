package verdict

// Code names a reason or a fault. Codes are stable and compared by programs;
// messages are for people and may change.
type Code string

// Source says which part of a gate gave a reason.
type Source string

// The sources of a reason.
const (
	SourceBand   Source = "band"   // a score and the band it fell in
	SourceRule   Source = "rule"   // a rule that fired
	SourceSafety Source = "safety" // a check that can only raise supervision
)

// Reason is one of the things that shaped a verdict.
type Reason struct {
	Code    Code   `json:"code"`
	Message string `json:"message"` // for people; not part of conformance
	Source  Source `json:"source"`
	Subject string `json:"subject,omitempty"` // the score, rule or signal it is about
}

// String returns the reason as "code" or "code:subject", the form that policy
// tests and vectors use.
func (r Reason) String() string {
	if r.Subject == "" {
		return string(r.Code)
	}
	return string(r.Code) + ":" + r.Subject
}

// AppendJSON appends r as a JSON object, members in the order of the struct.
// The bytes are the same for the same reason, always.
func (r Reason) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"code":`...)
	dst = AppendString(dst, string(r.Code))
	dst = append(dst, `,"message":`...)
	dst = AppendString(dst, r.Message)
	dst = append(dst, `,"source":`...)
	dst = AppendString(dst, string(r.Source))
	if r.Subject != "" {
		dst = append(dst, `,"subject":`...)
		dst = AppendString(dst, r.Subject)
	}
	return append(dst, '}')
}
