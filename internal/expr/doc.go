// Package expr is the one place where CEL expressions are compiled and run.
//
// It is CEL (https://cel.dev) with one change: comparisons, membership and
// arithmetic are three-valued. Plain CEL answers false, without an error, for
// NaN > 0.5, "82000" == 82000 and null == "IR", so a rule built on it silently
// doesn't fire. Here a comparison over a NaN, a null (unless against a literal
// null) or operands of different kinds has no value: the expression fails with
// an error, which the gates read as unknown. Missing keys are errors in CEL
// already. All numbers are one kind and are compared exactly; arithmetic mixes
// them. Errors run through !, &&, ||, ?: and the macros as CEL has it: true ||
// unknown is true, and so on.
//
// An expression's cost is bounded by [CostLimit]; there is no clock, no
// randomness and no I/O in reach of one.
package expr
