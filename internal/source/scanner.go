package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// SyntaxError says why a text isn't an acceptable JSON value, and where.
type SyntaxError struct {
	Pos     Pos
	Pointer string // JSON pointer (RFC 6901) of the value it is about; may be empty
	Code    string // "duplicate-member", "too-deep" …
	Message string
}

// Error returns "line:col: message (at /pointer)".
func (e *SyntaxError) Error() string {
	if e.Pointer == "" {
		return e.Pos.String() + ": " + e.Message
	}
	pointer := e.Pointer
	if len(pointer) > maxPointer {
		pointer = strings.ToValidUTF8(pointer[:maxPointer], "") + "…"
	}
	return fmt.Sprintf("%s: %s (at %s)", e.Pos, e.Message, pointer)
}

// maxPointer bounds how much of a pointer stands in a message.
const maxPointer = 200

// Scanner walks over one JSON value, strictly: RFC 8259 in UTF-8, no duplicate
// member, at most MaxDepth and MaxMembers. It allocates nothing as long as
// nothing is wrong and strings have no escapes. The zero Scanner is ready for
// Reset. A Scanner is for one goroutine.
//
// What Name, Text and Literal return is valid until the next call of the same
// method: it is part of the text itself, which the decoder reads in place,
// unless it had escapes.
type Scanner struct {
	// Line is the line of the file on which the text begins, for positions in
	// errors; 0 counts as 1.
	Line int

	raw     []byte
	buf     bytes.Buffer
	dec     *jsontext.Decoder
	members int
	name    []byte // room for names that have escapes
	text    []byte // room for strings that have escapes
}

// Reset starts over with another text. The scanner keeps it until the next
// Reset and doesn't change it.
func (s *Scanner) Reset(raw []byte) error {
	s.raw, s.members = raw, 0
	s.buf = *bytes.NewBuffer(raw)
	if s.dec == nil {
		s.dec = jsontext.NewDecoder(&s.buf)
	} else {
		s.dec.Reset(&s.buf)
	}
	if len(raw) > MaxBytes {
		return &SyntaxError{Pos: s.pos(0), Code: "too-large", Message: fmt.Sprintf("%d bytes; %d are allowed", len(raw), MaxBytes)}
	}
	if bytes.HasPrefix(raw, []byte("\ufeff")) {
		return &SyntaxError{Pos: s.pos(0), Code: "byte-order-mark", Message: "a byte order mark (U+FEFF) stands before the value: write UTF-8 without one"}
	}
	return nil
}

// Peek returns the kind of the next value. At the end of a list or object, or
// if the text is wrong there, ok is false; the next reading call says which.
func (s *Scanner) Peek() (k Kind, ok bool) {
	switch next := s.dec.PeekKind(); next {
	case 0, '}', ']':
		return Null, false
	default:
		return kindOf(next), true
	}
}

// Open reads the "{" or "[" of the next value, which Peek told to be one.
func (s *Scanner) Open() error {
	_, err := s.Enter()
	return err
}

// Enter reads the "{" or "[" of the next value, or the whole value if it is
// neither, and returns its kind.
func (s *Scanner) Enter() (Kind, error) {
	t, err := s.dec.ReadToken()
	if err != nil {
		return Null, s.wrap(err)
	}
	if s.dec.StackDepth() > MaxDepth {
		e := s.fail("too-deep", "nested more than %d levels deep", MaxDepth)
		e.Pos = s.pos(int(s.dec.InputOffset()) - 1) // of the bracket
		return Null, e
	}
	return kindOf(t.Kind()), nil
}

func kindOf(k jsontext.Kind) Kind {
	switch k {
	case 't', 'f':
		return Bool
	case '"':
		return String
	case '0':
		return Number
	case '{':
		return Object
	case '[':
		return List
	default:
		return Null
	}
}

// More reports whether the open list or object has another entry; if it has
// none, its "}" or "]" is read.
func (s *Scanner) More() (bool, error) {
	switch s.dec.PeekKind() {
	case '}', ']':
		_, err := s.dec.ReadToken()
		if err != nil {
			return false, s.wrap(err)
		}
		return false, nil
	case 0:
		_, err := s.dec.ReadToken()
		return false, s.wrap(err)
	}
	if s.members++; s.members > MaxMembers {
		return false, s.fail("too-many", "more than %d members", MaxMembers)
	}
	return true, nil
}

// Name reads the name of the next member of the open object.
func (s *Scanner) Name() ([]byte, error) { return s.unquote(&s.name) }

// Text reads a string.
func (s *Scanner) Text() ([]byte, error) { return s.unquote(&s.text) }

func (s *Scanner) unquote(room *[]byte) ([]byte, error) {
	v, err := s.dec.ReadValue()
	if err != nil {
		return nil, s.wrap(err)
	}
	return s.unquoted(v, room)
}

func (s *Scanner) unquoted(v []byte, room *[]byte) (text []byte, err error) {
	if bytes.IndexByte(v, '\\') < 0 {
		return v[1 : len(v)-1], nil
	}
	*room, err = jsontext.AppendUnquote((*room)[:0], v)
	if err != nil {
		return nil, s.wrap(err)
	}
	return *room, nil
}

// Next reads the next value whole, whatever it is, under the same limits, and
// returns its kind and, unless it is a list or object, its text. It is the
// quickest way to read a value of which the kind isn't known.
func (s *Scanner) Next() ([]byte, Kind, error) {
	switch s.ahead() {
	case '{', '[':
		return s.walk()
	}
	v, err := s.dec.ReadValue()
	if err != nil {
		return nil, Null, s.wrap(err)
	}
	return v, kindOf(v.Kind()), nil
}

