package promotion_test

import (
	"fmt"
	"io/fs"
	"testing/fstest"

	"github.com/pawlgate/pawl/promotion"
)

func ExampleArtefact_Snapshot() {
	files := fstest.MapFS{"SKILL.md": {Data: []byte("---\nname: greet\n---\nSay hello.\n")}}
	skill := promotion.Read("greet", files, ".", promotion.DefaultLimits())
	fixed, err := skill.Snapshot()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(fixed.Digest)

	// A link could lead anywhere, later: nothing with a link can be applied.
	files["more"] = &fstest.MapFile{Data: []byte("/etc"), Mode: fs.ModeSymlink | 0o777}
	skill = promotion.Read("greet", files, ".", promotion.DefaultLimits())
	_, err = skill.Snapshot()
	fmt.Println(err)
	// Output:
	// sha256:7a963b5c829433dbad26a430c207b95c308ee20cce6ca8c162591394c940d913
	// no snapshot of greet: more: a link, which isn't followed (link)
}
