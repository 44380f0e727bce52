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

// dec and esc give the usual outputs with one member changed.
func dec(member, value string) string { return with(decide, member, value) }
func esc(member, value string) string { return with(escalate, member, value) }

var outputCases = []outputCase{
	// A DECIDE that nothing speaks against.
	{"decide", decide, consistent, ""},
	{"white space around it", " \r\n\t" + decide + "\n", consistent, ""},
	{"confidence at the floor", dec("confidence_score", "0.8"), consistent, ""},
	{"confidence at the floor with more zeros", dec("confidence_score", "0.80000000000000000000000000"), consistent, ""},
	{"confidence at the floor with an exponent", dec("confidence_score", "80E-2"), consistent, ""},
	{"confidence 1", dec("confidence_score", "1"), consistent, ""},
	{"confidence 1.0", dec("confidence_score", "1.0"), consistent, ""},
	{"confidence 1E0", dec("confidence_score", "1E0"), consistent, ""},
	{"confidence 1000e-3", dec("confidence_score", "1000e-3"), consistent, ""},
	{"decision on the other list", dec("decision", `"REFUSE"`), consistent, ""},
	{"empty blocks", with(with(decide, "policy_violations", "{}"), "conflicting_signals", "[]"), consistent, ""},
	{"empty escalation path", dec("escalation_path", `""`), consistent, ""},
	{"selected route and rationale", with(dec("selected_route", `"SEA"`), "rationale", `"All papers are there."`), consistent, ""},
	{"gates passed", dec("policy_gates_passed", `["docs"]`), consistent, ""},
	{"additional members of other names", with(dec("trace_id", `"7f"`), "model_opinion", `{"action":"DECIDE","confidence_score":1e999}`), consistent, ""},
	{"a number of any size beside the known ones", dec("latency", "1e-99999999999"), consistent, ""},
	{"an additional member that says it does not escalate", with(with(with(dec("escalate", "false"), "escalation_reason", `""`), "escalated_by", "null"), "escalations", "[]"), consistent, ""},
	{"a member name written with an escape", strings.Replace(decide, `"action"`, `"\u0061ction"`, 1), consistent, ""},
	{"text of other scripts", dec("rationale", `"书类齐全"`), consistent, ""},
	{"additional text of other scripts", dec("note", `["одобрено","თანხმობა"]`), consistent, ""},
	{"an additional name of other scripts", with(dec("примечания", `"x"`), "оплата", "1"), consistent, ""},

	// A DECIDE that contradicts itself, or the policy.
	{"policy violation", dec("policy_violations", `{"embargo":{}}`), contradictory, "/policy_violations"},
	{"missing precondition", dec("missing_preconditions", `{"packing_list":{"reason":"x"}}`), contradictory, "/missing_preconditions"},
	{"boundary analysis", dec("boundary_analysis", `{"assessment":null}`), contradictory, "/boundary_analysis"},
	{"confidence factors", dec("confidence_factors", `{"":""}`), contradictory, "/confidence_factors"},
	{"conflicting signals", dec("conflicting_signals", `[{}]`), contradictory, "/conflicting_signals"},
	{"external dependency", dec("external_dependency", `{"awaiting":"x"}`), contradictory, "/external_dependency"},
	{"two blocks", with(dec("external_dependency", `{"a":1}`), "policy_violations", `{"a":1}`), contradictory, "/policy_violations /external_dependency"},
	{"a human action", dec("human_action_required", `"Call the consignee."`), contradictory, "/human_action_required"},
	{"human action in small letters", dec("human_action_required", `"none"`), contradictory, "/human_action_required"},
	{"human action padded", dec("human_action_required", `"NONE "`), contradictory, "/human_action_required"},
	{"human action empty", dec("human_action_required", `""`), contradictory, "/human_action_required"},
	{"human action with a zero-width space", dec("human_action_required", `"NONE\u200b"`), contradictory, "/human_action_required"},
	{"human action absent", dec("human_action_required", ""), contradictory, "/human_action_required"},
	{"confidence below the floor", dec("confidence_score", "0.7999"), contradictory, "/confidence_score"},
	{"confidence that only rounding lifts to the floor", dec("confidence_score", "0.79999999999999999999999999"), contradictory, "/confidence_score"},
	{"confidence 0", dec("confidence_score", "0"), contradictory, "/confidence_score"},
	{"confidence -0", dec("confidence_score", "-0"), contradictory, "/confidence_score"},
	{"confidence -0.0e7", dec("confidence_score", "-0.0e7"), contradictory, "/confidence_score"},
	{"confidence 1e-400", dec("confidence_score", "1e-400"), contradictory, "/confidence_score"},
	{"confidence of a huge negative exponent", dec("confidence_score", "9e-99999999999999999999"), contradictory, "/confidence_score"},
	{"decision on no list", dec("decision", `"HOLD"`), contradictory, "/decision"},
	{"decision padded", dec("decision", `" RELEASE"`), contradictory, "/decision"},
	{"decision in small letters", dec("decision", `"release"`), contradictory, "/decision"},
	{"decision with a homoglyph", dec("decision", `"R\u0415LEASE"`), contradictory, "/decision"},
	{"decision with a zero-width joiner", dec("decision", `"RELEASE\u200d"`), contradictory, "/decision"},
	{"decision on both lists", dec("decision", `"BOTH"`), contradictory, "/decision"},
	{"decision empty", dec("decision", `""`), contradictory, "/decision"},
	{"decision blank though the policy lists it", dec("decision", `" "`), contradictory, "/decision"},
	{"decision absent", dec("decision", ""), contradictory, "/decision"},
	{"decision to escalate, though the policy lists it", dec("decision", `"Escalate"`), contradictory, "/decision"},
	{"route to a category", dec("selected_route", `"EXTERNAL_DEPENDENCY"`), contradictory, "/selected_route"},
	{"selected route blank", dec("selected_route", `"\t"`), contradictory, "/selected_route"},
	{"escalation path", dec("escalation_path", `"compliance"`), contradictory, "/escalation_path"},
	{"escalation path of a blank", dec("escalation_path", `" "`), contradictory, "/escalation_path"},
	{"audit line empty", dec("audit_trail", `["a",""]`), contradictory, "/audit_trail/1"},
	{"audit line of blanks", dec("audit_trail", `["   "]`), contradictory, "/audit_trail/0"},
	{"audit line of zero-width characters", dec("audit_trail", `["\u200b\u200d\ufeff\u2060"]`), contradictory, "/audit_trail/0"},
	{"audit line of fillers that count as letters", dec("audit_trail", `["\u3164","\u2800","\ufe0f","\u034f"]`), contradictory, "/audit_trail/0 /audit_trail/1 /audit_trail/2 /audit_trail/3"},
	{"audit lines in numerical order", dec("audit_trail", `["a","","a","a","a","a","a","a","a","a",""]`), contradictory, "/audit_trail/1 /audit_trail/10"},
	{"Action beside action", dec("Action", `"DECIDE"`), contradictory, "/Action"},
	{"Action that says ESCALATE", dec("Action", `"ESCALATE"`), contradictory, "/Action"},
	{"action with a blank", dec("action ", `"ESCALATE"`), contradictory, "/action "},
	{"action with a zero-width space", dec(`act\u200bion`, `"ESCALATE"`), contradictory, "/act\u200bion"},
	{"action with a null character", dec(`action\u0000x`, `1`), contradictory, "/action\x00x"},
	{"action with Cyrillic letters", dec(`\u0430\u0441t\u0456\u043en`, `1`), contradictory, "/асtіоn"},
	{"decision all in Cyrillic", dec(`\u0501\u0435\u0441\u0456\u0455\u0456\u043e\u043f`, `1`), contradictory, "/ԁесіѕіоп"},
	{"action with letters of three scripts", dec(`\u13a0ct\u13a5\u13beN`, `1`), contradictory, "/ᎠctᎥᎾN"},
	{"action with marks", dec("äçţïöñ", `1`), contradictory, "/äçţïöñ"},
	{"action in letters of mathematics", dec(`\ud835\udc1action`, `1`), contradictory, "/𝐚ction"},
	{"action in full-width letters", dec("ａｃｔｉｏｎ", `1`), contradictory, "/ａｃｔｉｏｎ"},
	{"action with a digit", dec("act1on", `1`), contradictory, "/act1on"},
	{"category in capitals", dec("ESCALATION_CATEGORY", `null`), contradictory, "/ESCALATION_CATEGORY"},
	{"category in camel case", dec("escalationCategory", `"POLICY_VIOLATION"`), contradictory, "/escalationCategory"},
	{"block with hyphens", dec("policy-violations", `{"a":1}`), contradictory, "/policy-violations"},
	{"rn for m", dec("hurnan_action_required", `"x"`), contradictory, "/hurnan_action_required"},
	{"capital I for l", dec("poIicy_vioIations", `{}`), contradictory, "/poIicy_vioIations"},
	{"a slash and a tilde in the name", dec("escalat~ion/reason", `1`), contradictory, "/escalat~0ion~1reason"},
	{"escalate: true", dec("escalate", "true"), contradictory, "/escalate"},
	{"needsEscalation", dec("needsEscalation", `"yes"`), contradictory, "/needsEscalation"},
	{"escalate with Cyrillic letters", dec(`\u0435s\u0441\u0430late`, "true"), contradictory, "/еsсаlate"},
	{"another verdict with a homoglyph", dec("verdict", `"\u0415SCALATE"`), contradictory, "/verdict"},
	{"another verdict", dec("verdict", `"escalate"`), contradictory, "/verdict"},
	{"a model that escalates", dec("model_opinion", `{"answers":[{"action":"ESCALATE"}]}`), contradictory, "/model_opinion"},
	{"a category elsewhere", dec("reason_code", `"Policy Violation"`), contradictory, "/reason_code"},
	{"everything at once", with(with(with(with(decide, "decision", `"?"`), "confidence_score", "0.1"), "zz_escalation", "1"), "ACTION", "1"), contradictory, "/confidence_score /decision /ACTION /zz_escalation"},

	// Not valid by the schema.
	{"an empty object", "{}", invalid, "/"},
	{"null", "null", invalid, "/"},
	{"a list", "[" + decide + "]", invalid, "/"},
	{"a string", `"DECIDE"`, invalid, "/"},
	{"a number of a huge exponent", "1e99999999999", invalid, "/"},
	{"no action", dec("action", ""), invalid, "/ /escalation_category"},
	{"action in small letters", dec("action", `"decide"`), invalid, "/action"},
	{"action padded", dec("action", `"DECIDE "`), invalid, "/action"},
	{"action with a homoglyph", dec("action", `"D\u0415CIDE"`), invalid, "/action"},
	{"action null", dec("action", "null"), invalid, "/action"},
	{"action a list", dec("action", `["DECIDE"]`), invalid, "/action"},
	{"no action, but Action", strings.Replace(decide, "action", "Action", 1), invalid, "/ /escalation_category /Action"},
	{"a category with DECIDE", dec("escalation_category", `"POLICY_VIOLATION"`), invalid, "/escalation_category"},
	{"an empty category with DECIDE", dec("escalation_category", `""`), invalid, "/escalation_category /escalation_category"},
	{"no category", dec("escalation_category", ""), invalid, "/"},
	{"confidence above 1", dec("confidence_score", "1.01"), invalid, "/confidence_score"},
	{"confidence above 1 by less than a float64 tells", dec("confidence_score", "1.00000000000000000000000001"), invalid, "/confidence_score"},
	{"confidence below 0", dec("confidence_score", "-0.5"), invalid, "/confidence_score /confidence_score"},
	{"confidence below 0 by less than a float64 tells", dec("confidence_score", "-1e-400"), invalid, "/confidence_score /confidence_score"},
	{"confidence of a huge exponent", dec("confidence_score", "1e999999999999"), invalid, "/confidence_score"},
	{"confidence a string", dec("confidence_score", `"0.9"`), invalid, "/confidence_score"},
	{"confidence null", dec("confidence_score", `null`), invalid, "/confidence_score"},
	{"no audit trail", dec("audit_trail", ""), invalid, "/"},
	{"audit trail empty", dec("audit_trail", "[]"), invalid, "/audit_trail"},
	{"audit trail a string", dec("audit_trail", `"a"`), invalid, "/audit_trail"},
	{"audit lines that are no strings", dec("audit_trail", `["a",1,null,"a","a","a","a","a","a","a",{}]`), invalid, "/audit_trail/1 /audit_trail/2 /audit_trail/10"},
	{"a block that is null", dec("policy_violations", "null"), invalid, "/policy_violations"},
	{"a block of the wrong shape", dec("external_dependency", `["x"]`), invalid, "/external_dependency /external_dependency"},
	{"a conflict that is a string", dec("conflicting_signals", `["x"]`), invalid, "/conflicting_signals/0 /conflicting_signals"},
	{"decision null", dec("decision", "null"), invalid, "/decision"},
	{"human action null", dec("human_action_required", "null"), invalid, "/human_action_required"},
	{"ESCALATE without a category", esc("escalation_category", "null"), invalid, "/escalation_category"},
	{"ESCALATE of another category", esc("escalation_category", `"FRAUD"`), invalid, "/escalation_category /escalation_category"},

	// Not exactly one JSON value.
	{"nothing", "", malformed, ""},
	{"white space only", " \n", malformed, ""},
	{"cut off", decide[:len(decide)-2], malformed, ""},
	{"prose before", "Here it is: " + decide, malformed, ""},
	{"prose after", decide + " Done.", malformed, ""},
	{"fences", "```json\n" + decide + "\n```", malformed, ""},
	{"two objects", decide + decide, malformed, ""},
	{"NaN", dec("confidence_score", "NaN"), malformed, ""},
	{"a bare point", dec("confidence_score", ".9"), malformed, ""},
	{"a trailing comma", decide[:len(decide)-1] + ",}", malformed, ""},
	{"a comment", decide + "// fine", malformed, ""},
	{"a byte order mark", "\ufeff" + decide, malformed, ""},
	{"action twice", strings.Replace(decide, "{", `{"action":"ESCALATE",`, 1), malformed, ""},
	{"action twice, once with an escape", strings.Replace(decide, "{", `{"\u0061ction":"ESCALATE",`, 1), malformed, ""},
	{"a duplicate deep inside", dec("x", `[{"a":{"b":1,"b":1}}]`), malformed, ""},
	{"bad UTF-8", dec("rationale", "\"\xff\""), malformed, ""},
	{"a lone surrogate", dec("rationale", `"\ud800"`), malformed, ""},
	{"nested too deeply", dec("x", strings.Repeat("[", 64)+strings.Repeat("]", 64)), malformed, ""},
	{"too many members", dec("x", "["+strings.Repeat("0,", 10_000)+"0]"), malformed, ""},

	// An ESCALATE, and what is worth a warning.
	{"escalate", escalate, escalation, ""},
	{"further blocks beside its own", esc("external_dependency", `{"a":{}}`), escalation, ""},
	{"confidence just under one half", esc("confidence_score", "0.49999999999999994"), escalation, ""},
	{"confidence one half", esc("confidence_score", "5e-1"), escalation, "/confidence_score"},
	{"nobody has to act", esc("human_action_required", `"None."`), escalation, "/human_action_required"},
	{"no block", esc("policy_violations", ""), escalation, "/policy_violations"},
	{"its block empty", esc("policy_violations", "{}"), escalation, "/policy_violations"},
	{"another category's block", with(esc("policy_violations", ""), "external_dependency", `{"a":1}`), escalation, "/policy_violations"},
	{"a decision", esc("decision", `"RELEASE"`), escalation, "/decision"},
	{"a route", esc("selected_route", `""`), escalation, "/selected_route"},
	{"blank audit line", esc("audit_trail", `["\u00a0"]`), escalation, "/audit_trail/0"},
	{"Action that says DECIDE", esc("Action", `"DECIDE"`), escalation, "/Action"},
	{"it may speak of escalation", esc("escalation_reason", `"POLICY_VIOLATION"`), escalation, ""},
	{"a path", esc("escalation_path", `"compliance"`), escalation, ""},
}
