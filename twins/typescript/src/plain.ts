import { Foreign, type Json, JsonError, type Members, maxBytes, maxDepth, maxMembers } from './json.js';
import { Double, Inexact, inexact } from './number.js';
import { utf8Length } from './text.js';

/**
 * Copies a JavaScript value of the JSON kinds: each own enumerable property is
 * read once, and nothing else of the value is looked at again. Properties that
 * are undefined count as absent. The limits are those of a text, so a cyclic
 * value is too deep. It throws for what can't be read at all, whatever a getter
 * or proxy threw.
 */
export function copyPlain(value: unknown): Json {
  return new Copier().copy(value, 0);
}

class Copier {
  #members = 0;
  #bytes = 0;

  copy(value: unknown, depth: number): Json {
    switch (typeof value) {
      case 'boolean':
      case 'number':
      case 'bigint':
        return value;
      case 'string':
        return this.#text(value);
      case 'object':
        return value === null ? null : this.#object(value, depth + 1);
      case 'undefined':
        return new Foreign(value, 'undefined');
      default:
        return new Foreign(value, `a ${typeof value}`);
    }
  }

  #object(value: object, depth: number): Json {
    if (Double.is(value)) {
      return new Double(value.valueOf());
    }
    if (value instanceof Inexact) {
      return inexact;
    }
    const isList = Array.isArray(value);
    if (!isList && !isPlain(value)) {
      return new Foreign(value, 'an instance of a class');
    }
    if (depth > maxDepth) {
      throw new JsonError(`nested more than ${maxDepth} levels deep, or in a circle`);
    }
    return isList ? this.#list(value, depth) : this.#properties(value, depth);
  }

  #list(list: readonly unknown[], depth: number): Json[] {
    const length: unknown = list.length;
    if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < 0) {
      throw new JsonError('a list without a length');
    }
    const items: Json[] = [];
    for (let i = 0; i < length; i++) {
      this.#entry();
      items.push(this.copy(list[i], depth));
    }
    return items;
  }

  #properties(object: object, depth: number): Members {
    const members: Members = new Map();
    for (const name of Object.keys(object)) {
      const value: unknown = (object as Record<string, unknown>)[name];
      if (value !== undefined) {
        this.#entry();
        members.set(this.#text(name), this.copy(value, depth));
      }
    }
    return members;
  }

  #text(text: string): string {
    const bytes = utf8Length(text);
    if (bytes < 0) {
      throw new JsonError('a lone surrogate is no character');
    }
    this.#bytes += bytes;
    if (this.#bytes > maxBytes) {
      throw new JsonError(`more than ${maxBytes} bytes of text`);
    }
    return text;
  }

  #entry(): void {
    if (++this.#members > maxMembers) {
      throw new JsonError(`more than ${maxMembers} members`);
    }
  }
}

/** Tells whether an object is no instance of a class: its prototype is null, or the one of objects of any realm. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || (typeof prototype === 'object' && isObjectPrototype(prototype as object));
}

function isObjectPrototype(prototype: object): boolean {
  return (
    prototype === Object.prototype ||
    (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf'))
  );
}
