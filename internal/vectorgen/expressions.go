package main

import "fmt"

// truth is what a condition is.
type truth string

const (
	yes     truth = "true"
	no      truth = "false"
	unknown truth = "unknown"
)

// expression is a vector about one expression: it stands in a rule that calls a
// person, beside a score that is high, so that the verdict and the reasons tell
// whether it is true, false or unknown.
func expression(name, text, meta string, is truth) vector {
	d := decision{verdict: human, bands: []band{{"score", high}}, codes: []string{"band_high:score"}}
	switch is {
	case yes:
		d.codes = append(d.codes, "rule_route_to_human:r")
	case unknown:
		d.codes = append(d.codes, "rule_error:r")
	default:
		d.verdict = apply
	}
	return vector{
		name:   name,
		input:  object(member("score", usualHigh), member("meta", meta)),
		policy: policy{bands: []string{member("score", usual)}, rules: []string{rule("r", quote(text), human)}, apply: true},
		expect: d,
	}
}

// sample is a value of each kind that an entry of meta can be.
type sample struct {
	kind   string
	json   string  // empty: the entry is missing
	number float64 // of a number
}

var samples = []sample{
	{"int", "5", 5},
	{"double", "2.5", 2.5},
	{"nan", `{"$number": "NaN"}`, 0},
	{"nul", "null", 0},
	{"text", `"5"`, 0},
	{"bool", "true", 0},
	{"list", "[5]", 0},
	{"map", `{"5": 5}`, 0},
	{"missing", "", 0},
}

// sampleMeta has all samples, so that an expression may read any of them.
func sampleMeta() string {
	var m []string
	for _, s := range samples {
		if s.json != "" {
			m = append(m, member(s.kind, s.json))
		}
	}
	return object(m...)
}

func isNumber(s sample) bool { return s.kind == "int" || s.kind == "double" }

// comparable says which samples have an order or an equality: numbers among
// themselves, else a kind with itself; a NaN, a null and what is missing have
// none.
func comparable(l, r sample) bool {
	switch l.kind {
	case "nan", "nul", "missing":
		return false
	}
	return l.kind == r.kind || isNumber(l) && isNumber(r)
}

// ordered says which kinds have a less and a greater.
func ordered(s sample) bool { return isNumber(s) || s.kind == "text" || s.kind == "bool" }

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

// compare says what a comparison of two samples is. Samples of one kind are
// equal, but for the two numbers.
func compare(op string, l, r sample) truth {
	equality := op == "==" || op == "!="
	if !comparable(l, r) || !equality && !ordered(l) {
		return unknown
	}
	switch op {
	case "==":
		return truthOf(l.number == r.number)
	case "!=":
		return truthOf(l.number != r.number)
	case "<":
		return truthOf(l.number < r.number)
	case "<=":
		return truthOf(l.number <= r.number)
	case ">":
		return truthOf(l.number > r.number)
	default:
		return truthOf(l.number >= r.number)
	}
}

// comparisons are all operators over all pairs of kinds.
func comparisons() []vector {
	var all []vector
	for _, op := range []string{"==", "!=", "<", "<=", ">", ">="} {
		for _, l := range samples {
			for _, r := range samples {
				text := fmt.Sprintf("meta.%s %s meta.%s", l.kind, op, r.kind)
				is := compare(op, l, r)
				all = append(all, expression(text+" is "+string(is), text, sampleMeta(), is))
			}
		}
	}
	for _, l := range samples {
		for _, r := range samples {
			text := fmt.Sprintf("meta.%s in [meta.%s]", l.kind, r.kind)
			is := compare("==", l, r)
			all = append(all, expression(text+" is "+string(is), text, sampleMeta(), is))
		}
	}
	return all
}

// arithmetic is each operator over all pairs of kinds: known for numbers, and +
// also for two texts and two lists. What is known equals itself.
func arithmetic() []vector {
	var all []vector
	for _, op := range []string{"+", "-", "*", "/"} {
		for _, l := range samples {
			for _, r := range samples {
				sum := fmt.Sprintf("meta.%s %s meta.%s", l.kind, op, r.kind)
				is := unknown
				if comparable(l, r) && (isNumber(l) || op == "+" && (l.kind == "text" || l.kind == "list")) {
					is = yes
				}
				text := sum + " == " + sum
				all = append(all, expression(text+" is "+string(is), text, sampleMeta(), is))
			}
		}
	}
	return all
}

// wrappers are the connectives that could swallow an unknown.
var wrappers = []string{
	"!(%s)", "!!(%s)", "(%s) && true", "true && (%s)", "(%s) || false", "false || (%s)",
	"(%s) ? true : false", "(%s) ? false : true", "(%s) ? true : true", "(%s) == true", "(%s) != true",
	"[1].all(x, %s)", "[1].exists(x, %s)", "[1].exists_one(x, %s)", "[1].filter(x, %s).size() == 0", "[1].map(x, %s).size() == 1",
	"[true].exists(x, x == (%s))", "[1, 2].all(x, x < 2 || (%s))",
}

// wrapped are unknown conditions of each kind under each connective.
func wrapped() []vector {
	var all []vector
	for _, text := range []string{
		"meta.nan > 0.5", "meta.text == 5", "meta.bool == \"true\"", "meta.nul == \"IR\"", "meta.int in [\"US\"]", "meta.missing > 0", "meta.text + 1 > 0",
	} {
		for _, around := range wrappers {
			whole := fmt.Sprintf(around, text)
			all = append(all, expression("unknown stays unknown: "+whole, whole, sampleMeta(), unknown))
		}
	}
	return all
}

// logic is the truth tables of three-valued logic.
func logic() []vector {
	values := []struct {
		text string
		is   truth
	}{{"meta.int == 5", yes}, {"meta.int == 6", no}, {"meta.missing == 5", unknown}}
	var all []vector
	add := func(text string, is truth) {
		all = append(all, expression(text+" is "+string(is), text, sampleMeta(), is))
	}
	for _, a := range values {
		add("!("+a.text+")", negated(a.is))
		for _, b := range values {
			add(a.text+" && "+b.text, both(a.is, b.is))
			add(a.text+" || "+b.text, negated(both(negated(a.is), negated(b.is))))
			for _, c := range values {
				is := unknown
				switch a.is {
				case yes:
					is = b.is
				case no:
					is = c.is
				}
				add(fmt.Sprintf("%s ? %s : %s", a.text, b.text, c.text), is)
			}
		}
	}
	return all
}

func negated(t truth) truth {
	switch t {
	case yes:
		return no
	case no:
		return yes
	default:
		return unknown
	}
}

// both is false as soon as one side is, whatever the other.
func both(a, b truth) truth {
	switch {
	case a == no || b == no:
		return no
	case a == yes && b == yes:
		return yes
	default:
		return unknown
	}
}
