import { Foreign, type Json, type Members } from './json.js';
import { Double, isExact } from './number.js';

/** One thing that is wrong with a policy. */
export interface Problem {
  /** JSON pointer (RFC 6901) into the policy: /rules/2/force. */
  readonly path: string;
  readonly message: string;
}

/** The error of compile: everything that is wrong with a policy. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super('invalid policy: ' + problems.map((p) => `${p.path}: ${p.message}`).join('; '));
    this.problems = Object.freeze(problems.map((p) => Object.freeze({ ...p })));
  }
}

/** Returns what a value is, as it stands in messages. */
export function kindOf(value: Json): string {
  if (value === null) {
    return 'null';
  }
  switch (typeof value) {
    case 'string':
      return 'a string';
    case 'boolean':
      return 'a boolean';
    case 'number':
    case 'bigint':
      return 'a number';
    default:
      break;
  }
  if (value instanceof Map) {
    return 'an object';
  }
  if (Array.isArray(value)) {
    return 'a list';
  }
  return value instanceof Foreign ? value.kind : 'a number';
}

/** Escapes a name for a JSON pointer. */
export function pointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Takes values out of a policy and collects what is wrong with it. */
export class PolicyReader {
  readonly problems: Problem[] = [];

  /** Notes a problem. */
  problem(path: string, message: string): void {
    this.problems.push({ path, message });
  }

  #mistyped(value: Json, path: string, what: string): undefined {
    this.problem(path, `must be ${what}, not ${kindOf(value)}`);
    return undefined;
  }

  /** Reads an object whose members have names of the policy's own. */
  map(value: Json, path: string): Members | undefined {
    return value instanceof Map ? value : this.#mistyped(value, path, 'an object');
  }

  /** Reads an object that has no other members than these. */
  object(value: Json, path: string, known: readonly string[]): Members | undefined {
    const members = this.map(value, path);
    for (const name of members?.keys() ?? []) {
      if (!known.includes(name)) {
        this.problem(`${path}/${pointerToken(name)}`, `is unknown: use ${known.join(', ')}`);
      }
    }
    return members;
  }

  /** Reads a list. */
  list(value: Json, path: string): readonly Json[] | undefined {
    return Array.isArray(value) ? value : this.#mistyped(value, path, 'a list');
  }

  /** Reads a string that must be there and must not be empty. */
  text(value: Json | undefined, path: string): string | undefined {
    if (value === undefined || value === '') {
      this.problem(path, value === '' ? 'is empty' : 'is missing');
      return undefined;
    }
    return typeof value === 'string' ? value : this.#mistyped(value, path, 'a string');
  }

  /** Reads a finite number that must be there and that a float64 holds exactly enough. */
  number(value: Json | undefined, path: string): number | undefined {
    if (value === undefined) {
      this.problem(path, 'is missing');
      return undefined;
    }
    let number: number | undefined;
    if (typeof value === 'number' || value instanceof Double) {
      number = value.valueOf();
    } else if (typeof value === 'bigint' && isExact(value)) {
      number = Number(value);
    } else if (kindOf(value) !== 'a number') {
      return this.#mistyped(value, path, 'a number');
    }
    if (number === undefined) {
      this.problem(path, "can't be held exactly");
    } else if (!Number.isFinite(number)) {
      this.problem(path, 'must be a finite number');
      return undefined;
    }
    return number;
  }

  /** Reads a switch. */
  boolean(value: Json | undefined, path: string): boolean {
    if (value === undefined || typeof value === 'boolean') {
      return value === true;
    }
    this.problem(path, `must be true or false (only true switches it on), not ${kindOf(value)}`);
    return false;
  }

  /** Reads one of a few words. */
  word<T extends string>(value: Json | undefined, path: string, words: readonly T[]): T | undefined {
    const text = this.text(value, path);
    const word = words.find((w) => w === text);
    if (text !== undefined && word === undefined) {
      this.problem(path, `${JSON.stringify(text)} is unknown: use ${words.join(', ')}`);
    }
    return word;
  }
}
