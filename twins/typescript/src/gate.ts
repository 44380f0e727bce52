import { compilePlan } from './compile.js';
import { decideEvidence, refuse } from './decide.js';
import type { Decision } from './decision.js';
import { type Evidence, malformed, readInput, readSignals } from './input.js';
import { decodeJson, JsonError } from './json.js';
import { type Options, optionFaults } from './options.js';
import { copyPlain } from './plain.js';
import type { Plan } from './plan.js';
import type { Policy } from './policy.js';
import { PolicyError } from './problem.js';
import type { Signals } from './signals.js';

/** A compiled policy. It is immutable; its methods need no `this`. */
export interface Gate {
  /**
   * Decides. It never throws and never changes what it is given: whatever is
   * wrong becomes a reason and a person.
   */
  readonly decide: (signals: Signals, options?: Options) => Decision;
  /**
   * Decides from the text of one input, strict JSON in UTF-8: the bare signals or
   * the envelope {"id", "subject"?, "signals", "action"?}. It never throws.
   */
  readonly decideText: (text: string | Uint8Array, options?: Options) => Decision;
}

/**
 * Checks a policy and makes a gate of it, which keeps a copy. If anything is
 * wrong it throws a {@link PolicyError} with every problem and its place.
 */
export function compile(policy: Policy): Gate {
  const plan = planOf(policy);
  return Object.freeze<Gate>({
    decide: (signals, options) =>
      failClosed(() => decideEvidence(plan, signalsEvidence(signals), optionFaults(options))),
    decideText: (text, options) => failClosed(() => decideEvidence(plan, textEvidence(text), optionFaults(options))),
  });
}

/**
 * Compiles the policy and decides once. An invalid policy is the fault
 * policy_invalid. Whoever decides more than once compiles once.
 */
export function decide(signals: Signals, policy: Policy, options?: Options): Decision {
  return failClosed(() => decideOnce(policy, options, (gate) => gate.decide(signals, options)));
}

/** Compiles the policy and decides once from text, as {@link Gate.decideText} does. */
export function decideText(text: string | Uint8Array, policy: Policy, options?: Options): Decision {
  return failClosed(() => decideOnce(policy, options, (gate) => gate.decideText(text, options)));
}

function decideOnce(policy: Policy, options: Options | undefined, use: (gate: Gate) => Decision): Decision {
  let gate: Gate;
  try {
    gate = compile(policy);
  } catch (error) {
    return refuse(error instanceof PolicyError ? error.message : "the policy can't be read", optionFaults(options));
  }
  return use(gate);
}

/** The last resort, for a caller that has left next to no stack, say: a person. */
function failClosed(decision: () => Decision): Decision {
  try {
    return decision();
  } catch {
    const message = 'the gate could not finish';
    return { verdict: 'route_to_human', reasons: [{ code: 'input_malformed', message, source: 'safety' }] };
  }
}

function planOf(policy: unknown): Plan {
  let copy;
  try {
    copy = copyPlain(policy);
  } catch (error) {
    const why = error instanceof JsonError ? error.message : 'a getter or proxy threw';
    throw new PolicyError([{ path: '', message: `can't be read: ${why}` }]);
  }
  return compilePlan(copy);
}

function signalsEvidence(signals: unknown): Evidence {
  try {
    return readSignals(copyPlain(signals));
  } catch (error) {
    return malformed(error instanceof JsonError ? error.message : 'a getter or proxy threw');
  }
}

function textEvidence(text: unknown): Evidence {
  if (typeof text !== 'string' && !(ArrayBuffer.isView(text) && text instanceof Uint8Array)) {
    return malformed('the text must be a string or a Uint8Array');
  }
  try {
    return readInput(decodeJson(text));
  } catch (error) {
    return malformed(error instanceof JsonError ? error.message : "the text can't be read");
  }
}
