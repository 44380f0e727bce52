package main

import (
	"fmt"
	"math/big"
	"strings"
)

// forms are the ways in which a value can be written that a declaration tells
// apart.
var forms = []string{
	"3", "-3", "0", "-0", "5", "6", "3.0", "3e0", "30E-1", "0.5", "5.000000000000001", "-5e-324", "1e-400",
	"9007199254740992", "-9007199254740992", "9007199254740993", "-9007199254740993", "9007199254740993.0", "1e16",
	"9223372036854775807", "-9223372036854775808", "9223372036854775808", "-9223372036854775809", "1e400", "-1e400",
	`"3"`, `""`, "true", "false", "null", "[]", "[3]", "{}", `{"n": 3}`,
}

// types declares a signal in every way and gives it each form.
func types() []vector {
	var out []vector
	for _, typ := range []string{"score", "number", "integer", "string", "boolean"} {
		for _, ranged := range []bool{false, true} {
			if ranged && (typ == "string" || typ == "boolean") {
				continue
			}
			for _, form := range forms {
				fault, settled := typed(typ, form, ranged)
				if settled {
					out = append(out, declared(typ, form, ranged, fault))
				}
			}
		}
	}
	return out
}

func declared(typ, form string, ranged bool, fault string) vector {
	declaration := []string{member("type", quote(typ))}
	name := "type: a declared " + typ
	if ranged {
		declaration = append(declaration, member("range", "[0, 5]"))
		name += " from 0 to 5"
	}
	where := "meta"
	if typ == "score" {
		where = "scores"
	}
	s := situation{bands: []band{{"score", high}}, apply: true, reject: true}
	if fault != "" {
		s.faults = []string{fault + ":n"}
	}
	p := automatic(member("score", usual))
	p.signals = []string{member("score", `{"type": "score"}`), member("n", object(declaration...))}
	return vector{
		name:   fmt.Sprintf("%s given %s", name, form),
		input:  object(member("score", usualHigh), member(where, object(member("n", form)))),
		asText: true,
		policy: p,
		expect: s.decide(),
	}
}

// typed says which fault the contract makes of a form. A value that is both of
// another type, or outside the range, and not held exactly is left out: the
// contract doesn't say whether one fault or two are reported.
func typed(typ, form string, ranged bool) (fault string, settled bool) {
	numeric := strings.ContainsAny(form[:1], "-0123456789")
	if !numeric {
		return typedOther(typ, form), true
	}
	integer := !strings.ContainsAny(form, ".eE")
	value, _ := new(big.Float).SetPrec(200).SetString(form)
	beyond53 := integer && new(big.Float).Abs(value).Cmp(power(53)) > 0
	beyond64 := integer && (value.Cmp(power(63)) >= 0 || value.Cmp(new(big.Float).Neg(power(63))) < 0)
	huge := !integer && new(big.Float).Abs(value).Cmp(power(1024)) >= 0
	if form == "1e-400" { // too small, and so 0
		value.SetInt64(0)
	}
	outside := ranged && (value.Sign() < 0 || value.Cmp(big.NewFloat(5)) > 0)

	inexact := huge || beyond64 || beyond53 && typ != "integer"
	var wrong string
	switch {
	case typ == "score" && outside:
		wrong = "score_out_of_range"
	case typ == "string" || typ == "boolean" || typ == "integer" && !integer || outside:
		wrong = "signal_type"
	}
	switch {
	case typ == "string" || typ == "boolean":
		// Nobody asks whether 2^53 + 1 is held; beyond int64 both are true.
		return wrong, !huge && !beyond64
	case inexact && typ == "score":
		return "number_inexact", true // the first that is found
	case inexact:
		return "number_inexact", wrong == ""
	}
	return wrong, true
}

// typedOther is typed for what isn't a number.
func typedOther(typ, form string) string {
	switch {
	case typ == "score" && form == "null": // absent, and not configured
		return ""
	case typ == "score":
		return "score_not_number"
	case typ == "string" && form[0] == '"', typ == "boolean" && (form == "true" || form == "false"):
		return ""
	}
	return "signal_type"
}

func power(n uint) *big.Float {
	return new(big.Float).SetPrec(2000).SetInt(new(big.Int).Lsh(big.NewInt(1), n))
}
