import { compareText } from './text.js';

const order = [
  'input_malformed',
  'score_missing',
  'score_not_number',
  'score_not_finite',
  'score_out_of_range',
  'score_conflict',
  'number_inexact',
  'signal_type',
  'rule_error',
  'combine_invalid',
  'policy_invalid',
  'gate_supervised',
] as const;

/** The faults that the contract names, in the order in which they are reported. */
export type FaultCode = (typeof order)[number];

/** Something that keeps the gate from trusting its input. Any fault, whatever its code, ends with a person. */
export interface Fault {
  /** One of {@link FaultCode}; another code blocks, too, and is listed last. */
  readonly code: FaultCode | (string & {});
  /** The score, signal or rule it is about, if it is about one. */
  readonly subject?: string | undefined;
  /** The subject is a key of meta, not a score of that name. */
  readonly meta?: boolean | undefined;
  /** For people: what is wrong, and never the value itself. */
  readonly detail?: string | undefined;
}

function rank(code: string): number {
  const at = (order as readonly string[]).indexOf(code);
  return at < 0 ? order.length : at;
}

/** Returns the faults in the order of the contract, each code and subject once: the first of them stays. */
export function sortFaults(faults: readonly Fault[]): Fault[] {
  const sorted = [...faults].sort(
    (a, b) =>
      rank(a.code) - rank(b.code) || compareText(a.code, b.code) || compareText(a.subject ?? '', b.subject ?? ''),
  );
  return sorted.filter((fault, i) => {
    const before = sorted[i - 1];
    return before === undefined || before.code !== fault.code || (before.subject ?? '') !== (fault.subject ?? '');
  });
}

const aboutScores = new Set<string>([
  'score_missing',
  'score_not_number',
  'score_not_finite',
  'score_out_of_range',
  'score_conflict',
  'number_inexact',
]);

/** Tells whether a fault makes the value of the score that it is about one that can't be relied on. */
export function spoilsScore(fault: Fault): boolean {
  return aboutScores.has(fault.code) && fault.meta !== true;
}
