import { Foreign, type Json } from './json.js';
import { Double, inexact, isExact, isInt64 } from './number.js';
import type { DeclarationPlan, Range } from './plan.js';
import { kindOf } from './problem.js';

/** The gate's own view of one value in meta. */
export type Field =
  | { readonly kind: 'integer'; readonly value: number | bigint }
  | { readonly kind: 'double'; readonly value: number }
  | { readonly kind: 'inexact'; readonly is: string }
  | { readonly kind: 'other'; readonly is: string };

const inexactField: Field = { kind: 'inexact', is: "a number that can't be held exactly" };

/**
 * Looks at a value in meta. A number is an integer if it is a safe one and wasn't
 * written with a fraction.
 */
export function fieldOf(value: Json): Field {
  if (value === inexact || (typeof value === 'bigint' && !isInt64(value))) {
    return inexactField;
  }
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value))) {
    return { kind: 'integer', value };
  }
  if (typeof value !== 'number' && !(value instanceof Double)) {
    return { kind: 'other', is: kindOf(value) };
  }
  const number = value.valueOf();
  return Number.isFinite(number) ? { kind: 'double', value: number } : { kind: 'other', is: 'not a finite number' };
}

/** Holds a field to its declaration; an integer that a declared number can't be is inexact. */
export function holdTo(declaration: DeclarationPlan, field: Field, value: Json): { field: Field; wrong?: string } {
  const { name, type, range } = declaration;
  if (field.kind === 'inexact') {
    return { field };
  }
  if (!isOfType(declaration, field, value)) {
    const article = type === 'integer' ? 'an' : 'a';
    const is = field.kind === 'integer' ? 'an integer' : field.kind === 'double' ? 'a number' : field.is;
    return { field, wrong: `meta.${name} is ${is}, but declared as ${article} ${type}` };
  }
  if (field.kind === 'other') {
    return { field };
  }
  if (type === 'number' && typeof field.value === 'bigint' && !isExact(field.value)) {
    return { field: inexactField };
  }
  if (range !== undefined && !within(range, field.value)) {
    return { field, wrong: `meta.${name} is outside its range ${rangeText(range)}` };
  }
  return { field };
}

function isOfType(declaration: DeclarationPlan, field: Field, value: Json): boolean {
  switch (declaration.type) {
    case 'number':
      return field.kind === 'integer' || field.kind === 'double';
    case 'integer':
      return field.kind === 'integer';
    default:
      return typeof value === declaration.type;
  }
}

/** Tells whether a number lies in a range. JavaScript compares a bigint and a number without rounding. */
export function within(range: Range, value: number | bigint): boolean {
  return value >= range[0] && value <= range[1];
}

/** Returns a range as it stands in messages. */
export function rangeText(range: Range): string {
  return `[${range[0]}, ${range[1]}]`;
}

/** Tells whether a number that can't be held stands anywhere in a value. */
export function holdsInexact(value: Json): boolean {
  if (Array.isArray(value)) {
    return value.some(holdsInexact);
  }
  if (value instanceof Map) {
    return [...value.values()].some(holdsInexact);
  }
  return !(value instanceof Foreign) && fieldOf(value).kind === 'inexact';
}
