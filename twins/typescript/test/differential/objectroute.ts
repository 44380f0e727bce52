import { type Answer, answerOf, replaceNumbers } from '#twin/answer.js';
import { decodeJson, type Json } from '#twin/json.js';
import { compile, decide, type Gate, type Policy, PolicyError, type Signals } from '@pawlgate/threshold';
import { canonical } from './canonical.js';

/** Turns decoded JSON into the JavaScript values that a caller would have, frozen throughout. */
export function frozenValueOf(json: Json): unknown {
  if (Array.isArray(json)) {
    return Object.freeze(json.map(frozenValueOf));
  }
  if (json instanceof Map) {
    const object = {};
    for (const [name, value] of json) {
      Object.defineProperty(object, name, { value: frozenValueOf(value), enumerable: true }); // "__proto__" included
    }
    return Object.freeze(object);
  }
  return json;
}

/** Reads bare, well-formed signals as the values that a caller would have; undefined if the text is anything else. */
export function signalsOf(text: Json | undefined): { readonly signals: Signals } | undefined {
  let input: Json;
  try {
    input = typeof text === 'string' ? replaceNumbers(decodeJson(text)) : null;
  } catch {
    return undefined;
  }
  if (!(input instanceof Map) || ['id', 'subject', 'signals', 'action'].some((name) => input.has(name))) {
    return undefined;
  }
  return { signals: frozenValueOf(input) as Signals };
}

/** Decides lines by JavaScript values. It keeps the gate of the last policy. */
export class ObjectRoute {
  #last: { readonly text: string; readonly policy: Policy; readonly gate: Gate | undefined } | undefined;

  /** Says where the decision by value differs from the answer to the text. */
  difference(line: string, byText: Answer): string | undefined {
    const question = decodeJson(line) as ReadonlyMap<string, Json>;
    const read = signalsOf(question.get('signalsText'));
    if (read === undefined) {
      return undefined;
    }
    const { policy, gate } = this.#gateOf(line.slice(line.indexOf('"policy":')), question.get('policy') ?? null);
    const options = { supervised: question.get('supervised') === true };
    const decision = gate?.decide(read.signals, options) ?? decide(read.signals, policy, options);
    const byValue = answerOf(byText.id, decision);
    return canonical(byValue) === canonical(byText)
      ? undefined
      : `by value: ${canonical(byValue)}\nby text:  ${canonical(byText)}\nline: ${line}`;
  }

  #gateOf(text: string, json: Json): { readonly policy: Policy; readonly gate: Gate | undefined } {
    if (this.#last?.text !== text) {
      const policy = frozenValueOf(json) as Policy;
      this.#last = { text, policy, gate: gateOf(policy) };
    }
    return this.#last;
  }
}

function gateOf(policy: Policy): Gate | undefined {
  try {
    return compile(policy);
  } catch (error) {
    if (error instanceof PolicyError) {
      return undefined;
    }
    throw error;
  }
}
