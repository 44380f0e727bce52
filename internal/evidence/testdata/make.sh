#!/bin/sh
# Makes the files beside it without any of our code: a statement, signed by
# openssl with the example key of RFC 8410 (section 10.3), in an envelope that
# printf writes. Run it in this folder; nothing changes unless it is changed.
set -eu
tmp=$(mktemp -d)
trap 'rm -r "$tmp"' EXIT

cat > rfc8410.pem <<'KEY'
-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
-----END PRIVATE KEY-----
KEY
openssl pkey -in rfc8410.pem -pubout > rfc8410.pub

type=application/vnd.in-toto+json
printf 'DSSEv1 %d %s %d ' "${#type}" "$type" "$(wc -c < statement.json)" > "$tmp/pae"
cat statement.json >> "$tmp/pae"
openssl pkeyutl -sign -rawin -inkey rfc8410.pem -in "$tmp/pae" -out "$tmp/sig"
keyid=$(openssl pkey -in rfc8410.pem -pubout -outform DER | sha256sum | cut -d ' ' -f 1)
printf '{"payloadType":"%s","payload":"%s","signatures":[{"keyid":"%s","sig":"%s"}]}\n' \
  "$type" "$(base64 -w 0 < statement.json)" "$keyid" "$(base64 -w 0 < "$tmp/sig")" > envelope.json
