package app

import "testing"

func TestEveryKeyThatIsMadeCanBeRead(t *testing.T) {
	// Half of them have a plus sign in their base64, which parts a key, too.
	for range 64 {
		private, err := newKey("test.example/shop")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parseKey(private); err != nil {
			t.Fatalf("%d bytes: %v", len(private), err)
		}
	}
}
