package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"sync"
)

// payments stands for the shop's bank: a file to which each payment is added.
// Like a real one it takes an idempotency key, and pays once for each.
type payments struct {
	mu   sync.Mutex
	file *os.File
	paid map[string]bool
}

// payment is one line of the file.
type payment struct {
	Key string          `json:"key"`
	Pay json.RawMessage `json:"pay"`
}

func openPayments(name string) (*payments, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	p := &payments{file: f, paid: map[string]bool{}}
	all, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	whole := bytes.LastIndexByte(all, '\n') + 1 // a line that was cut off was never paid
	for line := range bytes.Lines(all[:whole]) {
		var old payment
		if err := json.Unmarshal(line, &old); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		p.paid[old.Key] = true
	}
	if err := f.Truncate(int64(whole)); err != nil {
		return nil, err
	}
	_, err = f.Seek(int64(whole), 0)
	return p, err
}

// pay pays, unless it has paid for the key before.
func (p *payments) pay(key string, order json.RawMessage) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.paid[key] {
		return nil
	}
	line, err := json.Marshal(payment{key, order})
	if err != nil {
		return err
	}
	if _, err := p.file.Write(append(line, '\n')); err != nil {
		return err
	}
	if err := p.file.Sync(); err != nil {
		return err
	}
	p.paid[key] = true
	return nil
}
