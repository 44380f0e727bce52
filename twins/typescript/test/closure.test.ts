import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compile, decide, decideText, Double, type Policy, type Rule, type SignalsView } from '@pawlgate/threshold';
import { automatic, codesOf, decideAny, expectDecision } from './expectation.js';

const when = (condition: unknown, force: Rule['force'] = 'auto_reject'): Policy => ({
  ...automatic,
  rules: [{ id: 'r', when: condition as Rule['when'], force, reason: 'x' }],
});
const unknown = 'band_high:score rule_error:r';

test('a closure sees the signals and decides a rule', () => {
  const policy = when((s: SignalsView) => s.flags.includes('f') && s.meta['amount'] === 5);
  expectDecision(decide({ score: 1, flags: ['f'], meta: { amount: 5 } }, policy), 'auto_reject', 'band_high:score rule_auto_reject:r');
  expectDecision(decideText('{"score":1,"flags":["f"],"meta":{"amount":5.0}}', policy), 'auto_reject', 'band_high:score rule_auto_reject:r');
  expectDecision(decide({ score: 1 }, policy), 'auto_apply', 'band_high:score');
});

const odd: [name: string, closure: (s: never) => unknown][] = [
  ['throws', () => { throw new Error('secret'); }],
  ['throws null', () => { throw null; }],
  ['throws what throws when looked at', () => { throw new Proxy({}, { get: () => { throw new Error('again'); } }); }],
  ['answers a promise', () => Promise.resolve(false)],
  ['is async', async () => false],
  ['is async and rejects', async () => { throw new Error('x'); }],
  ['answers undefined', () => undefined],
  ['answers null', () => null],
  ['answers 0', () => 0],
  ['answers an empty string', () => ''],
  ['answers a boxed false', () => new Boolean(false)],
  ['answers a revoked proxy', () => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy; }],
  ['is a generator', function* () { yield false; }],
  ['never ends recursing', function again(s: never): unknown { return [again(s)]; }],
  ['changes the score', (s: { score: number }) => { s.score = 1; return false; }],
  ['changes a flag', (s: { flags: string[] }) => { s.flags.push('x'); return false; }],
  ['changes meta', (s: { meta: { deep: unknown[] } }) => { s.meta.deep[0] = 1; return false; }],
  ['deletes', (s: { score?: number }) => { delete s.score; return false; }],
  ['wants a method that the view has not', (s: { meta: object }) => s.meta.hasOwnProperty('x')],
  ['is a class', class {} as never],
];
for (const [name, closure] of odd) {
  test(`a closure that ${name} is unknown`, () => {
    const signals = { score: 1, flags: ['a'], meta: { deep: [0] } };
    const before = JSON.stringify(signals);
    const d = decide(signals, when(closure));
    expectDecision(d, 'route_to_human', unknown);
    assert.equal(JSON.stringify(signals), before);
    assert.doesNotMatch(JSON.stringify(d), /secret/);
    const risk = [{ level: 'low', when: closure }];
    assert.equal(decideAny(signals, { ...automatic, risk }).risk, 'critical');
  });
}

test('a promise that rejects later ends no process', async () => {
  decide({ score: 1 }, when(async () => { await Promise.resolve(); throw new Error('x'); }));
  decideAny({ score: 1 }, { ...automatic, combine: async () => { throw new Error('x'); } });
  await new Promise((resolve) => setTimeout(resolve, 10));
});

test('what closures see has no prototypes, numbers as numbers, and no scores with a fault', () => {
  let seen: SignalsView | undefined;
  const policy: Policy = { ...automatic, rules: [{ id: 'r', when: (s) => { seen = s; return false; }, force: 'auto_reject', reason: 'x' }] };
  decideText('{"score":1,"scores":{"a":2,"b":"3"},"meta":{"n":{"__proto__":{"x":1.0}},"i":9007199254740993}}', policy);
  assert.equal(seen?.score, 1);
  assert.deepEqual(Object.keys(seen?.scores ?? {}), ['a']);
  assert.equal(seen?.meta['i'], 9007199254740993n);
  assert.equal(seen?.meta['constructor'], undefined);
  assert.equal(JSON.stringify(seen?.meta['n']), '{"__proto__":{"x":1}}');
  assert.ok(Object.isFrozen(seen?.meta['n']));
  decide({ score: 1, meta: { d: new Double(3) } }, policy);
  assert.equal(seen?.meta['d'], 3);
});

