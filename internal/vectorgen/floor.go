package main

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
)

//go:embed floor.txt
var floorList string

// floorToken is one token of the denylist that is compiled in.
type floorToken struct{ kind, text string }

func floorTokens() []floorToken {
	var tokens []floorToken
	for line := range strings.Lines(floorList) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		kind, quoted, _ := strings.Cut(line, " ")
		text, err := strconv.Unquote(quoted)
		if err != nil {
			panic("floor.txt: " + line + ": " + err.Error())
		}
		tokens = append(tokens, floorToken{kind, text})
	}
	return tokens
}

// known returns a token of the floor that evasions are tried with.
func known(text string) floorToken {
	tokens := floorTokens()
	i := slices.IndexFunc(tokens, func(t floorToken) bool { return t.text == text })
	if i < 0 {
		panic("floor.txt has no token " + text)
	}
	return tokens[i]
}
