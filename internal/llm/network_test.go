package llm_test

import (
	"context"
	"crypto/x509"
	"encoding/binary"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/pawlgate/pawl/internal/llm"
)

// A redirect is not followed, neither to the same host nor to another: the key
// and the case went to one place, and stay there.
func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	var visits atomic.Int32
	other := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		visits.Add(1)
		writeJSON(w, completion(opinion))
	})
	for _, status := range []int{300, 301, 302, 303, 304, 307, 308} {
		for _, to := range []string{other + "/v1/chat/completions", "/v1/elsewhere", "", "://server-says", "file:///etc/passwd"} {
			wantFault(t, model(serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/v1/chat/completions" {
					visits.Add(1)
				}
				if to != "" {
					w.Header().Set("Location", to)
				}
				w.WriteHeader(status)
			})), fmt.Sprintf("HTTP status %d: a redirect", status), 1)
		}
	}
	if n := visits.Load(); n != 0 {
		t.Errorf("%d redirects were followed", n)
	}
}

// resolver is a resolver whose server says that every name has that address.
func resolver(t *testing.T, a netip.Addr) *net.Resolver {
	t.Helper()
	p, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() }) //nolint:errcheck // nothing depends on it
	go func() {
		buf := make([]byte, 1500)
		for {
			n, from, err := p.ReadFrom(buf)
			if err != nil {
				return
			}
			p.WriteTo(dnsReply(buf[:n], a), from) //nolint:errcheck // then the lookup fails
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", p.LocalAddr().String())
	}}
}

// dnsReply answers a query (RFC 1035) with one address, if it is of the kind
// that was asked for, and else with none.
func dnsReply(query []byte, a netip.Addr) []byte {
	end := 12
	for query[end] != 0 {
		end += int(query[end]) + 1
	}
	end += 5 // the name's end, the type, the class
	const typeA, typeAAAA = 1, 28
	kind := binary.BigEndian.Uint16(query[end-4:])
	match := kind == typeA && a.Is4() || kind == typeAAAA && a.Is6()
	reply := append([]byte{query[0], query[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, query[12:end]...)
	if match {
		reply[7] = 1
		reply = append(reply, 0xc0, 12)
		reply = binary.BigEndian.AppendUint16(reply, kind)
		reply = append(reply, 0, 1, 0, 0, 0, 60, 0, byte(a.BitLen()/8))
		reply = append(reply, a.AsSlice()...)
	}
	return reply
}

// What counts is the address that is dialled, not the name.
func TestAPublicNameOfAPrivateAddressIsRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"127.0.0.1", "10.1.2.3", "169.254.169.254", "0.0.0.0", "100.64.0.1", "::1", "fd00::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1"} {
		m := model("https://model.example:1")
		m.AllowPrivate = false
		c := newClient(t, m)
		c.SetResolver(resolver(t, netip.MustParseAddr(text)))
		a := ask(t, c, question)
		if !strings.Contains(a.Fault, "is not a public one, and allow_private is not set") || a.Attempts != 1 {
			t.Errorf("%s: %+v", text, a)
		}
	}
}

// With the operator's leave the same name is dialled, and no proxy: TestMain has
// named one in the environment, and net/http would use it for this name.
func TestAPrivateAddressIsDialledIfAllowed(t *testing.T) {
	t.Parallel()
	m := model(strings.Replace(serve(t, reply(completion(opinion))), "127.0.0.1", "model.example", 1))
	c := newClient(t, m)
	c.SetResolver(resolver(t, netip.MustParseAddr("127.0.0.1")))
	if a := ask(t, c, question); a.Text != opinion {
		t.Errorf("%+v", a)
	}
}

func TestANameThatDoesNotResolve(t *testing.T) {
	t.Parallel()
	c := newClient(t, model("http://model.example"))
	c.SetResolver(&net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, net.ErrClosed
	}})
	if a := ask(t, c, question); a.Fault != "the host's name can't be resolved" || a.Attempts != 3 {
		t.Errorf("%+v", a)
	}
}

func TestCheckAddress(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		address            string
		private, encrypted bool
		words              string
	}{
		{"8.8.8.8:443", false, true, ""},
		{"[2606:4700::1]:443", false, true, ""},
		{"8.8.8.8:443", true, true, ""},
		{"8.8.8.8:80", true, false, "is a public one, and http is not encrypted"},
		{"10.0.0.1:80", true, false, ""},
		{"10.0.0.1:443", true, true, ""},
		{"10.0.0.1:443", false, true, "10.0.0.1, is not a public one"},
		{"[fe80::1%lo]:443", false, true, "is not a public one"},
		{"/run/model.sock", true, true, "no usable address"},
		{"", true, true, "no usable address"},
	} {
		if got := llm.CheckAddress(tt.address, tt.private, tt.encrypted); (got == "") != (tt.words == "") || !strings.Contains(got, tt.words) {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}

func TestIsPublic(t *testing.T) {
	t.Parallel()
	public := "1.1.1.1 8.8.8.8 100.63.255.255 100.128.0.0 172.15.0.1 172.32.0.1 192.167.1.1 198.17.0.1 223.255.255.255 11.0.0.0 128.0.0.1 " +
		"2606:4700:4700::1111 2001:4860:4860::8888 2a00::1 ::ffff:8.8.8.8 64:ff9b::808:808"
	private := "0.0.0.0 0.1.2.3 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.1 127.255.255.255 169.254.169.254 172.16.0.1 172.31.255.255 " +
		"192.0.0.1 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255 " +
		":: ::1 ::7f00:1 ::808:808 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:0:7f00:1 64:ff9b::7f00:1 64:ff9b::a00:1 64:ff9b:1::808:808 100::1 " +
		"2001::1 2001:db8::1 2002:7f00:1:: 2002:808:808:: 3fff::1 fc00::1 fd12::1 fe80::1 fe80::1%eth0 fec0::1 ff02::1 5f00::1 2001:10::1"
	for text := range strings.FieldsSeq(public) {
		if !llm.IsPublic(netip.MustParseAddr(text)) {
			t.Errorf("%s is public", text)
		}
	}
	for text := range strings.FieldsSeq(private) {
		if llm.IsPublic(netip.MustParseAddr(text)) {
			t.Errorf("%s isn't public", text)
		}
	}
	if llm.IsPublic(netip.Addr{}) {
		t.Error("no address is public")
	}
}

func TestCertificatesAreChecked(t *testing.T) {
	t.Parallel()
	s := httptest.NewUnstartedServer(read(reply(completion(opinion))))
	s.EnableHTTP2 = true
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())

	wantFault(t, model(s.URL), "certificate is not trusted", 1)

	wrong := model(strings.Replace(s.URL, "127.0.0.1", "model.test", 1))
	c := newClient(t, wrong)
	c.Trust(pool)
	c.SetResolver(resolver(t, netip.MustParseAddr("127.0.0.1")))
	if a := ask(t, c, question); !strings.Contains(a.Fault, "certificate is not trusted, or is not for this host") || a.Attempts != 1 {
		t.Errorf("%+v", a)
	}

	c = newClient(t, model(s.URL))
	c.Trust(pool)
	if a := ask(t, c, question); a.Text != opinion {
		t.Errorf("%+v", a)
	}

	plain := strings.Replace(serve(t, reply(completion(opinion))), "http:", "https:", 1)
	wantFault(t, model(plain), "doesn't speak TLS", 1)
}
