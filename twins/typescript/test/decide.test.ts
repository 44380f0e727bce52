import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decide, type Policy, type Rule } from '@pawlgate/threshold';
import { automatic, expectBoth, expectDecision } from './expectation.js';

const two = {
  ...automatic,
  bands: { b: { highMin: 0.9, reviewMin: 0.5 }, a: { highMin: 0.8, reviewMin: 0.8 } },
} satisfies Policy;

const flagged = (force: Rule['force'], id = 'r'): Rule => ({ id, when: { flag: 'f' }, force, reason: 'because' });

const table: [name: string, signals: string, policy: Policy, verdict: string, codes: string][] = [
  ['a score equal to highMin is high', '{"score":0.9}', automatic, 'auto_apply', 'band_high:score'],
  ['a score below highMin is review', '{"score":0.8999999999999999}', automatic, 'route_to_human', 'band_review:score'],
  ['a score equal to reviewMin is review', '{"score":0.5}', automatic, 'route_to_human', 'band_review:score'],
  ['a score below reviewMin is low', '{"score":0.4999999999999999}', automatic, 'auto_reject', 'band_low:score'],
  ['a named score feeds the band', '{"scores":{"score":0.95}}', automatic, 'auto_apply', 'band_high:score'],
  ['null leaves out', '{"score":0.95,"scores":null,"flags":null,"meta":null}', automatic, 'auto_apply', 'band_high:score'],
  ['equal bounds leave no review band', '{"scores":{"a":0.79,"b":0.95}}', two, 'auto_reject', 'band_low:a band_high:b'],
  ['one low band suggests rejection', '{"scores":{"a":0.95,"b":0.1}}', two, 'auto_reject', 'band_high:a band_low:b'],
  ['one review band suggests a person', '{"scores":{"a":0.95,"b":0.6}}', two, 'route_to_human', 'band_high:a band_review:b'],
  [
    'unanimous wants all low', '{"scores":{"a":0.95,"b":0.1}}', { ...two, combine: 'unanimous' },
    'route_to_human', 'band_high:a band_low:b',
  ],
  [
    'unanimous rejects when all are low', '{"scores":{"a":0,"b":0.1}}', { ...two, combine: 'unanimous' },
    'auto_reject', 'band_low:a band_low:b',
  ],
  ['the empty policy routes to a person', '{"score":1}', {}, 'route_to_human', 'no_bands'],
  [
    'without bands a rule may still reject', '{"flags":["f"]}', { rules: [flagged('auto_reject')], enableAutoReject: true },
    'auto_reject', 'rule_auto_reject:r no_bands',
  ],
  ['auto_apply must be on', '{"score":1}', { ...automatic, enableAutoApply: false }, 'route_to_human', 'band_high:score auto_apply_disabled'],
  ['auto_reject must be on', '{"score":0}', { ...automatic, enableAutoReject: false }, 'route_to_human', 'band_low:score auto_reject_disabled'],
  [
    'a rule for a person outvotes one for rejection, and both are reasons', '{"score":1,"flags":["f"]}',
    { ...automatic, rules: [flagged('auto_reject', 'z'), flagged('route_to_human', 'a')] },
    'route_to_human', 'band_high:score rule_auto_reject:z rule_route_to_human:a',
  ],
  [
    'a rule for rejection outvotes a tentative person', '{"score":0.6,"flags":["f"]}',
    { ...automatic, rules: [flagged('auto_reject')] }, 'auto_reject', 'band_review:score rule_auto_reject:r',
  ],
  [
    'a flag is compared exactly', '{"score":1,"flags":["F"," f"]}',
    { ...automatic, rules: [flagged('auto_reject')] }, 'auto_apply', 'band_high:score',
  ],
  [
    'a condition over what is absent is unknown, and that fires for a person', '{"score":1}',
    {
      ...automatic,
      rules: [
        { id: 's', when: { scoreBelow: { name: 'other', value: 1 } }, force: 'auto_reject', reason: 'x' },
        { id: 'm', when: { metaNumberLessThan: { key: 'k', value: 1 } }, force: 'auto_reject', reason: 'x' },
      ],
    },
    'route_to_human', 'band_high:score rule_error:m rule_error:s',
  ],
  [
    'a number in a string is no number', '{"score":1,"meta":{"k":"0"}}',
    { ...automatic, rules: [{ id: 'm', when: { metaNumberLessThan: { key: 'k', value: 1 } }, force: 'auto_reject', reason: 'x' }] },
    'route_to_human', 'band_high:score rule_error:m',
  ],
  ['a missing score is review', '{}', automatic, 'route_to_human', 'band_review:score score_missing:score'],
  ['a score in a string is a fault', '{"score":"0.95"}', automatic, 'route_to_human', 'band_review:score score_not_number:score'],
  [
    'two values of a score that differ are a fault', '{"score":1,"scores":{"score":0.95}}', automatic,
    'route_to_human', 'band_review:score score_conflict:score',
  ],
  ['a fault in a score that nobody reads blocks', '{"score":1,"scores":{"x":true}}', automatic, 'route_to_human', 'band_high:score score_not_number:x'],
  [
    'names sort by code point', '{"scores":{"😀":"","\ufb00":"","z":""},"score":1}', automatic, 'route_to_human',
    'band_high:score score_not_number:z score_not_number:\ufb00 score_not_number:😀',
  ],
  [
    'a name longer than 200 bytes is cut between characters', `{"scores":{"x${'é'.repeat(100)}":"","${'y'.repeat(200)}":""},"score":1}`,
    automatic, 'route_to_human', `band_high:score score_not_number:x${'é'.repeat(99)}… score_not_number:${'y'.repeat(200)}`,
  ],
  [
    'a member that nobody knows makes the input malformed', '{"score":1,"extra":1}', automatic,
    'route_to_human', 'band_review:score input_malformed score_missing:score',
  ],
  [
    'a flag that is no string makes it malformed, too', '{"score":1,"flags":["a",1]}', automatic,
    'route_to_human', 'band_review:score input_malformed score_missing:score',
  ],
  ['a list is no input', '[{"score":1}]', automatic, 'route_to_human', 'band_review:score input_malformed score_missing:score'],
];
for (const [name, signals, policy, verdict, codes] of table) {
  test(name, () => expectBoth(signals, policy, verdict, codes));
}

