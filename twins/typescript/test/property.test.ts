import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compilePlan } from '#twin/compile.js';
import { decideEvidence } from '#twin/decide.js';
import type { Decision } from '@pawlgate/threshold';
import type { Fault } from '#twin/fault.js';
import { malformed, readInput } from '#twin/input.js';
import { decodeJson } from '#twin/json.js';
import type { Plan } from '#twin/plan.js';
import { write } from './differential/draft.js';
import { makeInput } from './differential/inputs.js';
import { makePolicy } from './differential/policies.js';
import { Random } from './differential/random.js';

/** Calls a check for random policies and inputs. */
function forAll(seed: number, check: (plan: Plan, decide: (plan: Plan, faults?: Fault[]) => Decision) => void): void {
  const random = new Random(seed);
  for (let i = 0; i < 5_000; i++) {
    const draft = makePolicy(random);
    const input = makeInput(random, draft);
    let plan: Plan;
    try {
      plan = compilePlan(decodeJson(write(draft.draft)));
    } catch {
      continue;
    }
    check(plan, (p, faults = []) => {
      try {
        return decideEvidence(p, readInput(decodeJson('text' in input ? input.text : input.bytes)), faults);
      } catch {
        return decideEvidence(p, malformed('x'), faults);
      }
    });
  }
}

const supervision = { auto_apply: 0, auto_reject: 1, route_to_human: 2 };

test('auto_apply means: all bands high, switched on, and no other reason', () => {
  let applied = 0;
  forAll(1, (plan, decide) => {
    const d = decide(plan);
    if (d.verdict === 'auto_apply') {
      applied++;
      assert.ok(plan.enableAutoApply && plan.bands.length > 0);
      assert.ok(d.reasons.every((r) => r.code === 'band_high'));
    }
  });
  assert.ok(applied > 100);
});

test('one more fault ends with a person', () => {
  forAll(2, (plan, decide) => {
    assert.equal(decide(plan, [{ code: 'gate_supervised' }]).verdict, 'route_to_human');
  });
});

test('one more rule for a person never makes a verdict more automatic', () => {
  forAll(3, (plan, decide) => {
    const rule = { id: 'one more', when: { kind: 'flag', flag: 'vip' }, force: 'route_to_human', reason: 'x' } as const;
    const before = decide(plan).verdict;
    const after = decide({ ...plan, rules: [...plan.rules, rule] }).verdict;
    assert.ok(supervision[after] >= supervision[before]);
  });
});

test('risk changes no verdict', () => {
  forAll(4, (plan, decide) => {
    const { risk, ...rest } = decide(plan);
    const without = decide({ ...plan, risk: [] });
    assert.equal(without.risk, undefined);
    assert.equal(without.verdict, rest.verdict);
  });
});

test('the same input gives the same bytes', () => {
  forAll(5, (plan, decide) => {
    assert.equal(JSON.stringify(decide(plan)), JSON.stringify(decide(plan)));
  });
});
