import { type Draft, object, places, quote } from './draft.js';
import type { Random } from './random.js';
import { extremes, literal, odd, scoreNames, texts } from './values.js';

/** A policy, and what an input must know to hit it. */
export interface PolicyDraft {
  readonly draft: Draft;
  readonly scores: readonly string[];
  readonly keys: readonly string[];
  readonly flags: readonly string[];
  /** Bounds for scores and for numbers in meta. */
  readonly scoreBounds: number[];
  readonly metaBounds: number[];
}

const scoreBounds = [0, 0.1, 0.32, 0.5, 0.82, 0.9, 1, 1, 100, -1, 1e15];
const metaBounds = [0, 1, 7, 30, 500, 0.1, 2.5, -3, 9007199254740991, 9007199254740992, 2 ** 63, -(2 ** 63), 1e300];

/** Makes a policy, mostly a valid one. */
export function makePolicy(random: Random): PolicyDraft {
  const p: PolicyDraft = {
    draft: object(),
    scores: [...new Set(random.some(scoreNames, 1 + random.below(4)))],
    keys: random.some(texts, 1 + random.below(3)),
    flags: random.some(texts, 1 + random.below(3)),
    scoreBounds: [],
    metaBounds: [],
  };
  const maker = new Maker(random, p);
  const draft = maker.policy();
  if (random.oneIn(10)) {
    spoil(random, draft);
  }
  return { ...p, draft };
}

class Maker {
  #declared: Map<string, string> | undefined;

  constructor(
    readonly random: Random,
    readonly p: PolicyDraft,
  ) {}

