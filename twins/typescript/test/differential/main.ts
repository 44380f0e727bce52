import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { peerBinary } from './binary.js';
import { runDifferential } from './run.js';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
});
const count = Number(values.count);
const seed = Number(values.seed);
if (!Number.isSafeInteger(count) || count < 1 || !Number.isSafeInteger(seed)) {
  console.error('usage: npm run differential -- [--count 100000] [--seed 1]');
  process.exit(2);
}
if (!existsSync(peerBinary)) {
  console.error(`${peerBinary} isn't there: build it, or set PAWL_BIN`);
  process.exit(2);
}
const start = Date.now();
const { difference, ...outcome } = await runDifferential(peerBinary, seed, count);
console.log(`seed ${seed}: ${outcome.count} of ${count} lines answered alike, in ${((Date.now() - start) / 1000).toFixed(1)} s`);
for (const [title, tally] of [['verdicts', outcome.verdicts], ['codes', outcome.codes]] as const) {
  const sorted = [...tally].sort(([, x], [, y]) => y - x);
  console.log(`${title}: ${sorted.map(([key, n]) => `${key} ${n}`).join(', ')}`);
}
if (difference !== undefined) {
  console.error(`a difference:\n${difference}`);
  process.exit(1);
}
