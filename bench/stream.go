package bench

import (
	"math/rand/v2"
	"strconv"
)

// Stream is an endless, reproducible stream of decisions, most of them clear,
// in no order: the lines of the stream benchmark and what must come out.
type Stream struct {
	rand *rand.Rand
	n    int
}

// NewStream returns the stream of that seed, from its start.
func NewStream(seed uint64) *Stream {
	return &Stream{rand: rand.New(rand.NewPCG(seed, 0x70617761))}
}

var (
	streamFlags     = []string{"new_device", "repeat", "app", "web", "gift", "vip"}
	streamCountries = []string{"DE", "FR", "AT", "NL", "IT", "ES", "PL", "SE"}
)

// Next returns the next decision; Want is the verdict of the hand-written if.
func (s *Stream) Next() Case {
	r := s.rand
	c := Case{
		Fraud:   s.score(98),
		Text:    s.score(90),
		Linked:  int64(r.IntN(13)),
		Amount:  float64(100+r.IntN(99_900)) / 100,
		Country: streamCountries[r.IntN(len(streamCountries))],
	}
	for range r.IntN(3) {
		// The last flag, vip, is rarer than the others.
		c.Flags = append(c.Flags, streamFlags[min(r.IntN(40)/7, len(streamFlags)-1)])
	}
	in := plain{plainScores{c.Fraud, c.Text}, c.Flags, plainMeta{float64(c.Linked)}}
	c.Want = verdictOf(in.clear())
	return c
}

// score is at or above high/100 nine times out of ten, and has four decimals,
// as scores that were rounded for a log have.
func (s *Stream) score(high int) float64 {
	if s.rand.IntN(10) == 0 {
		return float64(s.rand.IntN(high*100)) / 10_000
	}
	return float64(high*100+s.rand.IntN(10_001-high*100)) / 10_000
}

// AppendLine appends the next decision as a line of JSON, in the envelope that
// gives it an id, about 150 bytes in all.
func (s *Stream) AppendLine(dst []byte) []byte {
	c := s.Next()
	s.n++
	number := func(f float64) { dst = strconv.AppendFloat(dst, f, 'f', -1, 64) }
	dst = append(dst, `{"id":"refund-`...)
	dst = strconv.AppendInt(dst, int64(10_000_000+s.n), 10)
	dst = append(dst, `","signals":{"scores":{"fraud_ok":`...)
	number(c.Fraud)
	dst = append(dst, `,"text_ok":`...)
	number(c.Text)
	dst = append(dst, `},"flags":[`...)
	for i, f := range c.Flags {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendQuote(dst, f)
	}
	dst = append(dst, `],"meta":{"linkedCount":`...)
	dst = strconv.AppendInt(dst, c.Linked, 10)
	dst = append(dst, `,"amount":`...)
	number(c.Amount)
	dst = append(dst, `,"country":`...)
	dst = strconv.AppendQuote(dst, c.Country)
	return append(dst, "}}}\n"...)
}
