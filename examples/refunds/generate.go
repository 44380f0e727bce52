package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
)

// generate writes the refunds that customers ask for: the same every time.
func generate(name string, n int) error {
	r := rand.New(rand.NewPCG(2026, 12))
	var b bytes.Buffer
	for i := range n {
		cents := 300 + int(r.ExpFloat64()*4500) // most are small, few are large
		legit := 1 - r.ExpFloat64()*0.06        // most are what they seem
		if r.IntN(12) == 0 {
			legit = r.Float64()
		}
		reason := []string{"damaged", "late", "wrong_item", "changed_mind"}[r.IntN(4)]
		flags := ""
		if r.IntN(50) == 0 {
			flags = `"flags":["chargeback"],`
		}
		fmt.Fprintf(&b, `{"id":"refund-%04d","order":"order-%05d","signals":{"scores":{"legit":%.3f},%s"meta":{"amount":%d.%02d,"reason":"%s"}},"action":{"pay":{"order":"order-%05d","amount":"%d.%02d","currency":"EUR"}}}`+"\n",
			i+1, 20000+7*i, max(legit, 0), flags, cents/100, cents%100, reason, 20000+7*i, cents/100, cents%100)
	}
	return os.WriteFile(name, b.Bytes(), 0o644)
}
