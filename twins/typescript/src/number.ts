/**
 * A number that was written with a fraction or an exponent, as 1.0 was: for a
 * declaration it isn't an integer, though its value may be one. A plain number
 * needs this wrapper only when it is a whole one and must not count as an
 * integer. It calculates and compares (`<`, not `===`) like its value.
 */
export class Double {
  readonly #value: number;

  constructor(value: number) {
    this.#value = Number(value);
    Object.freeze(this);
  }

  /** The number itself. */
  valueOf(): number {
    return this.#value;
  }

  /** The number itself, for JSON.stringify. */
  toJSON(): number {
    return this.#value;
  }

  /** Tells a Double from everything that only looks like one. */
  static is(value: object): value is Double {
    return #value in value;
  }
}

/**
 * Stands in the place of a number that can't be held exactly enough. Whatever
 * calculates or compares with it fails, so that a closure that reads it is
 * unknown.
 */
export class Inexact {
  constructor() {
    Object.freeze(this);
  }

  [Symbol.toPrimitive](): never {
    throw new TypeError("a number that can't be held exactly");
  }

  /** Fails, as every other reading does. */
  toJSON(): never {
    return this[Symbol.toPrimitive]();
  }
}

/** The one Inexact: it has no value by which two could differ. */
export const inexact = new Inexact();

const maxExact = 2n ** 53n;
const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;

/** Tells whether a float64 holds the integer and all its neighbours exactly. */
export function isExact(i: bigint): boolean {
  return i >= -maxExact && i <= maxExact;
}

/** Tells whether 64 bits hold the integer. */
export function isInt64(i: bigint): boolean {
  return i >= minInt64 && i <= maxInt64;
}

/**
 * Reads a valid JSON number literal. An integer is a number where that is safe,
 * a bigint beyond; what has a fraction or an exponent is a Double if its value
 * is a safe integer and a plain number otherwise, and Inexact if it is too large
 * for a float64. What is too small is 0.
 */
export function parseNumber(literal: string): number | bigint | Double | Inexact {
  if (!/[.eE]/.test(literal)) {
    return parseInteger(literal);
  }
  const value = Number(literal);
  if (!Number.isFinite(value)) {
    return inexact;
  }
  return Number.isSafeInteger(value) ? new Double(value) : value;
}

function parseInteger(literal: string): number | bigint | Inexact {
  if (literal.length <= 15) {
    return Number(literal);
  }
  if (literal.length > 20) {
    return inexact; // an int64 has at most 19 digits and a sign
  }
  const value = BigInt(literal);
  const near = Number(value);
  if (Number.isSafeInteger(near)) {
    return near;
  }
  return isInt64(value) ? value : inexact;
}
