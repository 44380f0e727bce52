import type { SignalType } from './policy.js';
import type { RiskLevel } from './verdict.js';

/** A checked condition. */
export type ConditionPlan =
  | { readonly kind: 'flag'; readonly flag: string }
  | { readonly kind: 'meta'; readonly key: string; readonly below: number }
  | { readonly kind: 'score'; readonly name: string; readonly below: number }
  | { readonly kind: 'closure'; readonly call: Closure };

/** A function of the caller's; what it does and answers isn't known. */
export type Closure = (...args: never[]) => unknown;

/** A checked band. */
export interface BandPlan {
  readonly name: string;
  readonly highMin: number;
  readonly reviewMin: number;
}

/** A checked rule. */
export interface RulePlan {
  readonly id: string;
  readonly when: ConditionPlan;
  readonly force: 'route_to_human' | 'auto_reject';
  readonly reason: string;
}

/** A checked risk level. */
export interface RiskPlan {
  readonly level: RiskLevel;
  readonly when: ConditionPlan;
}

/** A range, both bounds inclusive. */
export type Range = readonly [lowest: number, highest: number];

/** A checked declaration. */
export interface DeclarationPlan {
  readonly name: string;
  readonly type: SignalType;
  readonly range?: Range;
}

/** A checked policy: nothing in it is shared with the policy that it was made of. */
export interface Plan {
  /** By name. */
  readonly bands: readonly BandPlan[];
  readonly combine: 'lowest' | 'unanimous' | Closure;
  readonly rules: readonly RulePlan[];
  readonly risk: readonly RiskPlan[];
  readonly enableAutoApply: boolean;
  readonly enableAutoReject: boolean;
  readonly declarations: readonly DeclarationPlan[];
  /** The policy looks at the score named "score". */
  readonly looksAtScore: boolean;
  /** The keys of meta that a fixture or declaration reads, in order. */
  readonly metaKeys: readonly string[];
  /** A condition is a closure, which may read anything. */
  readonly closures: boolean;
}
