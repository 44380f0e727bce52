import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { compile, decide, type Policy, PolicyError } from '@pawlgate/threshold';
import { automatic, decideAny, expectDecision } from './expectation.js';

const malformed = 'band_review:score input_malformed score_missing:score';
const throwing = new Proxy({}, { ownKeys: () => { throw new Error('secret'); }, getPrototypeOf: () => { throw new Error('secret'); } });
const cyclic: Record<string, unknown> = {};
cyclic['self'] = cyclic;
const cyclicList: unknown[] = [];
cyclicList.push(cyclicList);
const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();
class Instance {
  score = 1;
}

const refused: [name: string, signals: unknown][] = [
  ['undefined', undefined],
  ['null', null],
  ['a number', 1],
  ['a string', '{"score":1}'],
  ['a function', () => ({ score: 1 })],
  ['a symbol', Symbol('score')],
  ['a list', [1]],
  ['a map', new Map([['score', 1]])],
  ['an instance of a class', new Instance()],
  ['an object that inherits', Object.create({ score: 1 })],
  ['a proxy that throws', throwing],
  ['a revoked proxy', revoked],
  ['a getter that throws', { get score(): number { throw new Error('secret'); } }],
  ['a getter in meta that throws', { score: 1, meta: { get x(): number { throw new Error('secret'); } } }],
  ['an unknown member', { score: 1, extra: 1 }],
  ['__proto__ as a member', JSON.parse('{"score":1,"__proto__":{}}')],
  ['an envelope', { signals: { score: 1 } }],
  ['scores as a list', { scores: [1] }],
  ['scores as a map', { scores: new Map([['score', 1]]) }],
  ['flags as a string', { score: 1, flags: 'f' }],
  ['flags as a set', { score: 1, flags: new Set(['f']) }],
  ['flags as a string in an object', { score: 1, flags: { 0: 'f', length: 1 } }],
  ['a flag that is a number', { score: 1, flags: [1] }],
  ['a flag that is undefined', { score: 1, flags: [undefined] }],
  ['a hole among flags', { score: 1, flags: new Array(3) }],
  ['a billion flags', { score: 1, flags: new Array(1e9) }],
  ['a flag that is a boxed string', { score: 1, flags: [new String('f')] }],
  ['a flag with a lone surrogate', { score: 1, flags: ['\ud800'] }],
  ['meta as a list', { score: 1, meta: [] }],
  ['a date in meta', { score: 1, meta: { at: new Date(0) } }],
  ['a function deep in meta', { score: 1, meta: { a: [{ b: () => 1 }] } }],
  ['a circle in meta', { score: 1, meta: { cyclic } }],
  ['a circle of lists in meta', { score: 1, meta: { cyclicList } }],
  ['a proxy of a list that lies about its length', { score: 1, flags: new Proxy([], { get: (_, key) => (key === 'length' ? Infinity : 'f') }) }],
  ['more than 1 MiB of text', { score: 1, meta: { text: 'é'.repeat(2 ** 19 + 1) } }],
  ['more than 10,000 members', { score: 1, meta: { list: new Array(10_000).fill(0) } }],
];
for (const [name, signals] of refused) {
  test(`signals that are or have ${name} are malformed`, () => {
    const decision = decideAny(signals, automatic);
    expectDecision(decision, 'route_to_human', malformed);
    assert.doesNotMatch(JSON.stringify(decision), /secret/);
  });
}

const taken: [name: string, signals: unknown][] = [
  ['undefined members', { score: 0.95, scores: undefined, flags: undefined, meta: undefined, extra: undefined }],
  ['an object without a prototype', Object.assign(Object.create(null), { score: 0.95 })],
  ['an object of another realm', runInNewContext('({ score: 0.95, flags: ["f"], meta: { a: [1] } })')],
  ['a getter', { get score(): number { return 0.95; } }],
  ['a transparent proxy', new Proxy({ score: 0.95 }, {})],
  ['names of Object.prototype in meta', { score: 0.95, meta: JSON.parse('{"__proto__":1,"constructor":2,"toString":3}') }],
  ['one value twice', { score: 0.95, meta: { a: automatic, b: automatic } }],
];
for (const [name, signals] of taken) {
  test(`signals with ${name} are taken`, () => expectDecision(decideAny(signals, automatic), 'auto_apply', 'band_high:score'));
}

test('a score that is no number is a fault of that score, whatever it is', () => {
  for (const score of ['0.95', true, [0.95], { valueOf: () => 0.95 }, () => 0.95, Symbol('x'), new Number(0.95), new Date()]) {
    expectDecision(decideAny({ score }, automatic), 'route_to_human', 'band_review:score score_not_number:score');
    expectDecision(decideAny({ score: 1, scores: { x: score } }, automatic), 'route_to_human', 'band_high:score score_not_number:x');
  }
});

