import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compile, decide, type Policy, PolicyError } from '@pawlgate/threshold';
import { automatic, codesOf, decideAny, expectDecision } from './expectation.js';

const rule = { id: 'r', when: { flag: 'f' }, force: 'route_to_human', reason: 'because' };
const withRule = (change: object): object => ({ rules: [{ ...rule, ...change }] });
const withWhen = (when: unknown): object => withRule({ when });
const declared = { score: { type: 'score' }, n: { type: 'number' }, i: { type: 'integer' }, f: { type: 'flag' }, s: { type: 'string' } };
const band = { highMin: 0.9, reviewMin: 0.5 };

const refused: [policy: unknown, ...paths: string[]][] = [
  [undefined, ''],
  [null, ''],
  [[], ''],
  ['{}', ''],
  [new Map(), ''],
  [{ Bands: {} }, '/Bands'],
  [{ ['__proto__x']: 1 }, '/__proto__x'],
  [{ gate: 'x', kind: 'threshold' }, '/gate', '/kind'],
  [{ bands: null }, '/bands'],
  [{ bands: [] }, '/bands'],
  [{ bands: { score: null } }, '/bands/score'],
  [{ bands: { score: {} } }, '/bands/score/highMin', '/bands/score/reviewMin'],
  [{ bands: { score: { highMin: NaN, reviewMin: -Infinity } } }, '/bands/score/highMin', '/bands/score/reviewMin'],
  [{ bands: { score: { highMin: '0.9', reviewMin: 0.5 } } }, '/bands/score/highMin'],
  [{ bands: { score: { highMin: 2n ** 53n + 1n, reviewMin: 0.5 } } }, '/bands/score/highMin'],
  [{ bands: { score: { highMin: 0.4, reviewMin: 0.5 } } }, '/bands/score'],
  [{ bands: { score: { ...band, lowMin: 0 } } }, '/bands/score/lowMin'],
  [{ bands: { '1x': band, '': band, 'a~/b': band, ['n'.repeat(129)]: band } }, '/bands/', '/bands/1x', '/bands/a~0~1b', '/bands/' + 'n'.repeat(129)],
  [{ combine: 'highest' }, '/combine'],
  [{ combine: '' }, '/combine'],
  [{ combine: null }, '/combine'],
  [{ combine: ['lowest'] }, '/combine'],
  [{ enableAutoApply: 1, enableAutoReject: 'true' }, '/enableAutoApply', '/enableAutoReject'],
  [{ enableAutoApply: null }, '/enableAutoApply'],
  [{ enableAutoApply: new Boolean(true) }, '/enableAutoApply'],
  [{ rules: {} }, '/rules'],
  [{ rules: [null] }, '/rules/0'],
  [{ rules: [undefined] }, '/rules/0'],
  [{ rules: [{}] }, '/rules/0/id', '/rules/0/force', '/rules/0/reason', '/rules/0/when'],
  [{ rules: [rule, { ...rule }] }, '/rules/1/id'],
  [withRule({ id: '' }), '/rules/0/id'],
  [withRule({ id: 1 }), '/rules/0/id'],
  [withRule({ force: 'auto_apply' }), '/rules/0/force', '/rules/0/force'],
  [withRule({ force: 'toString' }), '/rules/0/force'],
  [withRule({ reason: '' }), '/rules/0/reason'],
  [withRule({ reason: ' \t\u0085\u3000' }), '/rules/0/reason'],
  [withRule({ priority: 1 }), '/rules/0/priority'],
  [withWhen(true), '/rules/0/when'],
  [withWhen(null), '/rules/0/when'],
  [withWhen('score < 0.5'), '/rules/0/when'],
  [withWhen({}), '/rules/0/when'],
  [withWhen({ flag: 'f', scoreBelow: { name: 'score', value: 1 } }), '/rules/0/when'],
  [withWhen({ flags: 'f' }), '/rules/0/when/flags'],
  [withWhen({ flag: '' }), '/rules/0/when/flag'],
  [withWhen({ flag: ['f'] }), '/rules/0/when/flag'],
  [withWhen({ scoreBelow: { name: 'a b', value: NaN } }), '/rules/0/when/scoreBelow/value', '/rules/0/when/scoreBelow/name'],
  [withWhen({ scoreBelow: { name: 'a' } }), '/rules/0/when/scoreBelow/value'],
  [withWhen({ metaNumberLessThan: { key: '', value: '1' } }), '/rules/0/when/metaNumberLessThan/key', '/rules/0/when/metaNumberLessThan/value'],
  [withWhen({ metaNumberLessThan: { name: 'n', value: 1 } }), '/rules/0/when/metaNumberLessThan/name', '/rules/0/when/metaNumberLessThan/key'],
  [{ risk: [{ level: 'extreme', when: { flag: 'f' } }, { level: 'low' }, {}] }, '/risk/0/level', '/risk/1/when', '/risk/2/level', '/risk/2/when'],
  [{ signals: [] }, '/signals'],
  [{ signals: null }, '/signals'],
  [{ signals: { '9': { type: 'score' } } }, '/signals/9'],
  [{ signals: { a: {}, b: { type: 'float' }, c: 'score' } }, '/signals/a/type', '/signals/b/type', '/signals/c'],
  [{ signals: { a: { type: 'string', range: [0, 1] } } }, '/signals/a/range'],
  [{ signals: { a: { type: 'score', range: [1, 0] } } }, '/signals/a/range'],
  [{ signals: { a: { type: 'score', range: [1] } } }, '/signals/a/range'],
  [{ signals: { a: { type: 'score', range: [0, Infinity] } } }, '/signals/a/range/1'],
  [{ signals: { a: { type: 'score', range: { min: 0, max: 1 } } } }, '/signals/a/range'],
  [{ signals: {}, bands: { score: band } }, '/bands/score'],
  [{ signals: declared, bands: { n: band } }, '/bands/n'],
  [{ signals: declared, ...withWhen({ flag: 'g' }) }, '/rules/0/when/flag'],
  [{ signals: declared, ...withWhen({ flag: 's' }) }, '/rules/0/when/flag'],
  [{ signals: declared, ...withWhen({ metaNumberLessThan: { key: 's', value: 1 } }) }, '/rules/0/when/metaNumberLessThan'],
  [{ signals: declared, ...withWhen({ scoreBelow: { name: 'i', value: 1 } }) }, '/rules/0/when/scoreBelow'],
  [withRule({ id: '\ud800' }), ''],
];
refused.forEach(([policy, ...paths], i) => {
  test(`invalid policy ${i} is refused at ${paths.map((p) => p.slice(0, 60) || '(the whole)').join(', ')}`, () => {
    assert.throws(() => compile(policy as Policy), (error: unknown) => {
      assert.ok(error instanceof PolicyError);
      assert.deepEqual(error.problems.map((p) => p.path), paths);
      assert.ok(error.problems.every((p) => error.message.includes(p.message)));
      return true;
    });
    expectDecision(decideAny({ score: 1 }, policy), 'route_to_human', 'policy_invalid');
  });
});

