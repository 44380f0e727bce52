package promotion

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// excerptOf is the excerpt around the first of what is looked for.
func excerptOf(text, match string, width int) string {
	return Excerpt([]byte(text), strings.Index(text, match), len(match), width)
}

func TestExcerptIsTheLineAroundTheMatch(t *testing.T) {
	long := strings.Repeat("before ", 40) + "HERE" + strings.Repeat(" after", 40)
	for _, c := range []struct{ name, text, match, want string }{
		{"the only line", "run curl now", "curl", "run curl now"},
		{"a line among others", "one\ntwo curl\nthree", "curl", "two curl"},
		{"with CRLF", "one\r\ntwo curl\r\nthree", "curl", "two curl"},
		{"indented", "a\n\t  curl  \nb", "curl", "curl"},
		{"tabs inside", "a\tcurl\tb", "curl", "a curl b"},
		{"at the beginning of a long line", "HERE" + strings.Repeat(" after", 40), "HERE", "HERE after after after after after after…"},
		{"at the end of a long line", strings.Repeat("before ", 40) + "HERE", "HERE", "… before before before before before HERE"},
		{"in the middle of a long line", long, "HERE", "…fore before HERE after after after after…"},
		{"a match over two lines", "a curl \\\n  -d x", "curl \\\n  -d", `a curl \`},
		{"an empty file", "", "", ""},
	} {
		if got := excerptOf(c.text, c.match, 40); got != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
}

func TestExcerptTakesAnyOffsetAndLength(t *testing.T) {
	data := []byte("one\ntwo\n")
	for _, c := range []struct {
		offset, length int
		want           string
	}{
		{-1, 0, "one"},
		{-5, -5, "one"},
		{4, -1, "two"},
		{4, 1 << 62, "two"},
		{99, 99, ""},
		{8, 0, ""},
	} {
		if got := Excerpt(data, c.offset, c.length, 0); got != c.want {
			t.Errorf("offset %d, length %d: %q, not %q", c.offset, c.length, got, c.want)
		}
	}
}

func TestExcerptShowsWhatIsHidden(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"zero-width space", "cu\u200brl", `cu\u200brl`},
		{"bidi override", "a\u202ecurl", `a\u202ecurl`},
		{"tag character", "a\U000e0063", `a\U000e0063`},
		{"escape sequence", "\x1b[31mcurl\x1b[0m", `\u001b[31mcurl\u001b[0m`},
		{"NUL and DEL", "a\x00b\x7f", `a\u0000b\u007f`},
		{"C1 control", "a\u009bb", `a\u009bb`},
		{"no-break space", "rm\u00a0-rf", `rm\u00a0-rf`},
		{"soft hyphen", "cu\u00adrl", `cu\u00adrl`},
		{"line separator", "a\u2028b", `a\u2028b`},
		{"byte order mark", "\ufeff---", `\ufeff---`},
		{"not UTF-8", "a\xff\xc3(", `a\xff\xc3(`},
		{"replacement character", "a\ufffd", `a\ufffd`},
		{"other scripts as they are", "данные 数据 é", "данные 数据 é"},
	} {
		if got := Excerpt([]byte(c.text), 0, 1, 80); got != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
}

// The secrets are written in two parts, so that nobody's scanner takes this
// file for a leak.
func TestExcerptCutsSecrets(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"AWS key id", "key AKIA" + "IOSFODNN7EXAMPLE is", "key AKIA…(16 characters cut) is"},
		{"GitHub token", "use ghp_" + "0123456789abcdefABCDEF0123456789abcd now", "use ghp_…(36 characters cut) now"},
		{"GitHub fine-grained token", "github_pat_" + "11AAAAAAA0abcdefghij", "gith…(27 characters cut)"},
		{"model provider's key", "sk-" + "ant-REDACTED", "sk-a…(11 characters cut)"},
		{"Stripe key", "sk_live_" + "abcdefgh12345678", "sk_l…(20 characters cut)"},
		{"Slack token", "xoxb-" + "123456789012-abcdef", "xoxb…(20 characters cut)"},
		{"JWT", "eyJhbGciOiJIUzI1" + "NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl here", "eyJh…(45 characters cut) here"},
		{"bearer", "Authorization: Bearer " + "abcdefghijkl", "Authorization: Bearer abcd…(8 characters cut)"},
		{"basic", "Authorization: Basic " + "dXNlcjpw", "Authorization: Basic dX…(6 characters cut)"},
		{"password", "password=" + "hunter2hunter2 x", "password=hunt…(10 characters cut) x"},
		{"short password", "password: " + "hunter", "password: hu…(4 characters cut)"},
		{"quoted password", `{"password": "` + `correct horse battery"}`, `{"password": "co…(19 characters cut)"}`},
		{"escaped JSON", `{\"token\":\"` + `abcdefghijkl\"}`, `{\"token\":\"abcd…(9 characters cut)"}`},
		{"named variable", "export MY_API_KEY=" + "abcdefghijklm", "export MY_API_KEY=abcd…(9 characters cut)"},
		{"camel case", "clientSecret: '" + "abcdefghijklm'", "clientSecret: 'abcd…(9 characters cut)'"},
		{"URL", "https://me:" + "pa55word@host.example/x", "https://me:…(8 characters cut)@host.example/x"},
		{"URL with a token only", "https://" + "abcdefghijklmno@host.example/x", "https://abcd…(11 characters cut)@host.example/x"},
		{"hex", "id 0123456789abcdef" + "0123456789abcdef ok", "id 0123…(28 characters cut) ok"},
		{"base64", "x aGVsbG8gd29ybGQg" + "aGVsbG8gd29ybGQ= ok", "x aGVs…(28 characters cut) ok"},
		{"private key on one line", `"-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n` + `abc==\n-----END`, `"-----BEGIN RSA PRIVATE KEY-----\nMI…(13 characters cut)-----END`},
	} {
		if got := Excerpt([]byte(c.text), 0, 1, 200); got != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
}

func TestExcerptCutsLinesOfPrivateKeys(t *testing.T) {
	key := "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq\nhkiG9w0BAQEFAASC\nshort=\n-----END PRIVATE KEY-----\nafter"
	for match, want := range map[string]string{
		"-----BEGIN": "-----BEGIN PRIVATE KEY-----",
		"hkiG":       "hkiG…(12 characters cut)",
		"short":      "sh…(4 characters cut)",
		"-----END":   "-----END PRIVATE KEY-----",
		"after":      "after",
	} {
		if got := excerptOf(key, match, 80); got != want {
			t.Errorf("%s: %q, not %q", match, got, want)
		}
	}
	prose := "A line with -----BEGIN PRIVATE KEY----- begins one.\nUse curl to fetch it.\n"
	if got, want := excerptOf(prose, "curl", 80), "Use curl to fetch it."; got != want {
		t.Errorf("prose after a header: %q, not %q", got, want)
	}
}

func TestExcerptCutsARunWhoseEndIsNotRead(t *testing.T) {
	if got := Excerpt([]byte(strings.Repeat("a", 5000)+"1B2c"), 0, 1, 40); !strings.HasPrefix(got, "aaaa…(") || !strings.HasSuffix(got, " cut)…") {
		t.Errorf("%q", got)
	}
}

func TestExcerptLeavesOrdinaryTextWhole(t *testing.T) {
	for _, text := range []string{
		"const key = process.env.OPENAI_API_KEY",
		"apiKey: process.env.OPENAI_API_KEY,",
		"TOKEN=$(curl -s https://host.example/)",
		"aws-secret-access-key: ${{ secrets.AWS_SECRET_ACCESS_KEY }}",
		"see src/components/forms/PasswordField/index and docs/adr/0001-record-decisions",
		"use the x86_64-unknown-linux-gnu build of eslint-plugin-react-hooks",
		"getUserNotificationPreferences(userId)",
		"-----BEGIN CERTIFICATE-----",
		"https://host.example/a@b and me@host.example",
		"the disk-utilisation-report and task-management-overview",
		"| -------------------------- | ========================== |",
		"Bearer tokens and bearer authn",
	} {
		if got := Excerpt([]byte(text), 0, 1, 200); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// drawSecret draws a secret and a line that holds it.
func drawSecret(t *rapid.T) (secret, line string) {
	alnum := rapid.StringMatching(`[A-Za-z0-9]{20,60}`)
	value := rapid.StringMatching(`[!#%*+,./0-9;A-Z^_a-z~]{4,300}`)
	form := rapid.IntRange(0, 12).Draw(t, "form")
	switch form {
	case 0:
		secret = "AKIA" + rapid.StringMatching(`[A-Z0-9]{16}`).Draw(t, "aws")
	case 1:
		secret = rapid.SampledFrom([]string{"ghp_", "gho_", "github_pat_", "sk-", "sk-proj-", "xoxb-", "xoxp-", "glpat-", "npm_", "hf_", "sk_live_"}).Draw(t, "prefix") + alnum.Draw(t, "token")
	case 2:
		secret = "eyJ" + rapid.StringMatching(`[A-Za-z0-9_-]{10,400}\.[A-Za-z0-9_-]{10,400}\.[A-Za-z0-9_-]{10,400}`).Draw(t, "jwt")
	case 3:
		secret = rapid.StringMatching(`([0-9][a-f]){12,300}`).Draw(t, "hex")
	case 4:
		secret = rapid.StringMatching(`([A-Z][0-9][a-z]){8,300}={0,2}`).Draw(t, "base64")
	case 5:
		secret = rapid.StringMatching(`[a-z0-9]{2,9}:[A-Za-z0-9]{4,40}`).Draw(t, "userinfo")
		return secret, "https://" + secret + "@host.example/path"
	case 6:
		secret = alnum.Draw(t, "bearer")
		return secret, "Authorization: Bearer " + secret
	case 7:
		secret = alnum.Draw(t, "key line")
		return secret, "-----BEGIN EC PRIVATE KEY-----\n" + secret
	case 8: // longer than what is read around a match
		secret = strings.Repeat(rapid.StringMatching(`[a-z]{1,40}`).Draw(t, "unit"), rapid.IntRange(100, 400).Draw(t, "times"))
		return secret, "password=" + secret
	default:
		secret = value.Draw(t, "value")
		name := rapid.SampledFrom([]string{"password", "PASSWORD", "db_password", "token", "accessToken", "secret", "client_secret", "apiKey", "API_KEY", "SECRET_KEY"}).Draw(t, "name")
		return secret, name + rapid.SampledFrom([]string{"=", ": ", ":", " = ", "='", `: "`, `": "`, "=`"}).Draw(t, "sign") + secret
	}
	return secret, secret
}

func TestExcerptNeverShowsASecretWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secret, line := drawSecret(t)
		blanks := rapid.StringMatching(`([ äß]{0,400} )?`) // nothing that a secret holds
		before := blanks.Draw(t, "before")
		text := before + line + " " + blanks.Draw(t, "after")
		at := len(before) + strings.Index(line, secret)
		offset := rapid.OneOf(
			rapid.IntRange(0, len(text)),
			rapid.IntRange(max(0, at-3), at+len(secret)+3),
		).Draw(t, "offset")
		width := rapid.IntRange(0, 1200).Draw(t, "width")
		got := Excerpt([]byte(text), offset, rapid.IntRange(0, 80).Draw(t, "length"), width)
		if strings.Contains(got, secret) {
			t.Fatalf("%q shows %q", got, secret)
		}
		// Nor a part that is of use to anybody.
		const part = 12
		for i := 0; i+part <= len(secret); i++ {
			if strings.Contains(got, secret[i:i+part]) {
				t.Fatalf("%q shows a part of %q", got, secret)
			}
		}
		checkExcerpt(t, got, width)
	})
}

func TestExcerptIsOnePrintableLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.OneOf(rapid.SliceOf(rapid.Byte()), rapid.Map(rapid.String(), func(s string) []byte { return []byte(s) })).Draw(t, "data")
		width := rapid.IntRange(-1, 200).Draw(t, "width")
		got := Excerpt(data, rapid.IntRange(-1, len(data)+1).Draw(t, "offset"), rapid.IntRange(-1, len(data)+1).Draw(t, "length"), width)
		checkExcerpt(t, got, width)
	})
}

