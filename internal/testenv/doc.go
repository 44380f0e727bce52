// Package testenv starts real servers for tests. A test skips where one isn't
// installed, saying what to install, unless PAWL_REQUIRE=1 makes that a failure.
package testenv
