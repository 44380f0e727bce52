/**
 * A gate between a scored, automated decision and the world: it answers
 * auto_apply, auto_reject or route_to_human, and why.
 *
 * @packageDocumentation
 */
export { compile, decide, decideText, type Gate } from './gate.js';
export type { Code, Decision, Reason, Source } from './decision.js';
export type { Fault, FaultCode } from './fault.js';
export { Double, Inexact } from './number.js';
export type { Options } from './options.js';
export type {
  BandConfig,
  Combine,
  Condition,
  Fixture,
  FlagCondition,
  MetaNumberLessThanCondition,
  Policy,
  Risk,
  RiskCondition,
  Rule,
  ScoreBelowCondition,
  SignalDeclaration,
  SignalType,
} from './policy.js';
export { PolicyError, type Problem } from './problem.js';
export type { SignalNumber, Signals, SignalsView } from './signals.js';
export type { Band, Bands, RiskLevel, Verdict } from './verdict.js';
