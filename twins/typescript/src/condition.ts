import { Foreign, type Json } from './json.js';
import type { Closure, ConditionPlan } from './plan.js';
import type { SignalType } from './policy.js';
import { kindOf, type PolicyReader } from './problem.js';

const namePattern = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

/** Complains about what isn't a name of a score or declared signal. */
export function checkName(reader: PolicyReader, name: string, path: string): void {
  if (!namePattern.test(name)) {
    reader.problem(
      path,
      `${JSON.stringify(name)} isn't a name (letters, digits and _, not starting with a digit, at most 128)`,
    );
  }
}

/** The types of the declared signals, undefined for one whose type is wrong; undefined if nothing is declared. */
export type Declared = ReadonlyMap<string, SignalType | undefined> | undefined;

/** Complains if signals are declared and this one isn't, or not as one of the types. */
export function checkDeclared(
  reader: PolicyReader,
  declared: Declared,
  name: string,
  path: string,
  types: readonly SignalType[],
): void {
  if (declared === undefined) {
    return;
  }
  const type = declared.get(name);
  if (!declared.has(name)) {
    reader.problem(path, `${types[0]} ${JSON.stringify(name)} isn't declared in signals`);
  } else if (type !== undefined && !types.includes(type)) {
    reader.problem(path, `${JSON.stringify(name)} is declared as a ${type}, but read as a ${types[0]}`);
  }
}

/** Returns the function that stands in a policy, if it is one. */
export function closureOf(value: Json | undefined): Closure | undefined {
  return value instanceof Foreign && typeof value.value === 'function' ? (value.value as Closure) : undefined;
}

const forms = ['flag', 'metaNumberLessThan', 'scoreBelow'] as const;

/** Reads the value of a when. */
export function readCondition(
  reader: PolicyReader,
  declared: Declared,
  value: Json | undefined,
  path: string,
): ConditionPlan | undefined {
  const call = closureOf(value);
  if (call !== undefined) {
    return { kind: 'closure', call };
  }
  if (value === undefined) {
    reader.problem(path, 'is missing');
    return undefined;
  }
  if (typeof value === 'string') {
    reader.problem(path, 'this twin reads no CEL: use a closure or one of {flag}, {metaNumberLessThan}, {scoreBelow}');
    return undefined;
  }
  if (!(value instanceof Map)) {
    reader.problem(path, `must be a closure or one of {flag}, {metaNumberLessThan}, {scoreBelow}, not ${kindOf(value)}`);
    return undefined;
  }
  reader.object(value, path, forms);
  if (value.size !== 1) {
    reader.problem(path, `has exactly one of ${forms.join(', ')}; this one has ${value.size} keys`);
    return undefined;
  }
  return readFixture(reader, declared, value, path);
}

function readFixture(
  reader: PolicyReader,
  declared: Declared,
  value: ReadonlyMap<string, Json>,
  path: string,
): ConditionPlan | undefined {
  const form = forms.find((f) => value.has(f));
  const inner = form && value.get(form);
  if (inner === undefined) {
    return undefined; // reported as an unknown key
  }
  path = `${path}/${form}`;
  if (form === 'flag') {
    const flag = reader.text(inner, path);
    if (flag === undefined) {
      return undefined;
    }
    checkDeclared(reader, declared, flag, path, ['flag']);
    return { kind: 'flag', flag };
  }
  const nameKey = form === 'scoreBelow' ? 'name' : 'key';
  const members = reader.object(inner, path, [nameKey, 'value']);
  if (members === undefined) {
    return undefined;
  }
  const name = reader.text(members.get(nameKey), `${path}/${nameKey}`);
  const below = reader.number(members.get('value'), `${path}/value`);
  if (name === undefined) {
    return undefined;
  }
  if (form === 'scoreBelow') {
    checkName(reader, name, `${path}/name`);
  }
  checkDeclared(reader, declared, name, path, form === 'scoreBelow' ? ['score'] : ['number', 'integer']);
  if (below === undefined) {
    return undefined;
  }
  return form === 'scoreBelow' ? { kind: 'score', name, below } : { kind: 'meta', key: name, below };
}
