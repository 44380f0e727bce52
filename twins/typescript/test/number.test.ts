import { test } from 'node:test';
import { decide, decideText, Double, type Policy, type SignalType } from '@pawlgate/threshold';
import { automatic, expectBoth, expectDecision } from './expectation.js';

const high = 'band_high:score';
const lessThan = (value: number): Policy => ({
  ...automatic,
  rules: [{ id: 'r', when: { metaNumberLessThan: { key: 'n', value } }, force: 'auto_reject', reason: 'x' }],
});
const declared = (type: SignalType, range?: readonly [number, number]): Policy => ({
  ...automatic,
  signals: { score: { type: 'score' }, n: { type, range } },
});
const withMeta = (literal: string): string => `{"score":0.95,"meta":{"n":${literal}}}`;

const texts: [literal: string, policy: Policy, codes: string][] = [
  ['9223372036854775808', automatic, high], // nobody reads it
  ['1e400', automatic, high],
  ['{"a":[1e400]}', automatic, high],
  ['1e400', lessThan(1), `${high} number_inexact:n rule_error:r`],
  ['-1e400', lessThan(1), `${high} number_inexact:n rule_error:r`],
  ['9223372036854775808', lessThan(1), `${high} number_inexact:n rule_error:r`],
  ['-9223372036854775809', lessThan(1), `${high} number_inexact:n rule_error:r`],
  ['[1e400]', lessThan(1), `${high} rule_error:r`], // the value is no number
  ['1e400', { ...automatic, risk: [{ level: 'low', when: { metaNumberLessThan: { key: 'n', value: 1 } } }] }, `${high} number_inexact:n`],
  ['9223372036854775807', lessThan(1), high],
  ['9007199254740993', lessThan(9007199254740992), high],
  ['9007199254740991', lessThan(9007199254740992), `${high} rule_auto_reject:r`],
  ['-9223372036854775808', lessThan(-(2 ** 63)), high],
  ['1e-400', lessThan(0), high],
  ['-1e-400', lessThan(0), high],
  ['1', declared('integer'), high],
  ['-0', declared('integer'), high],
  ['1.0', declared('integer'), `${high} signal_type:n`],
  ['1e0', declared('integer'), `${high} signal_type:n`],
  ['9007199254740993', declared('integer'), high],
  ['9223372036854775808', declared('integer'), `${high} number_inexact:n`],
  ['9007199254740993', declared('integer', [0, 9007199254740992]), `${high} signal_type:n`],
  ['9007199254740992', declared('integer', [0, 9007199254740992]), high],
  ['9007199254740992', declared('number'), high],
  ['9007199254740993', declared('number'), `${high} number_inexact:n`],
  ['9007199254740993.0', declared('number'), high],
  ['1e400', declared('string'), `${high} number_inexact:n`],
  ['2.5', declared('number', [0, 2.5]), high],
  ['2.5000000000000004', declared('number', [0, 2.5]), `${high} signal_type:n`],
  ['null', declared('number'), `${high} signal_type:n`],
  ['"1"', declared('number'), `${high} signal_type:n`],
  ['true', declared('boolean'), high],
  ['1', declared('boolean'), `${high} signal_type:n`],
  ['"x"', declared('string'), high],
  ['["x"]', declared('string'), `${high} signal_type:n`],
];
texts.forEach(([literal, policy, codes], i) => {
  test(`number in meta ${i}: ${literal} gives ${codes}`, () => {
    const verdict = codes === high ? 'auto_apply' : codes.endsWith('rule_auto_reject:r') ? 'auto_reject' : 'route_to_human';
    expectDecision(decideText(withMeta(literal), policy), verdict, codes);
  });
});

const scores: [literal: string, verdict: string, codes: string][] = [
  ['9.5e-1', 'auto_apply', high],
  ['-0', 'auto_reject', 'band_low:score'],
  ['1e-400', 'auto_reject', 'band_low:score'],
  ['9007199254740992', 'auto_apply', high],
  ['9007199254740993', 'route_to_human', 'band_review:score number_inexact:score'],
  ['-9007199254740993', 'route_to_human', 'band_review:score number_inexact:score'],
  ['9007199254740993.0', 'auto_apply', high],
  ['1e400', 'route_to_human', 'band_review:score number_inexact:score'],
  ['1.7976931348623157e308', 'auto_apply', high],
  ['1.7976931348623159e308', 'route_to_human', 'band_review:score number_inexact:score'],
];
for (const [literal, verdict, codes] of scores) {
  test(`the score ${literal} gives ${codes}`, () => {
    expectDecision(decideText(`{"score":${literal}}`, automatic), verdict, codes);
    expectDecision(decideText(`{"scores":{"score":${literal}}}`, automatic), verdict, codes);
  });
}

test('numbers of JavaScript: safe whole ones are integers, a Double is not, a bigint is exact', () => {
  const inMeta = (n: unknown, policy: Policy, codes: string): void =>
    expectDecision(decide({ score: 1, meta: { n } }, policy), codes === high ? 'auto_apply' : 'route_to_human', codes);
  inMeta(1, declared('integer'), high);
  inMeta(new Double(1), declared('integer'), `${high} signal_type:n`);
  inMeta(2 ** 53, declared('integer'), `${high} signal_type:n`);
  inMeta(2n ** 53n + 1n, declared('integer'), high);
  inMeta(2n ** 53n + 1n, declared('number'), `${high} number_inexact:n`);
  inMeta(2n ** 63n, declared('integer'), `${high} number_inexact:n`);
  inMeta(2n ** 63n, lessThan(1), `${high} number_inexact:n rule_error:r`);
  inMeta(2n ** 53n + 1n, lessThan(2 ** 53), high);
  inMeta(NaN, lessThan(1), `${high} rule_error:r`);
  inMeta(-Infinity, lessThan(1), `${high} rule_error:r`);
  inMeta(NaN, declared('number'), `${high} signal_type:n`);
  inMeta(NaN, automatic, high);
});

test('scores of JavaScript: bigints and Doubles are numbers, what is not finite is a fault in any entry', () => {
  expectDecision(decide({ score: 1n }, automatic), 'auto_apply', high);
  expectDecision(decide({ score: new Double(1) }, automatic), 'auto_apply', high);
  expectDecision(decide({ score: 2n ** 53n + 1n }, automatic), 'route_to_human', 'band_review:score number_inexact:score');
  expectDecision(decide({ score: NaN }, automatic), 'route_to_human', 'band_review:score score_not_finite:score');
  expectDecision(
    decide({ score: 1, scores: { x: -Infinity, score: NaN } }, automatic),
    'route_to_human', 'band_review:score score_not_finite:score score_not_finite:x',
  );
});

test('a declared range holds for scores, both bounds inclusive', () => {
  const policy: Policy = { ...automatic, signals: { score: { type: 'score', range: [0, 1] } } };
  expectBoth('{"score":1}', policy, 'auto_apply', high);
  expectBoth('{"score":0}', policy, 'auto_reject', 'band_low:score');
  expectBoth('{"score":1.0000000000000002}', policy, 'route_to_human', 'band_review:score score_out_of_range:score');
  expectBoth('{"score":95,"scores":{"score":1}}', policy, 'route_to_human', 'band_review:score score_conflict:score');
});
