package evidence

import (
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/pawlgate/pawl/internal/source"
	"github.com/pawlgate/pawl/verdict"
	"github.com/secure-systems-lab/go-securesystemslib/dsse"
)

// MaxBytes is how large an envelope may be.
const MaxBytes = source.MaxBytes

// maxSignatures is how many signatures an envelope may have, so that checking
// each against each listed key stays quick.
const maxSignatures = 16

// parse reads an envelope strictly: no member that nobody knows or that stands
// there twice, and base64 as it is always written, so that the same bytes can't
// be read in two ways. The ids of keys are dropped: anybody could have written
// them, and the library would try no other key.
func parse(text []byte) (*dsse.Envelope, error) {
	if len(text) > MaxBytes {
		return nil, fmt.Errorf("it has more than %d bytes, which are allowed", MaxBytes)
	}
	root, err := source.ReadJSON(text)
	if err != nil {
		return nil, err
	}
	if err := root.Only("it", "payloadType", "payload", "signatures"); err != nil {
		return nil, err
	}
	e := &dsse.Envelope{}
	if e.PayloadType, err = root.TextOf("payloadType"); err != nil {
		return nil, err
	}
	if e.Payload, err = base64Of(root, "payload"); err != nil {
		return nil, err
	}
	signatures := root.Get("signatures")
	switch {
	case signatures == nil || signatures.Kind != source.List:
		return nil, errors.New("signatures must be a list")
	case len(signatures.Items) > maxSignatures:
		return nil, fmt.Errorf("it has more than %d signatures, which are allowed", maxSignatures)
	}
	for _, item := range signatures.Items {
		if err := item.Only("a signature", "keyid", "sig"); err != nil {
			return nil, err
		}
		if item.Get("keyid") != nil {
			if _, err := item.TextOf("keyid"); err != nil {
				return nil, err
			}
		}
		sig, err := base64Of(item, "sig")
		if err != nil {
			return nil, err
		}
		e.Signatures = append(e.Signatures, dsse.Signature{Sig: sig})
	}
	return e, nil
}

func base64Of(n *source.Node, key string) (string, error) {
	text, err := n.TextOf(key)
	if err != nil {
		return "", err
	}
	b, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || base64.StdEncoding.EncodeToString(b) != text {
		return "", fmt.Errorf("%s isn't standard base64 with padding and without line breaks", key)
	}
	return text, nil
}

// appendEnvelope appends an envelope as JSON, the same one always the same way.
func appendEnvelope(dst []byte, e *dsse.Envelope) []byte {
	dst = verdict.AppendString(append(dst, `{"payloadType":`...), e.PayloadType)
	dst = verdict.AppendString(append(dst, `,"payload":`...), e.Payload)
	dst = append(dst, `,"signatures":[`...)
	for i, s := range e.Signatures {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = verdict.AppendString(append(dst, `{"keyid":`...), s.KeyID)
		dst = append(verdict.AppendString(append(dst, `,"sig":`...), s.Sig), '}')
	}
	return append(dst, "]}"...)
}
