package llm

import (
	"context"
	"crypto/x509"
	"net"
	"net/netip"
	"time"
)

// SetBackoff takes chance and waiting out of the retries.
func (c *Client) SetBackoff(d time.Duration) { c.backoff = func(int) time.Duration { return d } }

// SetResolver makes the client look names up elsewhere.
func (c *Client) SetResolver(r *net.Resolver) { c.dialer.NetDialer.Resolver = r }

// Trust makes the client trust the certificates.
func (c *Client) Trust(pool *x509.CertPool) { c.dialer.Config.RootCAs = pool }

// Dial makes a connection as the client does.
func (c *Client) Dial(ctx context.Context, address string) (net.Conn, error) {
	return c.transport.DialContext(ctx, "tcp", address)
}

// Backoff is the pause before a retry.
func Backoff(retry int) time.Duration { return backoff(retry) }

// IsPublic tells whether an address is one of the public internet.
func IsPublic(a netip.Addr) bool { return isPublic(a) }

// RetryAfter reads the header of that name.
func RetryAfter(values ...string) time.Duration { return retryAfter(values) }

// CheckAddress returns why an address must not be dialled.
func CheckAddress(address string, allowPrivate, encrypted bool) string {
	if err := checkAddress(address, Model{AllowPrivate: allowPrivate}, encrypted); err != nil {
		return err.Error()
	}
	return ""
}

// ReadCompletion returns the text in an envelope, the envelope that the client
// library is given, and the fault.
func ReadCompletion(body []byte) (model, text, fault string, envelope []byte) {
	c, f := readCompletion(body)
	if f != nil {
		return c.model, c.text, f.words, nil
	}
	e, err := c.envelope()
	if err != nil {
		return c.model, c.text, err.Error(), nil
	}
	return c.model, c.text, "", e
}
