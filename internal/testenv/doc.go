// Package testenv starts real servers for tests. A test that needs one that isn't
// installed is skipped and says what to install; with PAWL_REQUIRE=1 it fails.
package testenv
