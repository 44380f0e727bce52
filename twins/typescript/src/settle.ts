import { type Fault, spoilsScore } from './fault.js';
import { type Field, fieldOf, holdsInexact, holdTo, rangeText, within } from './field.js';
import type { Evidence } from './input.js';
import type { Plan } from './plan.js';

/** What the gate relies on: evidence that was held to the declarations. */
export interface Settled {
  /** What is known of a score: its value, that it has a fault, or that it is absent. */
  score(name: string): number | 'faulty' | 'absent';
  hasFlag(flag: string): boolean;
  /** Undefined: absent. */
  field(key: string): Field | undefined;
  /** The keys of meta whose numbers can't be held. */
  readonly inexactKeys: ReadonlySet<string>;
  readonly faults: Fault[];
}

/**
 * Joins the two sources of "score", marks the scores that have a fault already
 * and holds every declared signal to its declaration.
 */
export function settle(plan: Plan, evidence: Evidence, extraFaults: readonly Fault[]): Settled {
  const faults = [...evidence.faults, ...extraFaults];
  const scores = settleScores(plan, evidence, faults);
  const { fields, inexactKeys } = settleMeta(plan, evidence, faults);
  const flags = new Set(evidence.flags);
  return {
    score: scores,
    hasFlag: (flag) => flags.has(flag),
    field: (key) => fields.get(key),
    inexactKeys,
    faults,
  };
}

function settleScores(plan: Plan, evidence: Evidence, faults: Fault[]): Settled['score'] {
  const scores = new Map(evidence.scores);
  const direct = evidence.score;
  const named = scores.get('score');
  if (direct !== undefined && named !== undefined && direct !== named && plan.looksAtScore) {
    faults.push({ code: 'score_conflict', subject: 'score', detail: 'score and scores.score differ' });
  } else if (direct !== undefined) {
    scores.set('score', direct);
  }
  const faulty = new Set(faults.filter(spoilsScore).map((fault) => fault.subject ?? ''));
  for (const { name, type, range } of plan.declarations) {
    const value = scores.get(name);
    if (type !== 'score' || range === undefined || value === undefined || faulty.has(name)) {
      continue;
    }
    if (!within(range, value)) {
      faulty.add(name);
      const detail = `score ${name} is ${value}, outside its range ${rangeText(range)}`;
      faults.push({ code: 'score_out_of_range', subject: name, detail });
    }
  }
  return (name) => (faulty.has(name) ? 'faulty' : (scores.get(name) ?? 'absent'));
}

function settleMeta(
  plan: Plan,
  evidence: Evidence,
  faults: Fault[],
): { fields: ReadonlyMap<string, Field>; inexactKeys: ReadonlySet<string> } {
  const fields = new Map<string, Field>();
  for (const key of plan.metaKeys) {
    const value = evidence.meta.get(key);
    if (value !== undefined) {
      fields.set(key, fieldOf(value));
    }
  }
  for (const declaration of plan.declarations) {
    const { name, type } = declaration;
    const value = evidence.meta.get(name);
    const field = fields.get(name);
    if (type === 'score' || type === 'flag' || value === undefined || field === undefined) {
      continue;
    }
    const held = holdTo(declaration, field, value);
    fields.set(name, held.field);
    if (held.wrong !== undefined) {
      faults.push({ code: 'signal_type', subject: name, meta: true, detail: held.wrong });
    }
  }
  const inexactKeys = new Set([...fields].filter(([, f]) => f.kind === 'inexact').map(([key]) => key));
  if (plan.closures) {
    for (const [key, value] of evidence.meta) {
      if (holdsInexact(value)) {
        inexactKeys.add(key);
      }
    }
  }
  for (const key of inexactKeys) {
    const detail = `meta.${key} is a number that can't be held exactly, or has one`;
    faults.push({ code: 'number_inexact', subject: key, meta: true, detail });
  }
  return { fields, inexactKeys };
}
