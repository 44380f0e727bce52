import type { Closure, ConditionPlan, Plan } from './plan.js';
import type { Settled } from './settle.js';
import type { SignalsView } from './signals.js';
import { type Bands, isVerdict, type Verdict } from './verdict.js';

/** True, false, or why it is unknown. */
export type Truth = boolean | { readonly unknown: string };

/** Evaluates a condition. Bands are for the closures of risk levels alone. */
export function evaluate(when: ConditionPlan, settled: Settled, view: () => SignalsView, bands?: Bands): Truth {
  switch (when.kind) {
    case 'flag':
      return settled.hasFlag(when.flag);
    case 'meta': {
      const field = settled.field(when.key);
      if (field === undefined) {
        return { unknown: `meta.${when.key} is absent` };
      }
      if (field.kind === 'integer' || field.kind === 'double') {
        return field.value < when.below; // a bigint isn't rounded for it
      }
      return { unknown: `meta.${when.key} is ${field.is}, not a number` };
    }
    case 'score': {
      const score = settled.score(when.name);
      if (typeof score === 'number') {
        return score < when.below;
      }
      return { unknown: `score ${when.name} ${score === 'absent' ? 'is absent' : 'has a fault'}` };
    }
    case 'closure': {
      const answer = call(when.call, bands === undefined ? [view()] : [view(), bands]);
      if (answer === undefined) {
        return { unknown: 'the closure threw' };
      }
      return typeof answer.value === 'boolean' ? answer.value : { unknown: 'the closure answered no boolean' };
    }
  }
}

/** Makes a tentative verdict of the bands, of which there is at least one, or says why there is none. */
export function combine(how: Plan['combine'], bands: Bands): Verdict | { readonly invalid: string } {
  const all = Object.values(bands);
  if (how === 'lowest') {
    return all.includes('low') ? 'auto_reject' : all.includes('review') ? 'route_to_human' : 'auto_apply';
  }
  if (how === 'unanimous') {
    if (all.every((band) => band === 'high')) {
      return 'auto_apply';
    }
    return all.every((band) => band === 'low') ? 'auto_reject' : 'route_to_human';
  }
  const answer = call(how, [bands]);
  if (answer === undefined) {
    return { invalid: 'combine threw' };
  }
  return isVerdict(answer.value) ? answer.value : { invalid: "combine answered something that isn't a verdict" };
}

/** Calls a closure; undefined if it threw. What it threw may hold what the signals held, so nobody looks at it. */
function call(closure: Closure, args: readonly unknown[]): { readonly value: unknown } | undefined {
  try {
    const value: unknown = Reflect.apply(closure, undefined, args);
    silence(value);
    return { value };
  } catch {
    return undefined;
  }
}

/** Takes note of a promise, so that its rejection, which concerns nobody, doesn't end the process. */
function silence(value: unknown): void {
  if (typeof value !== 'object' || value === null) {
    return;
  }
  const ignore = (): void => undefined;
  try {
    void Promise.prototype.then.call(value, ignore, ignore);
  } catch {
    // It was no promise.
  }
}