test('an expression is refused with the reason', () => {
  assert.throws(() => compile(withWhen('score < 0.5') as Policy), /reads no CEL/);
});

test('undefined is absent in a policy', () => {
  const policy = { ...automatic, combine: undefined, rules: undefined, risk: undefined, signals: undefined };
  expectDecision(decide({ score: 1 }, policy), 'auto_apply', 'band_high:score');
});

test('declared names can be read', () => {
  const policy = {
    ...automatic,
    signals: declared,
    rules: [
      rule,
      { ...rule, id: 'n', when: { metaNumberLessThan: { key: 'n', value: 1 } } },
      { ...rule, id: 'i', when: { metaNumberLessThan: { key: 'i', value: 1 } } },
      { ...rule, id: 's', when: { scoreBelow: { name: 'score', value: 0.1 } } },
    ],
  };
  expectDecision(decideAny({ score: 1, meta: { n: 2, i: 2 } }, policy), 'auto_apply', 'band_high:score');
});

test('names that mean something to JavaScript are names', () => {
  const names = ['__proto__', 'constructor', 'hasOwnProperty'];
  const bands = JSON.parse(`{${names.map((n) => `"${n}":{"highMin":0.9,"reviewMin":0.5}`).join()}}`) as Policy['bands'];
  const rules = names.map((id) => ({ id, when: { metaNumberLessThan: { key: id, value: 1 } }, force: 'auto_reject', reason: 'x' }) as const);
  const policy: Policy = { bands, rules, enableAutoApply: true };
  const wanted = names.map((n) => `band_review:${n}`).join(' ');
  const missing = names.map((n) => `score_missing:${n}`).join(' ');
  assert.equal(codesOf(decide({}, policy)), `${wanted} ${missing} ${names.map((n) => `rule_error:${n}`).join(' ')}`);
  const text = `{${names.map((n) => `"${n}":1`).join()}}`;
  const decision = decide({ scores: JSON.parse(text), meta: JSON.parse(text) } as never, policy);
  expectDecision(decision, 'auto_apply', names.map((n) => `band_high:${n}`).join(' '));
  assert.equal(JSON.stringify(decision.bands), `{${names.map((n) => `"${n}":"high"`).join()}}`);
});

test('a gate keeps a copy of its policy', () => {
  const policy = { bands: { score: { highMin: 0.9, reviewMin: 0.5 } }, enableAutoApply: true };
  const { decide } = compile(policy);
  policy.bands.score.highMin = 0.1;
  policy.bands.score.reviewMin = 0.1;
  expectDecision(decide({ score: 0.6 }), 'route_to_human', 'band_review:score');
});
