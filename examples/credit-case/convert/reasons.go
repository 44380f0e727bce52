package main

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// reasons tells why a model that looks at one attribute at a time would give an
// application its label: by how much more often loans with that value went bad
// (or were paid back) than all loans did.
type reasons struct {
	weights map[string]map[string]float64 // attribute, value: log odds against those of all
}

// attributes that a model may go by; age in bands of ten years.
var attributes = []string{"age", "checking", "credit_history", "employment", "existing_credits", "foreign_worker", "purpose", "savings"}

func newReasons(rows []row) *reasons {
	r := &reasons{weights: map[string]map[string]float64{}}
	good, bad := count(rows, func(row) bool { return true })
	all := math.Log(good / bad)
	for _, a := range attributes {
		r.weights[a] = map[string]float64{}
		for _, one := range rows {
			v := value(one, a)
			if _, known := r.weights[a][v]; known {
				continue
			}
			good, bad := count(rows, func(other row) bool { return value(other, a) == v })
			r.weights[a][v] = math.Log((good+1)/(bad+1)) - all
		}
	}
	return r
}

func count(rows []row, in func(row) bool) (good, bad float64) {
	for _, r := range rows {
		switch {
		case !in(r):
		case r["actual"] == "Good":
			good++
		default:
			bad++
		}
	}
	return good, bad
}

func value(r row, attribute string) string {
	if attribute != "age" {
		return r[attribute]
	}
	age, err := strconv.Atoi(r["age"])
	if err != nil {
		return r["age"]
	}
	return strconv.Itoa(age / 10)
}

// of returns the two attributes that speak most for the label.
func (r *reasons) of(one row) []string {
	sign := 1.0
	if one["predicted"] != "Good" {
		sign = -1
	}
	list := slices.Clone(attributes)
	slices.SortStableFunc(list, func(a, b string) int {
		return cmp.Compare(sign*r.weights[b][value(one, b)], sign*r.weights[a][value(one, a)])
	})
	return list[:2]
}
