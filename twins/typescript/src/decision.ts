import type { Fault, FaultCode } from './fault.js';
import type { Bands, RiskLevel, Verdict } from './verdict.js';

/** Names a reason. The faults come last in a decision. */
export type Code =
  | 'band_high'
  | 'band_review'
  | 'band_low'
  | 'rule_route_to_human'
  | 'rule_auto_reject'
  | 'no_bands'
  | 'not_all_high'
  | 'auto_apply_disabled'
  | 'auto_reject_disabled'
  | FaultCode;

/** Where a reason comes from. */
export type Source = 'band' | 'rule' | 'safety';

/** One of the things that shaped a verdict. */
export interface Reason {
  /** One of {@link Code}, or the code of a fault that the caller handed in. */
  code: Code | (string & {});
  /** For people; it may change from version to version. */
  message: string;
  source: Source;
  /** The score, rule or signal it is about, if it is about one. */
  subject?: string;
}

/** What the gate answers. Nothing in it is shared with the gate or the signals. */
export interface Decision {
  verdict: Verdict;
  /** Bands by name, fired rules in the order of the policy (outvoted ones, too), then safety and faults. */
  reasons: Reason[];
  /** Absent if the policy has no risk levels, or none holds. */
  risk?: RiskLevel;
  /** Absent if the policy has no bands. */
  bands?: Bands;
}

/** Returns a fault as a reason of source safety. */
export function faultReason(fault: Fault): Reason {
  const reason: Reason = { code: fault.code, message: fault.detail || fault.code, source: 'safety' };
  if (fault.subject) {
    reason.subject = fault.subject;
  }
  return reason;
}