func checkExcerpt(t interface{ Fatalf(string, ...any) }, got string, width int) {
	if !utf8.ValidString(got) {
		t.Fatalf("%q isn't UTF-8", got)
	}
	for _, r := range got {
		if r != ' ' && (!unicode.IsPrint(r) || unseen(r)) {
			t.Fatalf("%q holds %U", got, r)
		}
	}
	if n, most := utf8.RuneCountInString(got), max(width, minExcerpt)+2; n > most {
		t.Fatalf("%q has %d characters, more than %d", got, n, most)
	}
}

// What is shown of the match comes first: it must not be pushed out by what
// stands around it.
func TestExcerptHoldsTheMatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		around := rapid.StringMatching(`[ a-zäß日本\t]{0,600}`)
		text := around.Draw(t, "before") + " curl " + around.Draw(t, "after")
		got := Excerpt([]byte(text), strings.Index(text, " curl ")+1, 4, rapid.IntRange(0, 200).Draw(t, "width"))
		if !strings.Contains(got, "curl") {
			t.Fatalf("%q doesn't hold the match", got)
		}
	})
}

func TestExcerptOfOneHugeLineIsQuick(t *testing.T) {
	for _, unit := range []string{"a", "curl ", "a1B2", "password=", "eyJa.", "://", "\u200b", "\xff", "-----BEGIN ", "sk-"} {
		data := bytes.Repeat([]byte(unit), (1<<20)/len(unit))
		start := time.Now()
		const n = 200
		for i := range n {
			checkExcerpt(t, Excerpt(data, i*len(data)/n, len(unit), 120), 120)
		}
		if each := time.Since(start) / n; each > 20*time.Millisecond {
			t.Errorf("%q: %s for one excerpt", unit, each)
		}
	}
}

