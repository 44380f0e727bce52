#!/usr/bin/env node
import { once } from 'node:events';
import { answerLine } from './answer.js';
import { splitLines } from './lines.js';

// Answers the lines that a conformance run writes, one for one, until the input ends.
for await (const line of splitLines(process.stdin)) {
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
