import { type Answer, answerLine } from '#twin/answer.js';
import { canonical, type Compared } from './canonical.js';
import { write } from './draft.js';
import { makeInput } from './inputs.js';
import { ObjectRoute } from './objectroute.js';
import { Peer } from './peer.js';
import { makePolicy } from './policies.js';
import { Random } from './random.js';

/** What one run found. */
export interface Outcome {
  /** How many lines were answered alike. */
  readonly count: number;
  /** How often each verdict, and each code, was given. */
  readonly verdicts: ReadonlyMap<string, number>;
  readonly codes: ReadonlyMap<string, number>;
  /** The first difference, as text for people. */
  readonly difference?: string;
}

const inputsPerPolicy = 50;
const inFlight = 1_000;

/** Puts so many random lines to both programs and compares every answer. */
export async function runDifferential(binary: string, seed: number, count: number): Promise<Outcome> {
  const peer = new Peer(binary);
  const byValue = new ObjectRoute();
  const verdicts = new Map<string, number>();
  const codes = new Map<string, number>();
  const tally = (map: Map<string, number>, key: string): void => void map.set(key, (map.get(key) ?? 0) + 1);
  const lines = makeLines(new Random(seed), count);
  const waiting: string[] = [];
  let compared = 0;
  let difference: string | undefined;
  for (let more = true; difference === undefined && (more || waiting.length > 0); ) {
    while (more && waiting.length < inFlight) {
      const next = lines.next();
      more = next.done !== true;
      if (next.done !== true) {
        peer.send(next.value);
        waiting.push(next.value);
      }
    }
    for (let batch = more ? inFlight / 2 : waiting.length; batch > 0 && difference === undefined; batch--) {
      const line = waiting.shift();
      if (line === undefined) {
        break;
      }
      const mine = ownAnswer(line);
      difference = compare(line, mine, await peer.answer()) ?? (mine && byValue.difference(line, mine));
      compared += difference === undefined ? 1 : 0;
      tally(verdicts, mine?.verdict ?? '(no line)');
      for (const code of new Set(mine?.codes.map((c) => c.replace(/:.*/s, '')))) {
        tally(codes, code);
      }
    }
  }
  await peer.end();
  return { count: compared, verdicts, codes, ...(difference !== undefined && { difference }) };
}

function* makeLines(random: Random, count: number): Generator<string, void> {
  for (let i = 0; i < count; ) {
    const policy = makePolicy(random);
    const text = write(policy.draft);
    for (let j = 0; j < inputsPerPolicy && i < count; j++, i++) {
      const input = makeInput(random, policy);
      const field =
        'text' in input
          ? `"signalsText":${JSON.stringify(input.text)}`
          : `"signalsBase64":"${Buffer.from(input.bytes).toString('base64')}"`;
      yield `{"id":"${i}",${field},"policy":${text},"supervised":${random.oneIn(50)}}`;
    }
  }
}

/** Answers a line as the conformance program does; undefined if it is none. */
function ownAnswer(line: string): Answer | undefined {
  try {
    return answerLine(line);
  } catch {
    return undefined;
  }
}

function compare(line: string, mine: Answer | undefined, theirs: string): string | undefined {
  const answer = JSON.parse(theirs) as Compared & { readonly error?: string };
  const a = mine === undefined ? 'no line of the protocol' : canonical(mine);
  const b = answer.id === null ? 'no line of the protocol' : canonical(answer);
  if (a === b) {
    return undefined;
  }
  return `twin: ${a}\npeer: ${answer.id === null ? theirs : b}\nline: ${line}`;
}
