import type { Random } from './random.js';

/** Names of scores; some of them mean something to JavaScript. */
export const scoreNames = [
  'score', 'score', 'fraud', 'quality', 'Z', 'a', 'aa', '_', '__proto__', 'constructor', 'hasOwnProperty', 'valueOf',
  'n'.repeat(128),
];

/** Keys of meta, flags and ids of rules: any text. */
export const texts = [
  'amount', 'days', 'vip', 'score', 'fraud', 'é', '\ufb00', '😀', '\u2028', 'a b', 'a/b~c', '__proto__', 'constructor',
  'toString', '"', '\\', '\u0000', '0', '10', '9', 'ａ',
];

/** Names that no policy has. */
export const strangers = [
  'x', 'Score', '', '😀', '\ufffd', '0', 'l'.repeat(200), 'l'.repeat(201), 'é'.repeat(101), 'x' + 'é'.repeat(100),
  '😀'.repeat(51), 'xx' + '😀'.repeat(60), '__proto__', 'toString',
];

/** Number literals at the ends of what can be held. */
export const extremes = [
  '9007199254740991', '9007199254740992', '9007199254740993', '-9007199254740992', '-9007199254740993',
  '9223372036854775807', '9223372036854775808', '-9223372036854775808', '-9223372036854775809', '9007199254740993.0',
  '123456789012345678901234567890', '1e400', '-1e400', '1e-400', '-1e-400', '1.7976931348623157e308',
  '1.7976931348623159e308', '-1.7976931348623159e+308', '4.9e-324', '2e-324', '-0', '-0.0', '0e0', '1E2', '1e+2',
  '9223372036854775807.0', '9.223372036854775807e18', '100000000000000000000e-20', '999999999999999', '1000000000000000',
  '-100000000000000', '0.30000000000000004', '1e22', '18446744073709551616',
];

/** Values that aren't numbers. */
export const odd = [
  'null', 'true', 'false', '"0.95"', '""', '"x"', '[]', '{}', '[0.95]', '{"value":1}', '[[],{"a":[1e400]}]', '{"$number":1}',
  '[9223372036854775808]',
];

const cell = new Float64Array(1);
const bits = new BigInt64Array(cell.buffer);

/** The nearest neighbour of a number, above or below. */
export function neighbour(value: number, above: boolean): number {
  if (value === 0) {
    return above ? Number.MIN_VALUE : -Number.MIN_VALUE;
  }
  cell[0] = value;
  bits[0] = (bits[0] ?? 0n) + (value > 0 === above ? 1n : -1n);
  return Number.isFinite(cell[0]) ? cell[0] : value;
}

/** Writes a number in one of many ways; some make a fraction of an integer. */
export function literal(random: Random, value: number): string {
  const plain = JSON.stringify(value);
  switch (random.below(10)) {
    case 0:
      return value.toExponential();
    case 1:
      return /[.e]/.test(plain) ? plain : plain + '.0';
    case 2:
      return /e/.test(plain) ? plain : plain + (/\./.test(plain) ? '00' : 'e0');
    default:
      return plain;
  }
}

/** A number on, near or far from one of the bounds. */
export function near(random: Random, bounds: readonly number[]): string {
  const bound = bounds.length > 0 ? random.pick(bounds) : random.pick([0, 0.5, 1]);
  if (Number.isInteger(bound) && Math.abs(bound) >= 2 ** 53 && random.oneIn(3)) {
    return String(BigInt(bound) + BigInt(random.below(3) - 1)); // next to it, though no float64 is
  }
  switch (random.below(12)) {
    case 0:
    case 1:
    case 2:
      return literal(random, bound);
    case 3:
    case 4:
      return literal(random, neighbour(bound, random.oneIn(2)));
    case 5:
      return literal(random, bound + random.pick([-1, 1, 0.5, -0.25]));
    case 6:
      return random.oneIn(6) ? random.pick(extremes) : literal(random, random.below(5));
    case 7:
    case 8:
      return literal(random, Math.max(0, ...bounds) + random.next());
    case 9:
      return literal(random, Math.min(0, ...bounds) - random.next());
    default:
      return literal(random, random.next());
  }
}
