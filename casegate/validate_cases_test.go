package casegate_test

import "strings"

// What Validate makes of an output.
const (
	consistent    = "consistent"    // a DECIDE that nothing speaks against
	contradictory = "contradictory" // a DECIDE that the schema lets through
	invalid       = "invalid"       // by the schema
	malformed     = "malformed"     // not exactly one JSON value
	escalation    = "escalation"    // an ESCALATE, warned of or not
)

type outputCase struct {
	name, output string
	want         string
	at           string // the pointers of all findings, in order; "/" stands for the whole output
}

const (
	decide   = `{"action":"DECIDE","escalation_category":null,"confidence_score":0.97,"human_action_required":"NONE","audit_trail":["rule docs: passed"],"decision":"RELEASE"}`
	escalate = `{"action":"ESCALATE","escalation_category":"POLICY_VIOLATION","confidence_score":0,"human_action_required":"Call the consignee.","audit_trail":["rule embargo: fired"],"policy_violations":{"embargo":{"reason":"x"}}}`
)

// with sets a member of an output to a JSON text, or adds it: with(decide,
// "action", `"ESCALATE"`). An empty text takes it away.
func with(output, member, value string) string {
	key := `"` + member + `":`
	at := strings.Index(output, key)
	if at < 0 {
		return output[:len(output)-1] + "," + key + value + "}"
	}
	end := at + len(key)
	for depth, quoted := 0, false; ; end++ {
		switch c := output[end]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case depth > 0 && (c == '}' || c == ']'):
			depth--
		case depth == 0 && (c == ',' || c == '}'):
			if value != "" {
				return output[:at] + key + value + output[end:]
			}
			return strings.Replace(output[:at]+strings.TrimPrefix(output[end:], ","), ",}", "}", 1)
		}
	}
}

// d and e give the usual outputs with one member changed.
func d(member, value string) string { return with(decide, member, value) }
func e(member, value string) string { return with(escalate, member, value) }

