package llm

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"syscall"
)

// special are the addresses that aren't on the public internet, or that lead
// to such by a tunnel: IANA's registries of special-purpose addresses, with
// multicast.
var special = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
	"192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15",
	"198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
	// Of IPv6 only 2000::/3 is given out; these lie within.
	"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
)

var (
	global6 = netip.MustParsePrefix("2000::/3")
	nat64   = netip.MustParsePrefix("64:ff9b::/96")
)

func prefixes(texts ...string) []netip.Prefix {
	ps := make([]netip.Prefix, len(texts))
	for i, t := range texts {
		ps[i] = netip.MustParsePrefix(t)
	}
	return ps
}

// isPublic tells whether an address is one of the public internet. An IPv4
// address inside an IPv6 one counts as itself.
func isPublic(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	if nat64.Contains(a) {
		b := a.As16()
		a = netip.AddrFrom4([4]byte(b[12:]))
	}
	if !a.IsValid() || a.Is6() && !global6.Contains(a) {
		return false
	}
	for _, p := range special {
		if p.Contains(a) {
			return false
		}
	}
	return true
}

// checkAddress decides whether a connection may be made: it is asked after the
// name was resolved, about the very address that is dialled. Without encryption
// nothing may leave for the public internet.
func checkAddress(address string, m Model, encrypted bool) error {
	ap, err := netip.ParseAddrPort(address)
	if err != nil {
		return &fault{words: "the host has no usable address"}
	}
	switch public := isPublic(ap.Addr()); {
	case !public && !m.AllowPrivate:
		return &fault{words: fmt.Sprintf("the host's address, %s, is not a public one, and allow_private is not set", ap.Addr())}
	case public && !encrypted:
		return &fault{words: fmt.Sprintf("the host's address, %s, is a public one, and http is not encrypted", ap.Addr())}
	default:
		return nil
	}
}

// newTransport makes the connections of one client. It knows no proxy, neither
// asks for compressed answers nor unpacks them, and uses a connection once.
func newTransport(m Model, encrypted bool) (*http.Transport, *tls.Dialer) {
	d := &tls.Dialer{
		NetDialer: &net.Dialer{
			ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
				return checkAddress(address, m, encrypted)
			},
		},
		Config: &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}},
	}
	return &http.Transport{
		Proxy:                  nil,
		DialContext:            speakFirst(d.NetDialer.DialContext),
		DialTLSContext:         speakFirst(d.DialContext),
		DisableCompression:     true,
		DisableKeepAlives:      true,
		MaxResponseHeaderBytes: 64 << 10,
	}, d
}

type dial = func(ctx context.Context, network, address string) (net.Conn, error)

// speakFirst makes connections on which nothing is read before something was
// written. What a server says unasked would else go to the log, by net/http, in
// the server's words.
func speakFirst(d dial) dial {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := d(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &patient{Conn: c, open: make(chan struct{})}, nil
	}
}

// patient is a connection that reads once it was written to, or closed.
type patient struct {
	net.Conn
	once sync.Once
	open chan struct{}
}

func (p *patient) release() { p.once.Do(func() { close(p.open) }) }

func (p *patient) Read(b []byte) (int, error) {
	<-p.open
	return p.Conn.Read(b)
}

func (p *patient) Write(b []byte) (int, error) {
	p.release()
	return p.Conn.Write(b)
}

func (p *patient) Close() error {
	p.release()
	return p.Conn.Close()
}