test('bands are those of all configured scores', () => {
  assert.deepEqual({ ...decide({ scores: { a: 1, b: 0.6 } }, two).bands }, { a: 'high', b: 'review' });
  assert.equal(decide({}, {}).bands, undefined);
});

test('each reason says where it comes from', () => {
  const rules = [flagged('route_to_human')];
  const { reasons } = decide({ flags: ['f'], score: Infinity }, { ...automatic, rules });
  assert.deepEqual(reasons.map((r) => [r.source, r.subject]), [['band', 'score'], ['rule', 'r'], ['safety', 'score']]);
  assert.equal(reasons[1]?.message, 'because');
  assert.ok(reasons.every((r) => r.message !== ''));
});

test('the first risk level that holds counts, and an unknown one is critical', () => {
  const risk = [
    { level: 'high', when: { scoreBelow: { name: 'score', value: 0.5 } } },
    { level: 'low', when: { flag: 'f' } },
  ] as const;
  assert.equal(decide({ score: 0.1, flags: ['f'] }, { ...automatic, risk }).risk, 'high');
  assert.equal(decide({ score: 0.9, flags: ['f'] }, { ...automatic, risk }).risk, 'low');
  assert.equal(decide({ score: 0.9 }, { ...automatic, risk }).risk, undefined);
  assert.equal(decide({}, { ...automatic, risk }).risk, 'critical');
  assert.equal(decide({ score: 0.95 }, { ...automatic, risk }).verdict, 'auto_apply');
});

test('faults of the service block, whatever their code, and unknown codes come last', () => {
  const faults = [{ code: 'zzz' }, { code: 'aaa', subject: 's', detail: 'why' }, { code: 'rule_error' }, { code: 'zzz' }];
  const d = decide({ score: 1 }, automatic, { supervised: true, faults });
  expectDecision(d, 'route_to_human', 'band_high:score rule_error gate_supervised aaa:s zzz');
  assert.equal(d.reasons[3]?.message, 'why');
});

test('a fault about a score makes it review, one about a key of meta of that name does not', () => {
  const fault = { code: 'number_inexact', subject: 'score' };
  expectDecision(decide({ score: 1 }, automatic, { faults: [fault] }), 'route_to_human', 'band_review:score number_inexact:score');
  expectDecision(
    decide({ score: 1 }, automatic, { faults: [{ ...fault, meta: true }] }),
    'route_to_human', 'band_high:score number_inexact:score',
  );
});

test('an invalid policy looks at nothing of the signals', () => {
  const policy = { bands: { score: { highMin: 0.1, reviewMin: 0.2 } } };
  expectDecision(decide({ score: NaN }, policy), 'route_to_human', 'policy_invalid');
  expectDecision(decide({ score: NaN }, policy, { supervised: true }), 'route_to_human', 'policy_invalid gate_supervised');
  assert.equal(decide({}, policy).bands, undefined);
});