// ahead returns the first byte of the next value. It only looks: whether the
// text is right there is for the decoder to say.
func (s *Scanner) ahead() byte {
	for i := int(s.dec.InputOffset()); i < len(s.raw); i++ {
		switch c := s.raw[i]; c {
		case ' ', '\t', '\n', '\r', ',', ':':
		default:
			return c
		}
	}
	return 0
}

// walk reads a list or object to its end, entry by entry, since only so the
// limits hold.
func (s *Scanner) walk() ([]byte, Kind, error) {
	base := s.dec.StackDepth()
	kind, err := s.Enter()
	if err != nil {
		return nil, kind, err
	}
	for s.dec.StackDepth() > base {
		more, err := s.More()
		if err != nil {
			return nil, kind, err
		}
		if !more {
			continue
		}
		if k, _ := s.dec.StackIndex(s.dec.StackDepth()); k == '{' {
			if _, err := s.dec.ReadValue(); err != nil { // the name
				return nil, kind, s.wrap(err)
			}
		}
		switch s.ahead() {
		case '{', '[':
			_, err = s.Enter()
		default:
			_, err = s.Literal()
		}
		if err != nil {
			return nil, kind, err
		}
	}
	return nil, kind, nil
}

// Unquote returns the text of a string that Next has read. It is valid until
// the next call of Unquote or Text.
func (s *Scanner) Unquote(v []byte) ([]byte, error) { return s.unquoted(v, &s.text) }

// Literal reads a null, boolean, number or string as it stands.
func (s *Scanner) Literal() ([]byte, error) {
	v, err := s.dec.ReadValue()
	if err != nil {
		return nil, s.wrap(err)
	}
	return v, nil
}

// Skip reads the next value, whatever it is, under the same limits.
func (s *Scanner) Skip() error {
	_, _, err := s.Next()
	return err
}

// Value reads the next value as Go values: nil, bool, string, int64 for
// integer literals, float64 for other numbers, []any, map[string]any. A number
// that can't be held makes inexact true; the value is then of no use.
func (s *Scanner) Value() (v any, inexact bool, err error) {
	k, ok := s.Peek()
	if !ok {
		_, err := s.Literal()
		return nil, false, err
	}
	switch k {
	case String:
		t, err := s.Text()
		return string(t), false, err
	case Number:
		lit, err := s.Literal()
		if err != nil {
			return nil, false, err
		}
		n := ParseNumber(lit)
		if n.IsInt {
			return n.Int, n.Inexact, nil
		}
		return n.Float, n.Inexact, nil
	case List, Object:
		return s.collection(k)
	default:
		lit, err := s.Literal()
		if err != nil || k == Null {
			return nil, false, err
		}
		return lit[0] == 't', false, nil
	}
}

func (s *Scanner) collection(k Kind) (v any, inexact bool, err error) {
	if err := s.Open(); err != nil {
		return nil, false, err
	}
	list, object := []any{}, map[string]any{}
	for {
		more, err := s.More()
		if err != nil {
			return nil, false, err
		}
		if !more {
			break
		}
		var name string
		if k == Object {
			n, err := s.Name()
			if err != nil {
				return nil, false, err
			}
			name = string(n)
		}
		item, bad, err := s.Value() // bounded by MaxDepth
		if err != nil {
			return nil, false, err
		}
		inexact = inexact || bad
		if k == Object {
			object[name] = item
		} else {
			list = append(list, item)
		}
	}
	if k == Object {
		return object, inexact, nil
	}
	return list, inexact, nil
}

// End checks that nothing but white space follows the value.
func (s *Scanner) End() error {
	_, err := s.dec.ReadToken()
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return s.wrap(err)
	default:
		return s.fail("trailing-text", "text after the end of the value")
	}
}

// Fail returns an error about the value that was read last.
func (s *Scanner) Fail(code, format string, args ...any) error {
	return s.fail(code, format, args...)
}

func (s *Scanner) fail(code, format string, args ...any) *SyntaxError {
	return &SyntaxError{
		Pos: s.pos(int(s.dec.InputOffset())), Pointer: string(s.dec.StackPointer()),
		Code: code, Message: fmt.Sprintf(format, args...),
	}
}

func (s *Scanner) pos(offset int) Pos {
	p := posAt(s.raw, offset)
	p.Line += max(0, s.Line-1)
	return p
}

// wrap turns an error of the decoder into one of ours.
func (s *Scanner) wrap(err error) error {
	e := &SyntaxError{Pos: s.pos(int(s.dec.InputOffset())), Code: "json-syntax"}
	var se *jsontext.SyntacticError
	switch {
	case errors.As(err, &se):
		e.Pos = s.pos(int(se.ByteOffset))
		e.Pointer = string(se.JSONPointer)
		e.Message = strings.TrimPrefix(se.Err.Error(), "jsontext: ")
		if errors.Is(se.Err, jsontext.ErrDuplicateName) {
			e.Code, e.Message = "duplicate-member", "a member of that name stands here a second time"
		}
		if strings.Contains(e.Message, "`") { // it quotes the input
			e.Message = "a character stands here that doesn't belong there"
			if text := se.Err.Error(); strings.Contains(text, "escape") || strings.Contains(text, "surrogate") {
				e.Message = "an escape in a string is no character (a lone surrogate, say)"
			}
		}
		if errors.Is(se.Err, io.ErrUnexpectedEOF) {
			e.Message = "the text ends in the middle of the value"
		}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		e.Message = "the text ends in the middle of the value"
		if len(bytes.TrimSpace(s.raw)) == 0 {
			e.Code, e.Message = "empty", "nothing stands here"
		}
	default:
		e.Message = err.Error()
	}
	return e
}
