import { type Draft, object, places, quote, write } from './draft.js';
import type { PolicyDraft } from './policies.js';
import type { Random } from './random.js';
import { extremes, near, odd, strangers, texts } from './values.js';

/** An input: its text, or bytes that may not be UTF-8. */
export type Input = { readonly text: string } | { readonly bytes: Uint8Array };

/** Makes an input for a policy, mostly one that hits its bounds. */
export function makeInput(random: Random, p: PolicyDraft): Input {
  const signals = makeSignals(random, p);
  if (random.oneIn(40)) {
    putOddNumber(random, signals);
    return { text: write(signals, random) };
  }
  if (random.oneIn(25)) {
    unfit(random, signals);
  }
  const draft = random.oneIn(10) ? envelope(random, signals) : signals;
  let text = write(draft, random.oneIn(4) ? random : undefined);
  if (random.oneIn(1000)) {
    text = atLimit(random, text);
  }
  if (random.oneIn(60)) {
    return breakText(random, text);
  }
  return { text };
}

function makeSignals(random: Random, p: PolicyDraft): Draft & { members: [string, Draft][] } {
  const number = (bounds: readonly number[]): Draft => {
    if (random.oneIn(40)) {
      return random.pick(odd);
    }
    return random.oneIn(60) ? random.pick(extremes) : near(random, bounds);
  };
  const members: [string, Draft][] = [];
  const inScores = random.oneIn(6);
  if (p.scores.includes('score') && !inScores && !random.oneIn(30)) {
    members.push(['score', number(p.scoreBounds)]);
  }
  const names = p.scores.filter((name) => (name !== 'score' || inScores || random.oneIn(30)) && !random.oneIn(30));
  if (random.oneIn(20)) {
    names.push(...random.some(strangers, 1 + random.below(2)).filter((name) => !names.includes(name)));
  }
  if (names.length > 0) {
    const scores = random.some(names, names.length).map((name): [string, Draft] => [name, number(p.scoreBounds)]);
    members.push(['scores', object(...scores)]);
  } else if (random.oneIn(10)) {
    members.push(['scores', random.pick(['null', '{}'])]);
  }
  const keys = p.keys.filter(() => !random.oneIn(25));
  if (random.oneIn(8)) {
    keys.push(...random.some(texts, 1).filter((key) => !keys.includes(key)));
  }
  if (keys.length > 0) {
    const entries = keys.map((key): [string, Draft] => [key, metaValue(random, p)]);
    members.push(['meta', object(...entries)]);
  }
  if (random.oneIn(3)) {
    const flags = random.some([...p.flags, ...texts], random.below(3)).map((flag) => quote(flag, random));
    members.push(['flags', random.oneIn(20) ? 'null' : flags]);
  }
  return object(...random.some(members, members.length));
}

function metaValue(random: Random, p: PolicyDraft): Draft {
  switch (random.below(40)) {
    case 0:
      return random.pick(odd);
    case 1:
      return random.pick(extremes);
    case 2:
      return random.pick(['"text"', 'true', 'false']);
    default:
      return near(random, p.metaBounds);
  }
}

/** Puts a number that JSON can't write into well-formed bare signals. */
function putOddNumber(random: Random, signals: { members: [string, Draft][] }): void {
  const form = `{"$number":${quote(random.pick(['NaN', 'Inf', '-Inf', '-0']))}}`;
  for (const member of signals.members) {
    const [name, value] = member;
    if (name === 'score' && random.oneIn(2)) {
      member[1] = form;
    } else if ((name === 'scores' || name === 'meta') && typeof value === 'object' && !Array.isArray(value)) {
      const entry = value.members[0];
      if (entry !== undefined && random.oneIn(2)) {
        entry[1] = form;
      }
    }
  }
}

function envelope(random: Random, signals: Draft): Draft {
  const members: [string, Draft][] = [['signals', signals]];
  if (!random.oneIn(3)) {
    members.push(['id', quote(random.pick(['', 'x', '😀']), random)]);
  }
  if (random.oneIn(3)) {
    members.push(['subject', random.oneIn(20) ? 'null' : '"someone"']);
  }
  if (random.oneIn(3)) {
    members.push(['action', random.pick(odd)]);
  }
  if (random.oneIn(20)) {
    members.push(random.pick<[string, Draft]>([['score', '0.95'], ['meta', 'null'], ['Signals', '{}'], ['id', '7']]));
  }
  if (random.oneIn(20)) {
    members.shift();
  }
  return object(...random.some(members, members.length));
}

/** Does something to the shape of signals. */
function unfit(random: Random, signals: { members: [string, Draft][] }): void {
  const all = places(signals);
  const place = all.length > 0 ? random.pick(all) : undefined;
  switch (random.below(4)) {
    case 0:
      place?.put(random.pick(odd));
      break;
    case 1:
      place?.twice();
      break;
    case 2:
      signals.members.push([random.pick(['extra', 'Score', '__proto__', '', 'toString']), random.pick(odd)]);
      break;
    default:
      signals.members.push([random.pick(['scores', 'flags', 'meta', 'score']), random.pick([...odd, '["a",1]', '[null]'])]);
  }
}

/** Adds an action that is about as deep, or has about as many members, as is allowed. */
function atLimit(random: Random, text: string): string {
  const depth = 60 + random.below(6);
  const many = Array.from({ length: 9_980 + random.below(25) }, () => '0').join();
  const action = random.oneIn(2) ? '['.repeat(depth) + ']'.repeat(depth) : `[${many}]`;
  return `{"signals":${text},"action":${action}}`;
}

const junk = [
  '"', '{', '}', '[', ']', ',', ':', '\\', '0', '-', '.', 'e', ' ', '\u0000', '\u001f', '\u007f', '\n', '\u00a0', '\ufeff', 'NaN', '//',
  "'", '\\ud800', '\\u00e9', 'null',
];

/** Breaks a text, or changes a little of it. */
function breakText(random: Random, text: string): Input {
  const at = random.below(text.length + 1);
  switch (random.below(6)) {
    case 0:
      return { text: [...text].slice(0, random.below(text.length)).join('') };
    case 1:
      return { text: text + random.pick([...junk, text, ' \n\t\r ']) };
    case 2:
      return { text: random.pick(junk) + text };
    case 3: {
      const bytes = Buffer.from(random.oneIn(4) ? '\ufeff' + text : text);
      if (bytes[0] === 0xef && random.oneIn(2)) {
        return { bytes };
      }
      bytes[random.below(bytes.length)] = random.pick([0xff, 0xc0, 0xed, 0x80, 0x20]);
      return { bytes };
    }
    default: {
      const characters = [...text];
      characters.splice(at, random.below(2), random.pick(junk));
      return { text: characters.join('') };
    }
  }
}
