package main

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/pawlgate/pawl/internal/stream"
)

// A row that is used again and again gives what a fresh encoding/csv gives,
// also behind rows that are no use.
func TestRowAgreesWithEncodingCSV(t *testing.T) {
	text := rapid.StringMatching(`([a",x \r]|"a\n,""b"){0,8}`)
	rapid.Check(t, func(rt *rapid.T) {
		var r row
		for range rapid.IntRange(1, 5).Draw(rt, "rows") {
			data := text.Draw(rt, "row")
			if strings.Contains(data, `"`) == strings.Contains(data, "\n") {
				data = `"` + data // as well with quotes as without
			}
			got, err := r.cells(stream.Record{Data: []byte(data)})
			oracle := csv.NewReader(strings.NewReader(data + "\n"))
			oracle.FieldsPerRecord = -1
			want, wantErr := oracle.Read()
			one := oracle.InputOffset() == int64(len(data)+1)
			if !strings.Contains(data, `"`) { // there a blank line is one empty cell
				want, wantErr, one = strings.Split(data, ","), nil, true
			}
			if (err == nil) != (wantErr == nil && one) {
				rt.Fatalf("%q: error %v, want %v (one row: %v)", data, err, wantErr, one)
			}
			if err != nil {
				continue
			}
			cells := make([]string, len(got))
			for i, c := range got {
				cells[i] = string(c)
			}
			if !slices.Equal(cells, want) {
				rt.Fatalf("%q: %q, want %q", data, cells, want)
			}
		}
	})
}

func TestRowSaysWhatIsWrong(t *testing.T) {
	var r row
	for _, tt := range []struct{ data, defect, want string }{
		{`a,"b`, "", `column 6: extraneous or missing " in quoted-field`},
		{`a"b`, "", `column 2: bare " in non-quoted-field`},
		{"\"a\"\n\"b\"", "", "text after the end of the row"},
		{`a`, stream.OpenQuote, "the row is no use: a quote is opened and never closed"},
	} {
		_, err := r.cells(stream.Record{Data: []byte(tt.data), Defect: tt.defect})
		if err == nil || err.Error() != tt.want {
			t.Errorf("%q: error %v, want %s", tt.data, err, tt.want)
		}
	}
	if _, err := r.fields(nil); err == nil || err.Error() != "the line is blank" {
		t.Errorf("no header: %v", err)
	}
}
