import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../dist/conform.js', import.meta.url));

function answers(input: string | Uint8Array): Record<string, unknown>[] {
  const { stdout, status } = spawnSync(process.execPath, [program], { input, encoding: 'utf8' });
  assert.equal(status, 0);
  return stdout.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as Record<string, unknown>);
}

const policy = '{"bands":{"score":{"highMin":0.82,"reviewMin":0.32}},"enableAutoApply":true,"risk":[{"level":"low","when":{"flag":"f"}}]}';

test('each line gets an answer, and what is no line an error', () => {
  const lines = [
    `{"id":"a","signalsText":"{\\"score\\":0.91,\\"flags\\":[\\"f\\"]}","policy":${policy},"supervised":false}`,
    'nonsense',
    '',
    `{"id":"b","signalsText":"{","signalsBase64":"e30=","policy":${policy}}`,
    `{"id":"c","signalsText":"{\\"score\\": {\\"$number\\": \\"NaN\\"}}","policy":${policy}}`,
    `{"id":"d","signalsBase64":"/w==","policy":${policy}}`,
    `{"id":"e\u2028","signalsText":"{}","policy":{"bands":1},"supervised":true}`,
  ];
  const [a, ...rest] = answers(lines.join('\n')); // the last without a line end
  assert.deepEqual(a, { id: 'a', verdict: 'auto_apply', bands: { score: 'high' }, codes: ['band_high:score'], risk: 'low' });
  assert.deepEqual(rest.map((r) => r['id']), [null, null, null, 'c', 'd', 'e\u2028']);
  assert.ok(rest.slice(0, 3).every((r) => typeof r['error'] === 'string'));
  assert.deepEqual(rest[3]?.['codes'], ['band_review:score', 'score_not_finite:score']);
  assert.deepEqual(rest[4]?.['codes'], ['band_review:score', 'input_malformed', 'score_missing:score']);
  assert.deepEqual(rest[5]?.['codes'], ['policy_invalid', 'gate_supervised']);
  assert.equal(rest[5]?.['risk'], '');
});

test('a line that is not UTF-8 gets an error', () => {
  assert.equal(answers(Buffer.from([0x22, 0xff, 0x22, 0x0a]))[0]?.['id'], null);
});

test('numbers that JSON cannot write stand for themselves only as a score or an entry of scores or meta', () => {
  const line = (text: string): string => JSON.stringify({ id: 'x', signalsText: text, policy: { signals: { n: { type: 'integer' } } } });
  const [zero, nested, score] = answers(
    [
      line('{"meta":{"n":{"$number":"-0"}}}'),
      line('{"meta":{"n":[{"$number":"NaN"}]}}'),
      line('{"scores":{"x":{"$number":"Inf"}}}'),
    ].join('\n'),
  );
  assert.deepEqual(zero?.['codes'], ['no_bands', 'signal_type:n']);
  assert.deepEqual(nested?.['codes'], ['no_bands', 'signal_type:n']);
  assert.deepEqual(score?.['codes'], ['no_bands', 'score_not_finite:x']);
});
