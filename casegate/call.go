package casegate

import "github.com/pawlgate/pawl/verdict"

// eval asks a condition; a panic makes it unknown.
func (f Condition) eval(c *Case) (holds bool, err error) {
	defer verdict.Recovered(&err)
	holds, err = f(*c)
	return holds, verdict.Flatten(err)
}

func (f Number) eval(c *Case) (v any, err error) {
	defer verdict.Recovered(&err)
	v, err = f(*c)
	return v, verdict.Flatten(err)
}

func (f Text) eval(c *Case) (s string, err error) {
	defer verdict.Recovered(&err)
	s, err = f(*c)
	return s, verdict.Flatten(err)
}
