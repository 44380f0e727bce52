import { checkDeclared, checkName, closureOf, type Declared, readCondition } from './condition.js';
import type { Json, Members } from './json.js';
import type { BandPlan, DeclarationPlan, Plan, Range, RiskPlan, RulePlan } from './plan.js';
import type { SignalType } from './policy.js';
import { kindOf, pointerToken, PolicyError, PolicyReader } from './problem.js';
import { isBlank, sortedText } from './text.js';

/** Checks a policy and makes a plan of it, or throws a {@link PolicyError} with everything that is wrong. */
export function compilePlan(policy: Json): Plan {
  const reader = new PolicyReader();
  const plan = readPolicy(reader, policy);
  if (reader.problems.length > 0 || plan === undefined) {
    throw new PolicyError(reader.problems);
  }
  return plan;
}

const keys = ['bands', 'combine', 'rules', 'enableAutoApply', 'enableAutoReject', 'risk', 'signals'];

function readPolicy(reader: PolicyReader, policy: Json): Plan | undefined {
  const root = reader.object(policy, '', keys);
  if (root === undefined) {
    return undefined;
  }
  const declarations = readDeclarations(reader, root.get('signals'));
  const declared: Declared = declarations && new Map(declarations.map((d) => [d.name, d.type]));
  const parts = {
    bands: readBands(reader, declared, root.get('bands')),
    combine: readCombine(reader, root.get('combine')),
    rules: readRules(reader, declared, root.get('rules')),
    risk: readRisk(reader, declared, root.get('risk')),
    enableAutoApply: reader.boolean(root.get('enableAutoApply'), '/enableAutoApply'),
    enableAutoReject: reader.boolean(root.get('enableAutoReject'), '/enableAutoReject'),
    declarations: (declarations ?? []).filter((d): d is DeclarationPlan => d.type !== undefined),
  };
  return { ...parts, ...readsOf(parts) };
}

/** Works out what a policy looks at. */
function readsOf(
  parts: Pick<Plan, 'bands' | 'rules' | 'risk' | 'declarations'>,
): Pick<Plan, 'looksAtScore' | 'metaKeys' | 'closures'> {
  const scores = new Set(parts.bands.map((b) => b.name));
  const metaKeys = new Set<string>();
  for (const d of parts.declarations) {
    if (d.type === 'score') {
      scores.add(d.name);
    } else if (d.type !== 'flag') {
      metaKeys.add(d.name);
    }
  }
  let closures = false;
  for (const { when } of [...parts.rules, ...parts.risk]) {
    if (when.kind === 'closure') {
      closures = true;
    } else if (when.kind === 'score') {
      scores.add(when.name);
    } else if (when.kind === 'meta') {
      metaKeys.add(when.key);
    }
  }
  return { looksAtScore: closures || scores.has('score'), metaKeys: sortedText(metaKeys), closures };
}

interface ReadDeclaration {
  readonly name: string;
  readonly type: SignalType | undefined;
  readonly range?: Range;
}

const types = ['score', 'number', 'integer', 'string', 'boolean', 'flag'] as const;

function readDeclarations(reader: PolicyReader, value: Json | undefined): ReadDeclaration[] | undefined {
  const signals = value === undefined ? undefined : reader.map(value, '/signals');
  return signals && named(signals, '/signals').map(({ name, member, path }) => {
    checkName(reader, name, path);
    const members = reader.object(member, path, ['type', 'range']);
    const type = members && reader.word(members.get('type'), `${path}/type`, types);
    const range = readRange(reader, members?.get('range'), `${path}/range`, type);
    return { name, type, ...(range && { range }) };
  });
}

function readRange(
  reader: PolicyReader,
  value: Json | undefined,
  path: string,
  type: SignalType | undefined,
): Range | undefined {
  const bounds = value === undefined ? undefined : reader.list(value, path);
  if (bounds === undefined) {
    return undefined;
  }
  if (type !== undefined && type !== 'score' && type !== 'number' && type !== 'integer') {
    reader.problem(path, `a ${type} has no range`);
  }
  if (bounds.length !== 2) {
    reader.problem(path, `a range is [lowest, highest], both inclusive: two numbers, not ${bounds.length}`);
    return undefined;
  }
  const lowest = reader.number(bounds[0], `${path}/0`);
  const highest = reader.number(bounds[1], `${path}/1`);
  if (lowest === undefined || highest === undefined) {
    return undefined;
  }
  if (lowest > highest) {
    reader.problem(path, `the lower bound ${lowest} is above the upper bound ${highest}`);
  }
  return [lowest, highest];
}

