import type { Double } from './number.js';

/** A number as a caller may hand it over. */
export type SignalNumber = number | bigint | Double;

/**
 * What a caller knows about one decision. Absent, undefined, null and empty mean
 * the same. The gate never changes signals and keeps nothing of them.
 */
export interface Signals {
  /** The score named "score". It and scores.score may feed the band of that name; if both do, they must agree. */
  readonly score?: SignalNumber | null | undefined;
  /** Named scores. NaN or an infinity in any of them is a fault. */
  readonly scores?: Readonly<Record<string, SignalNumber | null | undefined>> | null | undefined;
  /** Facts that hold, compared exactly. */
  readonly flags?: readonly string[] | null | undefined;
  /** Everything else: values of the JSON kinds. */
  readonly meta?: Readonly<Record<string, unknown>> | null | undefined;
}

/**
 * What a closure gets to see of the signals: a deep-frozen copy without
 * prototypes. Scores with a fault are left out of it.
 */
export interface SignalsView {
  readonly score?: number;
  readonly scores: Readonly<Record<string, number | undefined>>;
  readonly flags: readonly string[];
  /** Numbers are plain numbers, or bigints for integers beyond Number.MAX_SAFE_INTEGER. */
  readonly meta: Readonly<Record<string, unknown>>;
}
