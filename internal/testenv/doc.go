// Package testenv starts real servers for tests.
package testenv
