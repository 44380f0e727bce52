import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

test('the example of the README runs and prints what stands there', () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const readme = readFileSync(`${root}/README.md`, 'utf8');
  const block = (language: string): string | undefined => readme.split('```' + language + '\n')[1]?.split('```')[0];
  const code = block('js');
  assert.ok(code);
  const args = ['--input-type=module', '--eval', code];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  assert.equal(stderr, '');
  assert.equal(stdout, block('text'));
});