function readBands(reader: PolicyReader, declared: Declared, value: Json | undefined): BandPlan[] {
  const bands = value === undefined ? undefined : reader.map(value, '/bands');
  return named(bands ?? new Map(), '/bands').flatMap(({ name, member, path }) => {
    checkName(reader, name, path);
    checkDeclared(reader, declared, name, path, ['score']);
    const members = reader.object(member, path, ['highMin', 'reviewMin']);
    const highMin = members && reader.number(members.get('highMin'), `${path}/highMin`);
    const reviewMin = members && reader.number(members.get('reviewMin'), `${path}/reviewMin`);
    if (highMin === undefined || reviewMin === undefined) {
      return [];
    }
    if (highMin < reviewMin) {
      reader.problem(path, `highMin ${highMin} is below reviewMin ${reviewMin}`);
    }
    return [{ name, highMin, reviewMin }];
  });
}

function readCombine(reader: PolicyReader, value: Json | undefined): Plan['combine'] {
  const call = closureOf(value);
  if (call !== undefined) {
    return call;
  }
  if (value === 'unanimous') {
    return 'unanimous';
  }
  if (value !== undefined && value !== 'lowest') {
    const hint = typeof value === 'string' ? ' (this twin reads no CEL)' : `, not ${kindOf(value)}`;
    reader.problem('/combine', `must be lowest, unanimous or a closure${hint}`);
  }
  return 'lowest';
}

function readRules(reader: PolicyReader, declared: Declared, value: Json | undefined): RulePlan[] {
  const rules = value === undefined ? undefined : reader.list(value, '/rules');
  const seen = new Set<string>();
  return (rules ?? []).flatMap((item, i) => {
    const path = `/rules/${i}`;
    const rule = reader.object(item, path, ['id', 'when', 'force', 'reason']);
    if (rule === undefined) {
      return [];
    }
    const id = reader.text(rule.get('id'), `${path}/id`);
    if (id !== undefined && seen.has(id)) {
      reader.problem(`${path}/id`, `another rule has the id ${JSON.stringify(id)} already`);
    }
    seen.add(id ?? '');
    if (rule.get('force') === 'auto_apply') {
      reader.problem(`${path}/force`, "a rule can't force auto_apply");
    }
    const force = reader.word(rule.get('force'), `${path}/force`, ['route_to_human', 'auto_reject']);
    const reason = reader.text(rule.get('reason'), `${path}/reason`);
    if (reason !== undefined && isBlank(reason)) {
      reader.problem(`${path}/reason`, 'is blank: say for the person who sees it why the rule fires');
    }
    const when = readCondition(reader, declared, rule.get('when'), `${path}/when`);
    if (id === undefined || force === undefined || reason === undefined || when === undefined) {
      return [];
    }
    return [{ id, when, force, reason }];
  });
}

const levels = ['low', 'medium', 'high', 'critical'] as const;

function readRisk(reader: PolicyReader, declared: Declared, value: Json | undefined): RiskPlan[] {
  const risk = value === undefined ? undefined : reader.list(value, '/risk');
  return (risk ?? []).flatMap((item, i) => {
    const path = `/risk/${i}`;
    const step = reader.object(item, path, ['level', 'when']);
    const level = step && reader.word(step.get('level'), `${path}/level`, levels);
    const when = step && readCondition(reader, declared, step.get('when'), `${path}/when`);
    return level === undefined || when === undefined ? [] : [{ level, when }];
  });
}

function named(members: Members, path: string): { name: string; member: Json; path: string }[] {
  return sortedText(members.keys()).map((name) => ({
    name,
    member: members.get(name) ?? null,
    path: `${path}/${pointerToken(name)}`,
  }));
}
