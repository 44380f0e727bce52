import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Answer, answerLine, answerOf } from '#twin/answer.js';
import { decodeJson, type Json } from '#twin/json.js';
import { decide, type Policy } from '@pawlgate/threshold';
import { frozenValueOf, signalsOf } from './differential/objectroute.js';

interface Vector {
  readonly name: string;
  readonly signals?: unknown;
  readonly signalsText?: string;
  readonly signalsBase64?: string;
  readonly supervised?: boolean;
  readonly expect: {
    readonly verdict: string;
    readonly bands?: Readonly<Record<string, string>>;
    readonly codes?: readonly string[];
    readonly risk?: string;
  };
}

const core = fileURLToPath(new URL('../../../vectors/threshold/core/', import.meta.url));

/** The lines of a file of vectors. One vector stands on a line, so that its numbers can be taken as they are written. */
function linesOf(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n').map((line) => line.replace(/,$/, '').trim());
  const vectors = lines.filter((line) => line.startsWith('{'));
  assert.equal(vectors.length, (JSON.parse(lines.join(',').replace(/^\[,/, '[').replace(/,\],?$/, ']')) as unknown[]).length);
  return vectors;
}

/** The text of a member, as it is written in a line. */
function rawMember(line: string, name: string): string {
  const value = JSON.parse(line)[name] as unknown;
  const start = line.indexOf(`"${name}": `) + name.length + 4;
  for (let end = line.indexOf('}', start); end >= 0; end = line.indexOf('}', end + 1)) {
    const text = line.slice(start, end + 1);
    try {
      if (JSON.stringify(JSON.parse(text)) === JSON.stringify(value)) {
        return text;
      }
    } catch {
      // It ends later.
    }
  }
  return JSON.stringify(value);
}

function check(answer: Answer, { expect }: Vector): void {
  assert.equal(answer.verdict, expect.verdict);
  if (expect.codes !== undefined) {
    assert.deepEqual(answer.codes, expect.codes);
  }
  if (expect.bands !== undefined) {
    assert.deepEqual({ ...answer.bands }, expect.bands);
  }
  if (expect.risk !== undefined) {
    assert.equal(answer.risk, expect.risk);
  }
}

const files = existsSync(core) ? readdirSync(core).filter((name) => name.endsWith('.json')) : [];
let count = 0;
for (const file of files.sort()) {
  for (const line of linesOf(core + file)) {
    count++;
    const vector = JSON.parse(line) as Vector;
    const policy = rawMember(line, 'policy');
    const input =
      vector.signalsBase64 === undefined
        ? `"signalsText":${JSON.stringify(vector.signalsText ?? rawMember(line, 'signals'))}`
        : `"signalsBase64":"${vector.signalsBase64}"`;
    const question = `{"id":"x",${input},"policy":${policy},"supervised":${vector.supervised === true}}`;

    test(`${file}: ${vector.name}`, () => check(answerLine(question), vector));

    const text = (decodeJson(question) as ReadonlyMap<string, Json>).get('signalsText');
    const read = vector.signals === undefined ? undefined : signalsOf(text);
    if (read !== undefined) {
      test(`${file}: ${vector.name} (by value)`, () => {
        const options = { supervised: vector.supervised === true };
        const decision = decide(read.signals, frozenValueOf(decodeJson(policy)) as Policy, options);
        check(answerOf('x', decision), vector);
      });
    }
  }
}

test('there are vectors', () => {
  assert.ok(count > 0, `no vector was run: ${core}*.json must be there, it is part of the repository`);
});
