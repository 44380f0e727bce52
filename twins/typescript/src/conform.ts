#!/usr/bin/env node
import { once } from 'node:events';
import { answerLine } from './answer.js';

// Answers the lines that a conformance run writes, one for one, until the input ends.
for await (const line of lines(process.stdin)) {
  if (!process.stdout.write(JSON.stringify(reply(line)) + '\n')) {
    await once(process.stdout, 'drain');
  }
}

function reply(line: Uint8Array): object {
  try {
    return answerLine(line);
  } catch (error) {
    return { id: null, error: error instanceof Error ? error.message : "the line can't be answered" };
  }
}

/** Splits bytes at "\n" alone: other line ends may stand in a JSON string. */
async function* lines(input: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  let rest: Buffer[] = [];
  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      yield Buffer.concat([...rest, chunk.subarray(start, end)]);
      rest = [];
      start = end + 1;
    }
    rest.push(chunk.subarray(start));
  }
  const last = Buffer.concat(rest);
  if (last.length > 0) {
    yield last;
  }
}
