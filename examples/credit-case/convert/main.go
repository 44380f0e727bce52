// Command convert turns the loan applications of examples/credit into cases, a
// line of JSON each, as a lender's system would hand them over.
//
//	go run ./examples/credit-case/convert examples/credit/credit.csv > cases.jsonl
//
// With -labelled each line also says what would have been right, for
// pawl case eval: a loan that went bad should have been looked at.
//
// Two things that a lender's system would know are not in the data and are made
// of what is: the state of the credit register's answer, and the reasons that
// the model gives for its label (see reasons.go).
package main

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
)

func main() {
	labelled := flag.Bool("labelled", false, "say what would have been right")
	flag.Parse()
	if err := run(os.Stdout, flag.Arg(0), *labelled); err != nil {
		fmt.Fprintln(os.Stderr, "convert:", err)
		os.Exit(1)
	}
}

// line is one line of the output.
type line struct {
	ID       string    `json:"id"`
	Case     loan      `json:"case"`
	Expected *expected `json:"expected,omitempty"`
}

type expected struct {
	Action string `json:"action"`
}

// loan is a case.
type loan struct {
	ID      string         `json:"case_id"`
	Domain  string         `json:"domain"`
	AsOf    string         `json:"as_of"`
	Facts   map[string]any `json:"facts"`
	Sources []source       `json:"sources"`
	Checks  []check        `json:"checks"`
	Signals map[string]any `json:"signals"`
}

type source struct {
	Name   string         `json:"name"`
	Values map[string]any `json:"values"`
}

type check struct {
	Name   string `json:"name"`
	Status string `json:"status"`
}

// day is when the lender looks at all of them.
const day = "2026-11-30"

func run(w io.Writer, file string, labelled bool) error {
	rows, err := read(file)
	if err != nil {
		return err
	}
	why := newReasons(rows)
	out := bufio.NewWriter(w)
	e := json.NewEncoder(out)
	for _, r := range rows {
		l, err := convert(r, why)
		if err != nil {
			return fmt.Errorf("%s: %w", r["id"], err)
		}
		if labelled {
			l.Expected = &expected{"DECIDE"}
			if r["actual"] == "Bad" {
				l.Expected.Action = "ESCALATE"
			}
		}
		if err := e.Encode(l); err != nil {
			return err
		}
	}
	return out.Flush()
}

// row is an application by the names of the columns.
type row map[string]string

func read(file string) ([]row, error) {
	if file == "" {
		return nil, errors.New("name the CSV with the applications")
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, record := range records[1:] {
		r := row{}
		for i, name := range records[0] {
			r[name] = record[i]
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// registerAbove is the amount (DM) from which the credit register is asked.
const registerAbove = 5000

func convert(r row, why *reasons) (line, error) {
	var failed error
	number := func(name string) float64 {
		n, err := strconv.ParseFloat(r[name], 64)
		failed = errors.Join(failed, err)
		return n
	}
	amount, credits := number("amount"), number("existing_credits")
	facts := map[string]any{
		"amount": amount, "duration_months": number("duration_months"),
		"purpose": r["purpose"], "credit_history": r["credit_history"], "employment": r["employment"],
		"label": r["predicted"], "reasons": why.of(r),
	}
	if r["savings"] != "Unknown" { // then nobody knows
		facts["savings"] = r["savings"]
	}
	c := loan{
		ID: r["id"], Domain: "credit", AsOf: day, Facts: facts,
		Sources: []source{{"model", map[string]any{"creditworthy": r["predicted"] == "Good"}}},
		Checks:  []check{{"register", "not_needed"}},
		Signals: map[string]any{"confidence": number("confidence")},
	}
	if good, known := account(r["checking"]); known {
		c.Sources = append(c.Sources, source{"account", map[string]any{"creditworthy": good}})
	}
	if amount > registerAbove {
		// A made-up register: it has answered unless other credits are running.
		c.Checks[0].Status = "answered"
		if credits > 1 {
			c.Checks[0].Status = "pending"
		}
	}
	return line{ID: r["id"], Case: c}, failed
}

// account says what the declared state of the checking account speaks for.
// Between 0 and 200 DM it speaks for nothing.
func account(checking string) (good, known bool) {
	switch checking {
	case "lt.0":
		return false, true
	case "gt.200", "none":
		return true, true
	default:
		return false, false
	}
}
