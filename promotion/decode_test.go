package promotion

import (
	"bytes"
	"encoding/base64"
	"math/rand/v2"
	"testing"
)

// TestBase64OfAnyLengthIsDecoded holds the decoding to that of the standard
// library.
func TestBase64OfAnyLengthIsDecoded(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 100 {
		want := make([]byte, n)
		for i := range want {
			want[i] = byte(r.Uint32())
		}
		var code []byte
		for _, c := range []byte(base64.RawStdEncoding.EncodeToString(want)) {
			code = append(code, sextetOf[c])
		}
		got := appendBase64([]byte("before"), code)
		if !bytes.Equal(got, append([]byte("before"), want...)) {
			t.Errorf("%x decodes to %x", want, got)
		}
	}
}