var outputCases = []outputCase{
	// A DECIDE that nothing speaks against.
	{"decide", decide, consistent, ""},
	{"white space around it", " \r\n\t" + decide + "\n", consistent, ""},
	{"confidence at the floor", d("confidence_score", "0.8"), consistent, ""},
	{"confidence at the floor with more zeros", d("confidence_score", "0.80000000000000000000000000"), consistent, ""},
	{"confidence at the floor with an exponent", d("confidence_score", "80E-2"), consistent, ""},
	{"confidence 1", d("confidence_score", "1"), consistent, ""},
	{"confidence 1.0", d("confidence_score", "1.0"), consistent, ""},
	{"confidence 1E0", d("confidence_score", "1E0"), consistent, ""},
	{"confidence 1000e-3", d("confidence_score", "1000e-3"), consistent, ""},
	{"decision on the other list", d("decision", `"REFUSE"`), consistent, ""},
	{"empty blocks", with(with(decide, "policy_violations", "{}"), "conflicting_signals", "[]"), consistent, ""},
	{"empty escalation path", d("escalation_path", `""`), consistent, ""},
	{"selected route and rationale", with(d("selected_route", `"SEA"`), "rationale", `"All papers are there."`), consistent, ""},
	{"gates passed", d("policy_gates_passed", `["docs"]`), consistent, ""},
	{"additional members of other names", with(d("trace_id", `"7f"`), "model_opinion", `{"action":"DECIDE","confidence_score":1e999}`), consistent, ""},
	{"a number of any size beside the known ones", d("latency", "1e-99999999999"), consistent, ""},
	{"an additional member that says it does not escalate", with(d("escalate", "false"), "escalation_reason", `""`), consistent, ""},
	{"a member name written with an escape", strings.Replace(decide, `"action"`, `"\u0061ction"`, 1), consistent, ""},
	{"text of other scripts", d("rationale", `"书类齐全"`), consistent, ""},

	// A DECIDE that contradicts itself, or the policy.
	{"policy violation", d("policy_violations", `{"embargo":{}}`), contradictory, "/policy_violations"},
	{"missing precondition", d("missing_preconditions", `{"packing_list":{"reason":"x"}}`), contradictory, "/missing_preconditions"},
	{"boundary analysis", d("boundary_analysis", `{"assessment":null}`), contradictory, "/boundary_analysis"},
	{"confidence factors", d("confidence_factors", `{"":""}`), contradictory, "/confidence_factors"},
	{"conflicting signals", d("conflicting_signals", `[{}]`), contradictory, "/conflicting_signals"},
	{"external dependency", d("external_dependency", `{"awaiting":"x"}`), contradictory, "/external_dependency"},
	{"two blocks", with(d("external_dependency", `{"a":1}`), "policy_violations", `{"a":1}`), contradictory, "/policy_violations /external_dependency"},
	{"a human action", d("human_action_required", `"Call the consignee."`), contradictory, "/human_action_required"},
	{"human action in small letters", d("human_action_required", `"none"`), contradictory, "/human_action_required"},
	{"human action padded", d("human_action_required", `"NONE "`), contradictory, "/human_action_required"},
	{"human action empty", d("human_action_required", `""`), contradictory, "/human_action_required"},
	{"human action with a zero-width space", d("human_action_required", `"NONE\u200b"`), contradictory, "/human_action_required"},
	{"human action absent", d("human_action_required", ""), contradictory, "/human_action_required"},
	{"confidence below the floor", d("confidence_score", "0.7999"), contradictory, "/confidence_score"},
	{"confidence that only rounding lifts to the floor", d("confidence_score", "0.79999999999999999999999999"), contradictory, "/confidence_score"},
	{"confidence 0", d("confidence_score", "0"), contradictory, "/confidence_score"},
	{"confidence -0", d("confidence_score", "-0"), contradictory, "/confidence_score"},
	{"confidence -0.0e7", d("confidence_score", "-0.0e7"), contradictory, "/confidence_score"},
	{"confidence 1e-400", d("confidence_score", "1e-400"), contradictory, "/confidence_score"},
	{"confidence of a huge negative exponent", d("confidence_score", "9e-99999999999999999999"), contradictory, "/confidence_score"},
	{"decision on no list", d("decision", `"HOLD"`), contradictory, "/decision"},
	{"decision padded", d("decision", `" RELEASE"`), contradictory, "/decision"},
	{"decision in small letters", d("decision", `"release"`), contradictory, "/decision"},
	{"decision with a homoglyph", d("decision", `"R\u0415LEASE"`), contradictory, "/decision"},
	{"decision with a zero-width joiner", d("decision", `"RELEASE\u200d"`), contradictory, "/decision"},
	{"decision on both lists", d("decision", `"BOTH"`), contradictory, "/decision"},
	{"decision empty", d("decision", `""`), contradictory, "/decision"},
	{"decision blank though the policy lists it", d("decision", `" "`), contradictory, "/decision"},
	{"decision absent", d("decision", ""), contradictory, "/decision"},
	{"selected route blank", d("selected_route", `"\t"`), contradictory, "/selected_route"},
	{"escalation path", d("escalation_path", `"compliance"`), contradictory, "/escalation_path"},
	{"escalation path of a blank", d("escalation_path", `" "`), contradictory, "/escalation_path"},
	{"audit line empty", d("audit_trail", `["a",""]`), contradictory, "/audit_trail/1"},
	{"audit line of blanks", d("audit_trail", `["   "]`), contradictory, "/audit_trail/0"},
	{"audit line of zero-width characters", d("audit_trail", `["\u200b\u200d\ufeff\u2060"]`), contradictory, "/audit_trail/0"},
	{"audit line of fillers that count as letters", d("audit_trail", `["\u3164","\u2800","\ufe0f","\u034f"]`), contradictory, "/audit_trail/0 /audit_trail/1 /audit_trail/2 /audit_trail/3"},
	{"audit lines in numerical order", d("audit_trail", `["a","","a","a","a","a","a","a","a","a",""]`), contradictory, "/audit_trail/1 /audit_trail/10"},
	{"Action beside action", d("Action", `"DECIDE"`), contradictory, "/Action"},
	{"Action that says ESCALATE", d("Action", `"ESCALATE"`), contradictory, "/Action"},
	{"action with a blank", d("action ", `"ESCALATE"`), contradictory, "/action "},
	{"action with a zero-width space", d(`act\u200bion`, `"ESCALATE"`), contradictory, "/act\u200bion"},
	{"action with a null character", d(`action\u0000x`, `1`), contradictory, "/action\x00x"},
	{"action with Cyrillic letters", d(`\u0430\u0441t\u0456\u043en`, `1`), contradictory, "/асtіоn"},
	{"action in full-width letters", d("ａｃｔｉｏｎ", `1`), contradictory, "/ａｃｔｉｏｎ"},
	{"action with a digit", d("act1on", `1`), contradictory, "/act1on"},
	{"category in capitals", d("ESCALATION_CATEGORY", `null`), contradictory, "/ESCALATION_CATEGORY"},
	{"category in camel case", d("escalationCategory", `"POLICY_VIOLATION"`), contradictory, "/escalationCategory"},
	{"block with hyphens", d("policy-violations", `{"a":1}`), contradictory, "/policy-violations"},
	{"rn for m", d("hurnan_action_required", `"x"`), contradictory, "/hurnan_action_required"},
	{"capital I for l", d("poIicy_vioIations", `{}`), contradictory, "/poIicy_vioIations"},
	{"a slash and a tilde in the name", d("escalat~ion/reason", `1`), contradictory, "/escalat~0ion~1reason"},
	{"escalate: true", d("escalate", "true"), contradictory, "/escalate"},
	{"needsEscalation", d("needsEscalation", `"yes"`), contradictory, "/needsEscalation"},
	{"another verdict", d("verdict", `"escalate"`), contradictory, "/verdict"},
	{"a model that escalates", d("model_opinion", `{"answers":[{"action":"ESCALATE"}]}`), contradictory, "/model_opinion"},
	{"a category elsewhere", d("reason_code", `"Policy Violation"`), contradictory, "/reason_code"},
	{"everything at once", with(with(with(with(decide, "decision", `"?"`), "confidence_score", "0.1"), "zz_escalation", "1"), "ACTION", "1"), contradictory, "/confidence_score /decision /ACTION /zz_escalation"},

	// Not valid by the schema.
	{"an empty object", "{}", invalid, "/"},
	{"null", "null", invalid, "/"},
	{"a list", "[" + decide + "]", invalid, "/"},
	{"a string", `"DECIDE"`, invalid, "/"},
	{"a number of a huge exponent", "1e99999999999", invalid, "/"},
	{"no action", d("action", ""), invalid, "/ /escalation_category"},
	{"action in small letters", d("action", `"decide"`), invalid, "/action"},
	{"action padded", d("action", `"DECIDE "`), invalid, "/action"},
	{"action with a homoglyph", d("action", `"D\u0415CIDE"`), invalid, "/action"},
	{"action null", d("action", "null"), invalid, "/action"},
	{"action a list", d("action", `["DECIDE"]`), invalid, "/action"},
	{"no action, but Action", strings.Replace(decide, "action", "Action", 1), invalid, "/ /escalation_category /Action"},
	{"a category with DECIDE", d("escalation_category", `"POLICY_VIOLATION"`), invalid, "/escalation_category"},
	{"an empty category with DECIDE", d("escalation_category", `""`), invalid, "/escalation_category /escalation_category"},
	{"no category", d("escalation_category", ""), invalid, "/"},
	{"confidence above 1", d("confidence_score", "1.01"), invalid, "/confidence_score"},
	{"confidence above 1 by less than a float64 tells", d("confidence_score", "1.00000000000000000000000001"), invalid, "/confidence_score"},
	{"confidence below 0", d("confidence_score", "-0.5"), invalid, "/confidence_score /confidence_score"},
	{"confidence below 0 by less than a float64 tells", d("confidence_score", "-1e-400"), invalid, "/confidence_score /confidence_score"},
	{"confidence of a huge exponent", d("confidence_score", "1e999999999999"), invalid, "/confidence_score"},
	{"confidence a string", d("confidence_score", `"0.9"`), invalid, "/confidence_score"},
	{"confidence null", d("confidence_score", `null`), invalid, "/confidence_score"},
	{"no audit trail", d("audit_trail", ""), invalid, "/"},
	{"audit trail empty", d("audit_trail", "[]"), invalid, "/audit_trail"},
	{"audit trail a string", d("audit_trail", `"a"`), invalid, "/audit_trail"},
	{"audit lines that are no strings", d("audit_trail", `["a",1,null,"a","a","a","a","a","a","a",{}]`), invalid, "/audit_trail/1 /audit_trail/2 /audit_trail/10"},
	{"a block that is null", d("policy_violations", "null"), invalid, "/policy_violations"},
	{"a block of the wrong shape", d("external_dependency", `["x"]`), invalid, "/external_dependency /external_dependency"},
	{"a conflict that is a string", d("conflicting_signals", `["x"]`), invalid, "/conflicting_signals/0 /conflicting_signals"},
	{"decision null", d("decision", "null"), invalid, "/decision"},
	{"human action null", d("human_action_required", "null"), invalid, "/human_action_required"},
	{"ESCALATE without a category", e("escalation_category", "null"), invalid, "/escalation_category"},
	{"ESCALATE of another category", e("escalation_category", `"FRAUD"`), invalid, "/escalation_category /escalation_category"},

	// Not exactly one JSON value.
	{"nothing", "", malformed, ""},
	{"white space only", " \n", malformed, ""},
	{"cut off", decide[:len(decide)-2], malformed, ""},
	{"prose before", "Here it is: " + decide, malformed, ""},
	{"prose after", decide + " Done.", malformed, ""},
	{"fences", "```json\n" + decide + "\n```", malformed, ""},
	{"two objects", decide + decide, malformed, ""},
	{"NaN", d("confidence_score", "NaN"), malformed, ""},
	{"a bare point", d("confidence_score", ".9"), malformed, ""},
	{"a trailing comma", decide[:len(decide)-1] + ",}", malformed, ""},
	{"a comment", decide + "// fine", malformed, ""},
	{"a byte order mark", "\ufeff" + decide, malformed, ""},
	{"action twice", strings.Replace(decide, "{", `{"action":"ESCALATE",`, 1), malformed, ""},
	{"action twice, once with an escape", strings.Replace(decide, "{", `{"\u0061ction":"ESCALATE",`, 1), malformed, ""},
	{"a duplicate deep inside", d("x", `[{"a":{"b":1,"b":1}}]`), malformed, ""},
	{"bad UTF-8", d("rationale", "\"\xff\""), malformed, ""},
	{"a lone surrogate", d("rationale", `"\ud800"`), malformed, ""},
	{"nested too deeply", d("x", strings.Repeat("[", 64)+strings.Repeat("]", 64)), malformed, ""},
	{"too many members", d("x", "["+strings.Repeat("0,", 10_000)+"0]"), malformed, ""},

	// An ESCALATE, and what is worth a warning.
	{"escalate", escalate, escalation, ""},
	{"further blocks beside its own", e("external_dependency", `{"a":{}}`), escalation, ""},
	{"confidence just under one half", e("confidence_score", "0.49999999999999994"), escalation, ""},
	{"confidence one half", e("confidence_score", "5e-1"), escalation, "/confidence_score"},
	{"nobody has to act", e("human_action_required", `"None."`), escalation, "/human_action_required"},
	{"no block", e("policy_violations", ""), escalation, "/policy_violations"},
	{"its block empty", e("policy_violations", "{}"), escalation, "/policy_violations"},
	{"another category's block", with(e("policy_violations", ""), "external_dependency", `{"a":1}`), escalation, "/policy_violations"},
	{"a decision", e("decision", `"RELEASE"`), escalation, "/decision"},
	{"a route", e("selected_route", `""`), escalation, "/selected_route"},
	{"blank audit line", e("audit_trail", `["\u00a0"]`), escalation, "/audit_trail/0"},
	{"Action that says DECIDE", e("Action", `"DECIDE"`), escalation, "/Action"},
	{"it may speak of escalation", e("escalation_reason", `"POLICY_VIOLATION"`), escalation, ""},
	{"a path", e("escalation_path", `"compliance"`), escalation, ""},
}
