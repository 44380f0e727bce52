import { compilePlan } from './compile.js';
import { decideEvidence, refuse } from './decide.js';
import type { Decision } from './decision.js';
import type { Fault } from './fault.js';
import { type Evidence, malformed, readInput } from './input.js';
import { decodeJson, type Json, JsonError, type Members } from './json.js';
import { Double } from './number.js';
import type { Plan } from './plan.js';
import { PolicyError } from './problem.js';
import type { Bands, RiskLevel, Verdict } from './verdict.js';

/** What conformance looks at: a decision without its messages. */
export interface Answer {
  readonly id: string;
  readonly verdict: Verdict;
  readonly bands: Bands;
  /** "code", or "code:subject" if there is a subject, in order. */
  readonly codes: readonly string[];
  /** Empty if no level holds. */
  readonly risk: RiskLevel | '';
}

/** Answers one line of the protocol of the conformance vectors. It throws an Error for what is no such line. */
export function answerLine(line: string | Uint8Array): Answer {
  const question = decodeJson(line);
  if (!(question instanceof Map)) {
    throw new JsonError('a line must be an object');
  }
  for (const name of question.keys()) {
    if (!['id', 'signalsText', 'signalsBase64', 'policy', 'supervised'].includes(name)) {
      throw new JsonError(`unknown member ${JSON.stringify(name)}`);
    }
  }
  const id = question.has('id') ? question.get('id') : '';
  const policy = question.get('policy');
  const supervised = question.has('supervised') ? question.get('supervised') : false;
  if (typeof id !== 'string' || policy === undefined || typeof supervised !== 'boolean') {
    throw new JsonError('a line needs an id (a string), a policy and supervised (a boolean)');
  }
  const faults: Fault[] = supervised ? [{ code: 'gate_supervised', detail: 'the gate is supervised' }] : [];
  return answerOf(id, decideQuestion(policy, inputOf(question), faults));
}

/** Reduces a decision to what conformance looks at. */
export function answerOf(id: string, decision: Decision): Answer {
  return {
    id,
    verdict: decision.verdict,
    bands: decision.bands ?? {},
    codes: decision.reasons.map((r) => (r.subject === undefined ? r.code : `${r.code}:${r.subject}`)),
    risk: decision.risk ?? '',
  };
}

const base64Form = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function inputOf(question: Members): string | Uint8Array {
  const text = question.get('signalsText');
  const base64 = question.get('signalsBase64');
  if (typeof text === 'string' && base64 === undefined) {
    return text;
  }
  if (typeof base64 === 'string' && text === undefined && base64Form.test(base64)) {
    return Buffer.from(base64, 'base64');
  }
  throw new JsonError('a line needs one of signalsText, signalsBase64 (a string)');
}

function decideQuestion(policy: Json, input: string | Uint8Array, faults: readonly Fault[]): Decision {
  let plan: Plan;
  try {
    plan = compilePlan(policy);
  } catch (error) {
    if (error instanceof PolicyError) {
      return refuse(error.message, faults);
    }
    throw error;
  }
  return decideEvidence(plan, evidenceOf(input), faults);
}

function evidenceOf(input: string | Uint8Array): Evidence {
  try {
    return readInput(replaceNumbers(decodeJson(input)));
  } catch (error) {
    if (error instanceof JsonError) {
      return malformed(error.message);
    }
    throw error;
  }
}

/** Puts the numbers that JSON can't write in the places of score, an entry of scores and one of meta. */
export function replaceNumbers(input: Json): Json {
  if (!(input instanceof Map)) {
    return input;
  }
  const replaced = new Map(input);
  for (const name of ['scores', 'meta']) {
    const entries = input.get(name);
    if (entries instanceof Map) {
      replaced.set(name, new Map([...entries].map(([key, value]) => [key, oddNumber(value) ?? value])));
    }
  }
  const score = oddNumber(input.get('score'));
  if (score !== undefined) {
    replaced.set('score', score);
  }
  return replaced;
}

const oddNumbers = new Map([
  ['NaN', NaN],
  ['Inf', Infinity],
  ['-Inf', -Infinity],
  ['-0', -0],
]);

function oddNumber(value: Json | undefined): Double | undefined {
  if (!(value instanceof Map) || value.size !== 1) {
    return undefined;
  }
  const form = value.get('$number');
  const number = typeof form === 'string' ? oddNumbers.get(form) : undefined;
  return number === undefined ? undefined : new Double(number);
}
