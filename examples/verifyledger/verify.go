package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// tree keeps the roots of the complete subtrees from left to right, so that
// memory doesn't grow with the log.
type tree struct {
	size  int64
	roots [][]byte
}

func (t *tree) add(leafHash []byte) {
	t.roots = append(t.roots, leafHash)
	t.size++
	for n := t.size; n%2 == 0; n /= 2 { // two complete trees of one size make one
		last := len(t.roots) - 1
		t.roots[last-1] = node(t.roots[last-1], t.roots[last])
		t.roots = t.roots[:last]
	}
}

func (t *tree) root() []byte {
	if t.size == 0 {
		sum := sha256.Sum256(nil)
		return sum[:]
	}
	root := t.roots[len(t.roots)-1]
	for i := len(t.roots) - 2; i >= 0; i-- {
		root = node(t.roots[i], root)
	}
	return root
}

func node(left, right []byte) []byte {
	sum := sha256.Sum256(bytes.Join([][]byte{{1}, left, right}, nil))
	return sum[:]
}

// verify reads an export from start to end.
func verify(in *bufio.Reader, keys []key) (size int64, root string, err error) {
	var t tree
	sealed := false // the last line was a checkpoint
	for line := 1; ; line++ {
		text, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) && len(text) == 0 {
			break
		}
		if err != nil {
			return 0, "", fmt.Errorf("line %d isn't whole: %w", line, err)
		}
		text = text[:len(text)-1]
		if sealed = bytes.HasPrefix(text, []byte(`{"checkpoint":`)); sealed {
			err = checkpoint(string(text), &t, keys)
		} else {
			err = leaf(text, &t)
		}
		if err != nil {
			return 0, "", fmt.Errorf("line %d: %w", line, err)
		}
	}
	if !sealed {
		return 0, "", errors.New("the end isn't covered by a checkpoint")
	}
	return t.size, base64.StdEncoding.EncodeToString(t.root()), nil
}

// leaf takes {"hash":"…","index":N,"leaf":…}.
func leaf(line []byte, t *tree) error {
	const hashEnd = len(`{"hash":"`) + 44
	middle := `","index":` + strconv.FormatInt(t.size, 10) + `,"leaf":`
	if len(line) < hashEnd+len(middle)+3 || !bytes.HasPrefix(line, []byte(`{"hash":"`)) || line[len(line)-1] != '}' {
		return errors.New("neither a leaf nor a checkpoint")
	}
	if !bytes.HasPrefix(line[hashEnd:], []byte(middle)) {
		return fmt.Errorf("not the leaf %d: something is missing, out of order or there twice", t.size)
	}
	body := line[hashEnd+len(middle) : len(line)-1]
	sum := sha256.Sum256(append([]byte{0}, body...))
	if base64.StdEncoding.EncodeToString(sum[:]) != string(line[hashEnd-44:hashEnd]) {
		return fmt.Errorf("the leaf %d was edited: it doesn't have the hash beside it", t.size)
	}
	t.add(sum[:])
	return nil
}

var (
	escape   = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
	unescape = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n")
)

// checkpoint takes {"checkpoint":"…"}, whose tree must be the one so far.
func checkpoint(line string, t *tree, keys []key) error {
	text, ok := strings.CutPrefix(line, `{"checkpoint":"`)
	text, ok2 := strings.CutSuffix(text, `"}`)
	signed := unescape.Replace(text)
	if !ok || !ok2 || escape.Replace(signed) != text || len(signed) > 131072 {
		return errors.New("no checkpoint")
	}
	body, err := opened(signed, t.size, keys)
	if err != nil {
		return err
	}
	lines := strings.Split(body, "\n")
	if lines[1] != strconv.FormatInt(t.size, 10) {
		return fmt.Errorf("a checkpoint of size %q stands behind %d leaves", lines[1], t.size)
	}
	if lines[2] != base64.StdEncoding.EncodeToString(t.root()) {
		return fmt.Errorf("the %d leaves before aren't the ones that were signed", t.size)
	}
	return nil
}