  policy(): Draft {
    const { random } = this;
    const signals = random.oneIn(3) ? this.#signals() : undefined;
    const members: [string, Draft][] = [];
    if (signals !== undefined) {
      members.push(['signals', signals]);
    }
    if (!random.oneIn(12)) {
      members.push(['bands', this.#bands()]);
    }
    if (random.oneIn(3)) {
      members.push(['combine', random.pick(['"lowest"', '"unanimous"'])]);
    }
    if (!random.oneIn(4)) {
      members.push(['rules', random.upTo(4, () => this.#rule()).map((rule, i) => this.#identified(rule, i))]);
    }
    if (!random.oneIn(8)) {
      members.push(['enableAutoApply', random.oneIn(6) ? 'false' : 'true']);
    }
    if (!random.oneIn(5)) {
      members.push(['enableAutoReject', random.oneIn(6) ? 'false' : 'true']);
    }
    if (random.oneIn(3)) {
      members.push(['risk', random.upTo(3, () => this.#risk())]);
    }
    return object(...random.some(members, members.length));
  }

  /** Declares what the policy may read; keys without a name's form can't be declared. */
  #signals(): Draft {
    const { random, p } = this;
    this.#declared = new Map(p.scores.map((name) => [name, 'score']));
    for (const key of p.keys) {
      if (/^[A-Za-z_]\w*$/.test(key) && !this.#declared.has(key)) {
        this.#declared.set(key, random.pick(['number', 'number', 'integer', 'integer', 'string', 'boolean']));
      }
    }
    for (const flag of p.flags) {
      if (/^[A-Za-z_]\w*$/.test(flag) && !this.#declared.has(flag)) {
        this.#declared.set(flag, 'flag');
      }
    }
    const members = [...this.#declared].map(([name, type]): [string, Draft] => {
      const members: [string, Draft][] = [['type', quote(type)]];
      const ranged = type === 'score' || type === 'number' || type === 'integer';
      if (ranged && random.oneIn(2)) {
        const pool = type === 'score' ? scoreBounds : metaBounds;
        const wide = random.oneIn(2) ? [Math.min(...pool), Math.max(...pool)] : [];
        const range = [...wide, random.pick(pool), random.pick(pool)].slice(0, 2).sort((a, b) => a - b);
        (type === 'score' ? p.scoreBounds : p.metaBounds).push(...range);
        members.push(['range', range.map((bound) => this.#number(bound))]);
      }
      return [name, object(...members)];
    });
    return object(...members);
  }

  #named(types: readonly string[], undeclared: readonly string[]): string | undefined {
    const names =
      this.#declared === undefined
        ? undeclared
        : [...this.#declared].filter(([, type]) => types.includes(type)).map(([name]) => name);
    return names.length > 0 ? this.random.pick(names) : undefined;
  }

  #bands(): Draft {
    const { random, p } = this;
    const names = random.some(p.scores, 1 + random.below(2));
    return object(
      ...names.map((name): [string, Draft] => {
        const bounds = [random.pick(scoreBounds), random.pick(scoreBounds)].sort((a, b) => a - b);
        const [reviewMin = 0, highMin = 0] = bounds;
        p.scoreBounds.push(...bounds);
        return [name, object(['highMin', this.#number(highMin)], ['reviewMin', this.#number(reviewMin)])];
      }),
    );
  }

  #identified(rule: [string, Draft][], i: number): Draft {
    const id = this.random.oneIn(20) ? 'same' : this.random.pick(texts) + i;
    return object(['id', quote(id, this.random)], ...rule);
  }

  #rule(): [string, Draft][] {
    const { random } = this;
    const force = random.oneIn(3) ? '"auto_reject"' : '"route_to_human"';
    return random.some<[string, Draft]>([['when', this.#condition()], ['force', force], ['reason', '"because"']], 3);
  }

  #risk(): Draft {
    const level = quote(this.random.pick(['low', 'medium', 'high', 'critical']));
    return object(['level', level], ['when', this.#condition()]);
  }

  #condition(): Draft {
    const { random, p } = this;
    const key = this.#named(['number', 'integer'], p.keys);
    const flag = this.#named(['flag'], p.flags);
    const name = this.#named(['score'], p.scores) ?? 'score';
    switch (random.below(3)) {
      case 0:
        if (flag !== undefined) {
          return object(['flag', quote(flag)]);
        }
        break;
      case 1:
        if (key !== undefined) {
          const bound = random.pick(metaBounds);
          p.metaBounds.push(bound);
          return object(['metaNumberLessThan', object(['key', quote(key)], ['value', this.#number(bound)])]);
        }
        break;
      default:
        break;
    }
    const bound = random.pick(scoreBounds);
    p.scoreBounds.push(bound);
    return object(['scoreBelow', object(['name', quote(name)], ['value', this.#number(bound)])]);
  }

  /** Writes a bound; one beyond 2^53 must not be written as an integer. */
  #number(bound: number): string {
    return Math.abs(bound) > 2 ** 53 ? bound.toExponential() : literal(this.random, bound);
  }
}

/** Does something to a policy after which it is mostly invalid. */
function spoil(random: Random, draft: Draft): void {
  const all = places(draft);
  const place = all.length > 0 ? random.pick(all) : undefined;
  switch (random.below(7)) {
    case 0:
    case 1:
      place?.put(random.pick([...odd, ...extremes, '0.5', '" "', '"auto_apply"', '"low"']));
      break;
    case 6: {
      const target = random.pick(objectsOf(draft));
      const reason = target.members.find(([name]) => name === 'reason');
      if (reason !== undefined) {
        reason[1] = random.pick(['" "', '"\\u0085"', '"\\ufeff"', '"\\u3000\\t"', '"\\u200b"']);
      } else {
        target.members.push(['flag', '"f"']); // a second form in a condition, say
      }
      break;
    }
    case 2:
      place?.remove();
      break;
    case 3:
      if (random.oneIn(3)) {
        place?.twice(); // two members of a name: the line itself is malformed
      } else {
        all.filter(({ value }) => Array.isArray(value)).forEach(({ value }) => (value as Draft[]).push('"x"'));
      }
      break;
    default: {
      const target = random.pick(objectsOf(draft));
      target.members.push([random.pick(['extra', 'Bands', '__proto__', 'gate', 'tests', '']), random.pick(odd)]);
    }
  }
}

function objectsOf(draft: Draft): { members: [string, Draft][] }[] {
  const all = [draft, ...places(draft).map(({ value }) => value)];
  return all.filter((d): d is { members: [string, Draft][] } => typeof d === 'object' && !Array.isArray(d));
}
