package review_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"strings"
	"testing"

	"github.com/pawlgate/pawl/review"
)

func TestTheCanonicalFormOfAnAction(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{``, `null`},
		{` null `, `null`},
		{`{"b":1,"a":[ 1.0, 1e2, -0, "\u0041\/" ]}`, `{"a":[1,100,0,"A/"],"b":1}`},
		{`9007199254740992`, `9007199254740992`},
		{`-9007199254740992`, `-9007199254740992`},
		{`0.1`, `0.1`},
		{`0.000`, `0`},
		{`0e5`, `0`},
		{`"9007199254740993"`, `"9007199254740993"`},
	} {
		got, err := review.CanonicalAction([]byte(tt.in))
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %s, %v; want %s", tt.in, got, err, tt.want)
		}
	}
}

func TestActionsThatAreRefusedSayWhere(t *testing.T) {
	for _, tt := range []struct{ in, pointer, message string }{
		{`{"a":{"b/c":[1,9007199254740993]}}`, "/a/b~1c/1", "2^53"},
		{`-9007199254740993`, "", "2^53"},
		{`9007199254740993.0`, "", "2^53"},
		{`9007199254740992.0`, "", "2^53"},
		{`9.007199254740993e15`, "", "2^53"},
		{`900719925474099300e-2`, "", "2^53"},
		{`1e300`, "", "2^53"},
		{`123456789012345678901234567890`, "", "2^53"},
		{`1e999`, "", "too large"},
		{`1e-999`, "", "too small"},
		{`{"a":1,"a":2}`, "", "a"},
		{`{"a":1`, "", ""},
		{`{'a':1}`, "", ""},
		{`{"a":NaN}`, "", ""},
		{`1 2`, "", ""},
		{"\"\xff\"", "", ""},
		{`"\ud800"`, "", ""},
		{strings.Repeat("[", 100) + strings.Repeat("]", 100), "", ""},
	} {
		c, err := review.CanonicalAction([]byte(tt.in))
		var e *review.InvalidError
		if !errors.As(err, &e) || c != nil {
			t.Errorf("%s: %q, %v", tt.in, c, err)
			continue
		}
		if tt.pointer != "" && e.Pointer != tt.pointer || !strings.Contains(e.Error(), tt.message) {
			t.Errorf("%s: at %q: %v", tt.in, e.Pointer, e)
		}
	}
}

func TestTheDigestIsOfSaltAndCanonicalForm(t *testing.T) {
	salt := review.Salt{1, 2, 3}
	got, err := review.ActionDigest(salt, []byte(`{ "b": 1.0, "a": 2 }`))
	if err != nil {
		t.Fatal(err)
	}
	if want := review.Digest(sha256.Sum256(append(salt[:], `{"a":2,"b":1}`...))); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if back, err := review.ParseDigest(got.String()); back != got || err != nil {
		t.Errorf("%s came back as %s, %v", got, back, err)
	}
	for _, bad := range []string{"", got.String()[1:], strings.ToUpper(got.String()), got.String() + "00", "sha256:" + strings.ToUpper(got.String()[7:])} {
		if _, err := review.ParseDigest(bad); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

func TestInputsKeepTheirNumbers(t *testing.T) {
	got, err := review.CanonicalInput([]byte(`{"b": 9007199254740993, "a": [1.50, "x"], "\ud83d\ude00": 1, "\ufb33": {}}`))
	if want := "{\"a\":[1.50,\"x\"],\"b\":9007199254740993,\"\U0001f600\":1,\"\ufb33\":{}}"; err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := review.CanonicalInput([]byte(`{`)); code(err) != "invalid input" {
		t.Error(err)
	}
}

func FuzzCanonicalAction(f *testing.F) {
	for _, s := range []string{``, `{"b":1,"a":[1.5e3,true,null]}`, `9007199254740993.0`, `{"a":{"a":"\u0000"}}`, `-0`, `1e-400`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		before := bytes.Clone(raw)
		c, err := review.CanonicalAction(raw)
		if !bytes.Equal(before, raw) {
			t.Fatal("the input was changed")
		}
		if err != nil {
			if code(err) != "invalid action" || c != nil {
				t.Fatalf("%q, %v", c, err)
			}
			return
		}
		again, err := review.CanonicalAction(c)
		if err != nil || !bytes.Equal(c, again) {
			t.Fatalf("%q isn't its own canonical form: %q, %v", c, again, err)
		}
		if in, err := review.CanonicalInput(c); err != nil || !bytes.Equal(in, c) {
			t.Fatalf("as an input %q is %q, %v", c, in, err)
		}
	})
}
