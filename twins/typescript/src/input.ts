import type { Fault } from './fault.js';
import { Foreign, type Json, type Members } from './json.js';
import { Double, inexact, isExact } from './number.js';
import { kindOf } from './problem.js';
import { cutText } from './text.js';

/** What could be read of one input. A score with a fault isn't among the scores. */
export interface Evidence {
  readonly score: number | undefined;
  readonly scores: ReadonlyMap<string, number>;
  readonly flags: readonly string[];
  readonly meta: ReadonlyMap<string, Json>;
  readonly faults: readonly Fault[];
}

/** Returns the evidence of an input of which nothing is used. */
export function malformed(why: string): Evidence {
  const faults = [{ code: 'input_malformed', detail: why }];
  return { score: undefined, scores: new Map(), flags: [], meta: new Map(), faults };
}

/** Says why an input hasn't the right form. */
class ShapeError extends Error {}

/** Reads an input: bare signals, or an envelope {"id", "subject"?, "signals", "action"?}. */
export function readInput(input: Json): Evidence {
  return reading(() => {
    const members = objectOf(input, 'the input');
    const envelope = ['id', 'subject', 'signals', 'action'].filter((name) => members.has(name));
    if (envelope.length === 0) {
      return readMembers(members);
    }
    for (const name of ['score', 'scores', 'flags', 'meta']) {
      if (members.has(name)) {
        throw new ShapeError(`${name} belongs into signals when there is an id, subject, action or signals`);
      }
    }
    for (const name of members.keys()) {
      if (!envelope.includes(name)) {
        throw unknownMember(name);
      }
    }
    for (const name of ['id', 'subject']) {
      const text = members.get(name);
      if (text !== undefined && typeof text !== 'string') {
        throw new ShapeError(`${name} must be a string, not ${kindOf(text)}`);
      }
    }
    const signals = members.get('signals');
    if (signals === undefined) {
      throw new ShapeError('an input with an id, subject or action needs signals');
    }
    return readMembers(objectOf(signals, 'signals'));
  });
}

/** Reads bare signals. */
export function readSignals(signals: Json): Evidence {
  return reading(() => readMembers(objectOf(signals, 'signals')));
}

function reading(read: () => Evidence): Evidence {
  try {
    return read();
  } catch (error) {
    if (error instanceof ShapeError) {
      return malformed(error.message);
    }
    throw error;
  }
}

function unknownMember(name: string): ShapeError {
  return new ShapeError(`unknown member ${JSON.stringify(cutText(name, 64))}`);
}

function objectOf(value: Json, what: string): Members {
  if (value instanceof Map) {
    return value;
  }
  throw new ShapeError(`${what} must be an object, not ${kindOf(value)}`);
}

/** Reads a member of signals that is an object; null is an empty one. */
function entries(members: Members, name: string): Members {
  const value = members.get(name) ?? null;
  return value === null ? new Map() : objectOf(value, name);
}

function readMembers(members: Members): Evidence {
  for (const name of members.keys()) {
    if (name !== 'score' && name !== 'scores' && name !== 'flags' && name !== 'meta') {
      throw unknownMember(name);
    }
  }
  const faults: Fault[] = [];
  const scores = new Map<string, number>();
  for (const [name, value] of entries(members, 'scores')) {
    const score = readScore(name, value, faults);
    if (score !== undefined) {
      scores.set(name, score);
    }
  }
  const score = readScore('score', members.get('score') ?? null, faults);
  const meta = entries(members, 'meta');
  for (const value of meta.values()) {
    refuseForeign(value);
  }
  return { score, scores, flags: readFlags(members.get('flags') ?? null), meta, faults };
}

/** How much of the name of a score stands in a fault about its value, in bytes. */
const maxSubject = 200;

function readScore(name: string, value: Json, faults: Fault[]): number | undefined {
  if (value === null) {
    return undefined;
  }
  const subject = cutText(name, maxSubject);
  if (value === inexact || (typeof value === 'bigint' && !isExact(value))) {
    faults.push({ code: 'number_inexact', subject, detail: `score ${subject} can't be held exactly` });
    return undefined;
  }
  if (typeof value !== 'number' && typeof value !== 'bigint' && !(value instanceof Double)) {
    faults.push({ code: 'score_not_number', subject, detail: `score ${subject} is ${kindOf(value)}, not a number` });
    return undefined;
  }
  const number = Number(value);
  if (!Number.isFinite(number)) {
    faults.push({ code: 'score_not_finite', subject: name, detail: `score ${subject} is not finite` });
    return undefined;
  }
  return number;
}

function readFlags(value: Json): string[] {
  if (value === null) {
    return [];
  }
  if (!Array.isArray(value)) {
    throw new ShapeError(`flags must be a list of strings, not ${kindOf(value)}`);
  }
  return value.map((flag) => {
    if (typeof flag !== 'string') {
      throw new ShapeError(`flags must be a list of strings; one entry is ${kindOf(flag)}`);
    }
    return flag;
  });
}

/** Refuses what JSON doesn't know, at any depth. */
function refuseForeign(value: Json): void {
  if (value instanceof Foreign) {
    throw new ShapeError(`meta must hold values of the JSON kinds; one is ${value.kind}`);
  }
  if (Array.isArray(value) || value instanceof Map) {
    value.forEach(refuseForeign); // bounded, as the value is
  }
}