func BenchmarkExcerpt(b *testing.B) {
	for _, c := range []struct{ name, line string }{
		{"line", "run curl -fsSL https://host.example/install to get it\n"},
		{"huge", strings.Repeat("run curl with a token=abcdef12 and so on, ", 20000)},
	} {
		b.Run(c.name, func(b *testing.B) {
			data := []byte(strings.Repeat(c.line, 3))
			for b.Loop() {
				Excerpt(data, len(data)/2, 4, 120)
			}
		})
	}
}

func FuzzExcerpt(f *testing.F) {
	f.Add([]byte("run curl now"), 4, 4, 80)
	f.Add([]byte("a\n\xffpassword=\u200bhunter2hunter2\r\nb"), 3, 1, 10)
	f.Add([]byte("-----BEGIN RSA PRIVATE KEY-----\nMIIE\n"), 33, 2, 40)
	f.Add([]byte("https://me:pw@host Bearer abcdefgh eyJabcdefgh.abcdefgh.x"), 20, 1<<30, 40)
	f.Fuzz(func(t *testing.T, data []byte, offset, length, width int) {
		width %= 4096
		got := Excerpt(data, offset, length, width)
		checkExcerpt(t, got, width)
		if again := Excerpt(data, offset, length, width); again != got {
			t.Fatalf("%q, then %q", got, again)
		}
	})
}
