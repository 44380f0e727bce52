import assert from 'node:assert/strict';
import { type Decision, decide, decideText, type Policy, type Signals } from '@pawlgate/threshold';

/** The codes of a decision as vectors write them. */
export function codesOf(decision: Decision): string {
  return decision.reasons.map((r) => (r.subject === undefined ? r.code : `${r.code}:${r.subject}`)).join(' ');
}

/** Checks a verdict and all codes. */
export function expectDecision(decision: Decision, verdict: string, codes: string): void {
  assert.equal(`${decision.verdict}: ${codesOf(decision)}`, `${verdict}: ${codes}`);
}

/** Decides what a typed caller couldn't write. */
export function decideAny(signals: unknown, policy: unknown, options?: unknown): Decision {
  return decide(signals as Signals, policy as Policy, options as never);
}

/** Checks the decision of the same signals given as a value and as text. */
export function expectBoth(text: string, policy: Policy, verdict: string, codes: string): void {
  expectDecision(decideText(text, policy), verdict, codes);
  expectDecision(decideText(Buffer.from(text), policy), verdict, codes);
  expectDecision(decide(JSON.parse(text) as Signals, policy), verdict, codes);
}

/** A policy with one score that switches everything on. */
export const automatic = {
  bands: { score: { highMin: 0.9, reviewMin: 0.5 } },
  enableAutoApply: true,
  enableAutoReject: true,
} as const satisfies Policy;
