import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Code,
  type Condition,
  decide,
  type Decision,
  type Gate,
  type Policy,
  type Rule,
  type Signals,
  type Verdict,
} from '@pawlgate/threshold';

// The compiler checks this file: each expected error must be one.
const verdict: Verdict = 'route_to_human';
const code: Code = 'score_conflict';
const signals: Signals = { score: null, scores: { a: 1n, b: undefined }, flags: ['f'], meta: { any: [{}] } };
const closure: Condition = (s) => s.flags.includes('f') && (s.scores['a'] ?? 0) < 1;
const rule: Rule = { id: 'r', when: closure, force: 'auto_reject', reason: 'because' };
const policy: Policy = {
  bands: { score: { highMin: 0.9, reviewMin: 0.5 } },
  combine: (bands) => (bands['score'] === 'high' ? 'auto_apply' : 'route_to_human'),
  rules: [rule, { ...rule, id: 'm', when: { metaNumberLessThan: { key: 'k', value: 1 } } }],
  risk: [{ level: 'high', when: (s, bands) => s.score === undefined || bands['score'] === 'low' }],
  signals: { score: { type: 'score', range: [0, 1] } },
};

// @ts-expect-error no such verdict
export const wrongVerdict: Verdict = 'apply';
// @ts-expect-error no such member
export const wrongSignals: Signals = { sroce: 1 };
// @ts-expect-error a score is no string
export const wrongScore: Signals = { score: '0.9' };
// @ts-expect-error a rule can't force auto_apply
export const wrongForce: Rule = { ...rule, force: 'auto_apply' };
// @ts-expect-error a rule needs a reason
export const noReason: Rule = { id: 'r', when: closure, force: 'auto_reject' };
// @ts-expect-error a promise is no boolean
export const asyncWhen: Condition = async () => true;
// @ts-expect-error an expression needs another reader
export const expression: Condition = 'score < 0.5';
// @ts-expect-error a closure can't change signals
export const changing: Condition = (s) => (s.score = 1) > 0;
// @ts-expect-error a rule sees no bands
export const ruleWithBands: Condition = (s, bands: object) => s.score === bands;
// @ts-expect-error only a boolean switches on
export const wrongSwitch: Policy = { enableAutoApply: 'true' };
// @ts-expect-error no such key
export const wrongKey: Policy = { band: {} };
// @ts-expect-error a range has two bounds
export const wrongRange: Policy = { signals: { score: { type: 'score', range: [0] } } };
// @ts-expect-error no such combine
export const wrongCombine: Policy = { combine: 'highest' };

test('the types say what the gate takes and answers', () => {
  const decision: Decision = decide(signals, policy, { supervised: false, faults: [{ code: 'score_missing', subject: 'x' }] });
  const gate: Gate | undefined = undefined;
  assert.equal(decision.verdict, verdict);
  assert.equal(gate, undefined);
  assert.equal(code, 'score_conflict');
});