test('a getter is read once', () => {
  let reads = 0;
  const signals = { get score(): number { return ++reads === 1 ? 0.1 : 0.95; } };
  expectDecision(decide(signals, automatic), 'auto_reject', 'band_low:score');
  assert.equal(reads, 1);
});

test('what Object.prototype was given is neither a signal nor a policy nor an option', () => {
  const prototype = Object.prototype as Record<string, unknown>;
  const names = ['score', 'enableAutoApply', 'bands', 'combine', 'faults', 'f', 'flag'];
  try {
    prototype['score'] = 0.99;
    prototype['enableAutoApply'] = true;
    prototype['bands'] = { score: { highMin: 0, reviewMin: 0 } };
    prototype['combine'] = () => 'auto_apply';
    prototype['faults'] = [{ code: 'x' }];
    prototype['flag'] = 'f';
    expectDecision(decide({}, { bands: { score: { highMin: 0.9, reviewMin: 0.5 } } }), 'route_to_human', 'band_review:score score_missing:score');
    expectDecision(decide({ score: 1 }, {}), 'route_to_human', 'no_bands');
    expectDecision(decide({ score: 1 }, automatic), 'auto_apply', 'band_high:score');
  } finally {
    names.forEach((name) => delete prototype[name]);
  }
});

test('a policy that cannot be read is invalid, and looks at no signals', () => {
  let looked = false;
  const signals = new Proxy({}, { ownKeys: () => { looked = true; return []; } });
  const policies = [
    throwing, revoked, cyclic, { rules: cyclicList }, { get bands(): object { throw new Error('secret'); } },
    { bands: new Map() }, new Instance(), { rules: new Array(1e9) }, { enableAutoApply: Symbol('true') },
    JSON.parse('{"__proto__":{"enableAutoApply":true}}'), JSON.parse('{"bands":{"score":{"__proto__":1}}}'),
  ];
  for (const policy of policies) {
    const decision = decideAny(signals, policy);
    expectDecision(decision, 'route_to_human', 'policy_invalid');
    assert.doesNotMatch(JSON.stringify(decision), /secret/);
    assert.throws(() => compile(policy as Policy), PolicyError);
  }
  assert.equal(looked, false);
});

test('options that cannot be read are supervision', () => {
  const options = [
    null, 1, [], 'supervised', throwing, revoked, { supervised: 1 }, { supervised: null }, { supervized: true },
    { faults: {} }, { faults: [null] }, { faults: [{}] }, { faults: [{ code: 7 }] }, { get supervised(): boolean { throw new Error(); } },
  ];
  for (const option of options) {
    expectDecision(decideAny({ score: 1 }, automatic, option), 'route_to_human', 'band_high:score gate_supervised');
  }
  for (const option of [undefined, {}, { supervised: false }, { supervised: undefined, faults: [] }]) {
    expectDecision(decideAny({ score: 1 }, automatic, option), 'auto_apply', 'band_high:score');
  }
});

test('nothing that is handed in is changed, and nothing in a decision is shared', () => {
  const freeze = (v: unknown): void => {
    if (typeof v === 'object' && v !== null) {
      Object.values(Object.freeze(v)).forEach(freeze);
    }
  };
  const signals = { score: 1, scores: { a: 1 }, flags: ['f'], meta: { deep: [{ x: 1 }] } };
  const policy = { ...automatic, rules: [{ id: 'r', when: { flag: 'f' }, force: 'auto_reject', reason: 'x' }] };
  const options = { supervised: true, faults: [{ code: 'x' }] };
  [signals, policy, options].forEach(freeze);
  const gate = compile(policy as Policy);
  const first = gate.decide(signals, options);
  const text = JSON.stringify(first);
  first.reasons.forEach((r) => { r.message = 'changed'; });
  first.reasons.length = 0;
  assert.equal(JSON.stringify(gate.decide(signals, options)), text);
});

test('with next to no stack left it still answers, and never automatically by mistake', () => {
  const gate = compile(automatic);
  const verdicts = new Set<string>();
  const dig = (): void => {
    try {
      dig();
    } catch {
      // The bottom.
    }
    try {
      verdicts.add(gate.decide({ score: 0.6 }).verdict);
    } catch (error) {
      assert.ok(error instanceof RangeError); // not even the call fits
    }
  };
  dig();
  assert.deepEqual([...verdicts], ['route_to_human']);
});
