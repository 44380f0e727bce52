import { Foreign, type Json } from './json.js';
import type { Evidence } from './input.js';
import { Double, inexact } from './number.js';
import type { SignalsView } from './signals.js';
import type { Settled } from './settle.js';

/** Makes what closures get to see of the signals, deep-frozen and without prototypes. */
export function viewOf(evidence: Evidence, settled: Settled): SignalsView {
  const scores = [...evidence.scores].filter(([name]) => settled.score(name) !== 'faulty');
  const meta = [...evidence.meta].map(([key, value]): [string, unknown] => [
    key,
    settled.inexactKeys.has(key) ? inexact : plainOf(value),
  ]);
  const view: [string, unknown][] = [
    ['scores', bare(scores)],
    ['flags', Object.freeze([...evidence.flags])],
    ['meta', bare(meta)],
  ];
  if (evidence.score !== undefined && settled.score('score') !== 'faulty') {
    view.push(['score', evidence.score]);
  }
  return bare(view) as unknown as SignalsView;
}

/** Makes a frozen object without a prototype, in which every name is only a name. */
export function bare<T>(entries: Iterable<readonly [string, T]>): Readonly<Record<string, T>> {
  const object = Object.create(null) as Record<string, T>;
  for (const [name, value] of entries) {
    object[name] = value;
  }
  return Object.freeze(object);
}

function plainOf(value: Json): unknown {
  if (Array.isArray(value)) {
    return Object.freeze(value.map(plainOf));
  }
  if (value instanceof Map) {
    return bare([...value].map(([name, member]) => [name, plainOf(member)] as const));
  }
  if (value instanceof Double) {
    return value.valueOf();
  }
  return value instanceof Foreign ? inexact : value;
}
