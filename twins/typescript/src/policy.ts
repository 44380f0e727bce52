import type { SignalsView } from './signals.js';
import type { Bands, RiskLevel, Verdict } from './verdict.js';

/** The bounds of a score's bands, both inclusive. If they are equal, there is no review band. */
export interface BandConfig {
  readonly highMin: number;
  /** Not above highMin. */
  readonly reviewMin: number;
}

/** Holds if the flag is present, compared exactly. It is never unknown. */
export interface FlagCondition {
  readonly flag: string;
}

/** Holds if the number meta[key] is below the value, compared exactly; unknown if there is no number. */
export interface MetaNumberLessThanCondition {
  readonly metaNumberLessThan: { readonly key: string; readonly value: number };
}

/** Holds if the score is below the value; unknown if it is absent or has a fault. */
export interface ScoreBelowCondition {
  readonly scoreBelow: { readonly name: string; readonly value: number };
}

/** The three declarative forms of a condition. */
export type Fixture = FlagCondition | MetaNumberLessThanCondition | ScoreBelowCondition;

/**
 * True, false or unknown of some signals. A closure must be pure and answer at
 * once; if it throws, or answers anything but true or false (a promise, say), it
 * is unknown.
 */
export type Condition = Fixture | ((signals: SignalsView) => boolean);

/** A condition of a risk level, which sees the bands, too. */
export type RiskCondition = Fixture | ((signals: SignalsView, bands: Bands) => boolean);

/**
 * Makes a tentative verdict out of the bands of all configured scores. It isn't
 * asked when there are none. `lowest` is the default.
 */
export type Combine = 'lowest' | 'unanimous' | ((bands: Bands) => Verdict);

/** Forces a more supervised verdict when its condition holds or is unknown. */
export interface Rule {
  /** Unique in the policy. */
  readonly id: string;
  readonly when: Condition;
  readonly force: 'route_to_human' | 'auto_reject';
  /** For the people who see the decision. */
  readonly reason: string;
}

/** One step of the search for a risk level. A condition that is unknown ends the search at critical. */
export interface Risk {
  readonly level: RiskLevel;
  readonly when: RiskCondition;
}

/** What a declared signal holds. Scores and flags are read from there, everything else from meta. */
export type SignalType = 'score' | 'number' | 'integer' | 'string' | 'boolean' | 'flag';

/** Declares one signal. */
export interface SignalDeclaration {
  readonly type: SignalType;
  /** The lowest and the highest value of a score, number or integer, both inclusive. */
  readonly range?: readonly [number, number] | undefined;
}

/** What may be decided without a person. The empty policy is valid and routes everything to one. */
export interface Policy {
  /** Gives a band to each score that counts, by name. */
  readonly bands?: Readonly<Record<string, BandConfig>> | undefined;
  readonly combine?: Combine | undefined;
  /** Can raise supervision or reject, in order, all of them. */
  readonly rules?: readonly Rule[] | undefined;
  /** Only true switches it on. */
  readonly enableAutoApply?: boolean | undefined;
  /** Only true switches it on. */
  readonly enableAutoReject?: boolean | undefined;
  /** Annotates decisions for the review queue: the first level whose condition holds. */
  readonly risk?: readonly Risk[] | undefined;
  /** Once there are declarations, only what is declared can be read, and another type is a fault. */
  readonly signals?: Readonly<Record<string, SignalDeclaration>> | undefined;
}