test('with a closure every number that cannot be held is a fault, since it may be read', () => {
  const policy = when((s: SignalsView) => (s.meta['n'] as number) > 1);
  expectDecision(decideText('{"score":1,"meta":{"n":1e400}}', policy), 'route_to_human', 'band_high:score number_inexact:n rule_error:r');
  const deep = '{"score":1,"meta":{"n":2,"m":[{"a":9223372036854775808}]}}';
  expectDecision(decideText(deep, policy), 'route_to_human', 'band_high:score rule_auto_reject:r number_inexact:m');
});

test('with a closure two values of score that differ are a fault, since it may read them', () => {
  const policy: Policy = { rules: [{ id: 'r', when: (s) => s.score === undefined, force: 'auto_reject', reason: 'x' }], enableAutoReject: true };
  expectDecision(decide({ score: 1, scores: { score: 2 } }, policy), 'route_to_human', 'rule_auto_reject:r no_bands score_conflict:score');
  expectDecision(decide({ score: 1, scores: { score: 2 } }, { enableAutoReject: true }), 'route_to_human', 'no_bands');
});

test('a risk closure sees the bands, and can change nothing', () => {
  const risk: Policy['risk'] = [{ level: 'medium', when: (_, bands) => bands['score'] === 'high' }];
  assert.equal(decide({ score: 1 }, { ...automatic, risk }).risk, 'medium');
  const greedy = (_: SignalsView, bands: Record<string, string>): boolean => {
    bands['score'] = 'low';
    return true;
  };
  const d = decideAny({ score: 1 }, { ...automatic, risk: [{ level: 'low', when: greedy }] });
  assert.equal(d.risk, 'critical');
  assert.equal(d.bands?.['score'], 'high');
});

test('a rule closure gets no bands', () => {
  let args = -1;
  decide({ score: 1 }, when((...all: unknown[]) => { args = all.length; return false; }));
  assert.equal(args, 1);
});

const combines: [name: string, combine: (bands: never) => unknown, codes: string][] = [
  ['answers a verdict', () => 'auto_reject', 'band_high:score auto_reject_disabled'],
  ['answers null', () => null, 'band_high:score combine_invalid'],
  ['answers nonsense', () => 'apply', 'band_high:score combine_invalid'],
  ['answers a promise', async () => 'auto_apply', 'band_high:score combine_invalid'],
  ['answers a boxed verdict', () => new String('auto_apply'), 'band_high:score combine_invalid'],
  ['throws', () => { throw new Error('x'); }, 'band_high:score combine_invalid'],
  ['changes its bands', (bands: { score: string }) => { bands.score = 'high'; return 'auto_apply'; }, 'band_high:score combine_invalid'],
];
for (const [name, combine, codes] of combines) {
  test(`a combine that ${name}`, () => {
    const policy = { ...automatic, combine, enableAutoReject: false };
    expectDecision(decideAny({ score: 1 }, policy), 'route_to_human', codes);
  });
}

test('a combine cannot apply what is not all high, and is not asked without bands', () => {
  const combine = (): 'auto_apply' => 'auto_apply';
  expectDecision(decide({ score: 0.6 }, { ...automatic, combine }), 'route_to_human', 'band_review:score not_all_high');
  expectDecision(decide({ score: 1 }, { ...automatic, combine }), 'auto_apply', 'band_high:score');
  let asked = false;
  const d = decide({}, { combine: () => { asked = true; return 'auto_apply'; }, enableAutoApply: true });
  expectDecision(d, 'route_to_human', 'no_bands');
  assert.equal(asked, false);
});

test('a closure may decide with the same gate', () => {
  const inner = compile(automatic);
  const policy = when((s: SignalsView) => inner.decide(s).verdict === 'auto_reject');
  assert.equal(codesOf(decide({ score: 0.1 }, policy)), 'band_low:score rule_auto_reject:r');
});
