import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { peerBinary } from './differential/binary.js';
import { runDifferential } from './differential/run.js';

const present = existsSync(peerBinary);
const required = process.env['PAWL_REQUIRE'] === '1';

test(
  'the twin and Pawl answer 100,000 random lines alike',
  { skip: present || required ? false : `${peerBinary} isn't there: build it, or set PAWL_BIN` },
  async () => {
    assert.ok(present, `${peerBinary} isn't there, and PAWL_REQUIRE=1 wants it`);
    const { difference, count, codes } = await runDifferential(peerBinary, 20_240_917, 100_000);
    assert.equal(difference, undefined);
    assert.equal(count, 100_000);
    assert.ok([...codes.values()].every((n) => n > 100), 'some code is hardly ever given');
  },
);
