import { type Decision, faultReason, type Reason } from './decision.js';
import { combine, evaluate } from './evaluate.js';
import { type Fault, sortFaults } from './fault.js';
import type { Evidence } from './input.js';
import type { BandPlan, Plan } from './plan.js';
import { settle, type Settled } from './settle.js';
import type { SignalsView } from './signals.js';
import type { Band, Bands, RiskLevel, Verdict } from './verdict.js';
import { bare, viewOf } from './view.js';

/** Decides, step by step as the contract says. */
export function decideEvidence(plan: Plan, evidence: Evidence, extraFaults: readonly Fault[]): Decision {
  const settled = settle(plan, evidence, extraFaults);
  const view = once(() => viewOf(evidence, settled));
  const reasons: Reason[] = [];

  // 1. Band every configured score; 2. combine the bands.
  const bands = band(plan, settled, reasons);
  const tentative = combined(plan, bands, settled.faults);

  // 3. Evaluate every rule. 4. The safest outcome wins.
  const verdict = fire(plan, settled, view, reasons) ?? tentative;

  // 5. Safety: an automatic verdict survives only if nothing speaks against it. 6. What is blocked goes to a person.
  const blocks = safety(plan, bands, verdict);
  reasons.push(...blocks, ...sortFaults(settled.faults).map(faultReason));
  const survives = settled.faults.length === 0 && isAllowed(plan, bands, verdict);

  const decision: Decision = { verdict: survives ? verdict : 'route_to_human', reasons };
  const risk = assess(plan, settled, view, bands);
  if (risk !== undefined) {
    decision.risk = risk;
  }
  if (plan.bands.length > 0) {
    decision.bands = bands;
  }
  return decision;
}

/** Decides where the policy is invalid: nothing of the signals is looked at. */
export function refuse(why: string, extraFaults: readonly Fault[]): Decision {
  const faults = sortFaults([...extraFaults, { code: 'policy_invalid', detail: why }]);
  return { verdict: 'route_to_human', reasons: faults.map(faultReason) };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

function band(plan: Plan, settled: Settled, reasons: Reason[]): Bands {
  const bands = plan.bands.map((config): [string, Band] => {
    const { name, highMin, reviewMin } = config;
    const score = settled.score(name);
    if (score === 'absent') {
      settled.faults.push({ code: 'score_missing', subject: name, detail: `score ${name} is missing` });
    }
    let at: Band = 'review';
    if (typeof score === 'number') {
      at = score >= highMin ? 'high' : score >= reviewMin ? 'review' : 'low';
    }
    const unreliable = `${name} has no value to rely on, so it counts as review`;
    const message = typeof score === 'number' ? bandMessage(config, at) : unreliable;
    reasons.push({ code: `band_${at}`, message, source: 'band', subject: name });
    return [name, at];
  });
  return bare(bands);
}

function bandMessage({ name, highMin, reviewMin }: BandPlan, at: Band): string {
  switch (at) {
    case 'high':
      return `${name} >= ${highMin} (highMin)`;
    case 'review':
      return `${name} >= ${reviewMin} (reviewMin) and < ${highMin} (highMin)`;
    case 'low':
      return `${name} < ${reviewMin} (reviewMin)`;
  }
}

function combined(plan: Plan, bands: Bands, faults: Fault[]): Verdict {
  if (plan.bands.length === 0) {
    return 'route_to_human';
  }
  const verdict = combine(plan.combine, bands);
  if (typeof verdict === 'string') {
    return verdict;
  }
  faults.push({ code: 'combine_invalid', detail: verdict.invalid });
  return 'route_to_human';
}

/** Evaluates all rules and returns what they force, if anything. */
function fire(plan: Plan, settled: Settled, view: () => SignalsView, reasons: Reason[]): Verdict | undefined {
  let forced: Verdict | undefined;
  for (const { id, when, force, reason } of plan.rules) {
    const holds = evaluate(when, settled, view);
    if (typeof holds === 'object') {
      forced = 'route_to_human';
      settled.faults.push({ code: 'rule_error', subject: id, detail: `rule ${id} can't be decided: ${holds.unknown}` });
    } else if (holds) {
      forced = forced === 'route_to_human' ? forced : force;
      reasons.push({ code: `rule_${force}`, message: reason, source: 'rule', subject: id });
    }
  }
  return forced;
}

function areAllHigh(bands: Bands): boolean {
  return Object.values(bands).every((at) => at === 'high');
}

/** Returns the reasons of safety that aren't faults. */
function safety(plan: Plan, bands: Bands, verdict: Verdict): Reason[] {
  const reasons: Reason[] = [];
  const add = (code: Reason['code'], message: string): void => {
    reasons.push({ code, message, source: 'safety' });
  };
  if (plan.bands.length === 0) {
    add('no_bands', 'the policy has no bands, so no score speaks for anything');
  }
  if (verdict === 'auto_apply' && !areAllHigh(bands)) {
    add('not_all_high', 'combine said auto_apply, but not every band is high');
  }
  if (verdict === 'auto_apply' && !plan.enableAutoApply) {
    add('auto_apply_disabled', "auto_apply isn't switched on (enableAutoApply)");
  }
  if (verdict === 'auto_reject' && !plan.enableAutoReject) {
    add('auto_reject_disabled', "auto_reject isn't switched on (enableAutoReject)");
  }
  return reasons;
}

/** Tells whether the policy allows a verdict without a person, asked positively: only what provably is fine is. */
function isAllowed(plan: Plan, bands: Bands, verdict: Verdict): boolean {
  switch (verdict) {
    case 'auto_apply':
      return plan.enableAutoApply && plan.bands.length > 0 && areAllHigh(bands);
    case 'auto_reject':
      return plan.enableAutoReject;
    case 'route_to_human':
      return true;
  }
}

function assess(plan: Plan, settled: Settled, view: () => SignalsView, bands: Bands): RiskLevel | undefined {
  for (const { level, when } of plan.risk) {
    const holds = evaluate(when, settled, view, bands);
    if (typeof holds === 'object') {
      return 'critical';
    }
    if (holds) {
      return level;
    }
  }
  return undefined;
}
