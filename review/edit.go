package review

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/pawlgate/pawl/internal/source"
)

// changes lists the places (JSON pointers) in which two canonical JSON texts
// differ: the highest ones, so that a list of another length is one change, as
// is a member that came or went. At most limit are returned.
func changes(before, after []byte, limit int) ([]string, error) {
	a, err := source.ReadJSON(before)
	if err != nil {
		return nil, unreadable("action", err)
	}
	b, err := source.ReadJSON(after)
	if err != nil {
		return nil, unreadable("action", err)
	}
	d := differ{limit: limit}
	d.compare(a, b, "")
	return d.places, nil
}

type differ struct {
	places []string
	limit  int
}

func (d *differ) add(at string) {
	if len(d.places) < d.limit {
		d.places = append(d.places, at)
	}
}

func (d *differ) compare(a, b *source.Node, at string) {
	switch {
	case a.Kind != b.Kind:
		d.add(at)
	case a.Kind == source.List:
		if len(a.Items) != len(b.Items) {
			d.add(at)
			return
		}
		for i := range a.Items {
			d.compare(a.Items[i], b.Items[i], at+"/"+strconv.Itoa(i))
		}
	case a.Kind == source.Object:
		others := make(map[string]*source.Node, len(b.Members))
		for i := range b.Members {
			others[b.Members[i].Key] = b.Members[i].Value
		}
		for i := range a.Members {
			place := at + "/" + escapeToken(a.Members[i].Key)
			other, ok := others[a.Members[i].Key]
			if !ok {
				d.add(place)
				continue
			}
			delete(others, a.Members[i].Key)
			d.compare(a.Members[i].Value, other, place)
		}
		for i := range b.Members {
			if _, left := others[b.Members[i].Key]; left {
				d.add(at + "/" + escapeToken(b.Members[i].Key))
			}
		}
	case !bytes.Equal(a.AppendJSON(nil), b.AppendJSON(nil)):
		d.add(at)
	}
}

// covered reports whether the place is one of the pointers or lies below one.
func covered(pointers []string, place string) bool {
	for _, p := range pointers {
		if validPointer(p) && (place == p || strings.HasPrefix(place, p+"/")) {
			return true
		}
	}
	return false
}

var tokenEscapes = strings.NewReplacer("~", "~0", "/", "~1")

func escapeToken(key string) string { return tokenEscapes.Replace(key) }

// validPointer reports whether p is a JSON pointer (RFC 6901).
func validPointer(p string) bool {
	if p != "" && p[0] != '/' {
		return false
	}
	for i := 0; i < len(p); i++ {
		if p[i] == '~' && (i+1 == len(p) || p[i+1] != '0' && p[i+1] != '1') {
			return false
		}
	}
	return true
}
