import { type Double, type Inexact, parseNumber } from './number.js';
import { utf8Length } from './text.js';

/** What one input may hold: bytes of UTF-8, levels of lists and objects, entries of both. */
export const maxBytes = 1 << 20;
/** How deep lists and objects may stand in each other. */
export const maxDepth = 64;
/** How many entries all lists and objects of one input may have together. */
export const maxMembers = 10_000;

/** A value of the JSON kinds. Objects are maps, so that no name means anything to JavaScript. */
export type Json = null | boolean | string | number | bigint | Double | Inexact | Foreign | Json[] | Members;

/** The members of an object. */
export type Members = Map<string, Json>;

/** A JavaScript value of a kind that JSON doesn't know: a function, a symbol, an instance of a class. */
export class Foreign {
  constructor(
    readonly value: unknown,
    readonly kind: string,
  ) {}
}

/** Says why a text isn't an acceptable JSON value, and where. */
export class JsonError extends Error {}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Decodes one JSON value, strictly: RFC 8259, valid UTF-8 without a byte order
 * mark, no duplicate member at any depth, nothing behind it, and within the
 * limits. It throws a {@link JsonError} for everything else.
 */
export function decodeJson(text: string | Uint8Array): Json {
  if (typeof text !== 'string') {
    try {
      text = utf8.decode(text);
    } catch {
      throw new JsonError('1:1: invalid UTF-8');
    }
  }
  const bytes = utf8Length(text);
  if (bytes < 0) {
    throw new JsonError('1:1: a lone surrogate is no character');
  }
  if (bytes > maxBytes) {
    throw new JsonError(`1:1: ${bytes} bytes; ${maxBytes} are allowed`);
  }
  return new Decoder(text).whole();
}

const numberLiteral = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const plainText = /[^"\\\u0000-\u001f]*/y;
const hexUnit = /\\u([0-9a-fA-F]{4})/y;

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

class Decoder {
  readonly #text: string;
  #at = 0;
  #members = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): Json {
    if (this.#text.charCodeAt(0) === 0xfeff) {
      this.#fail('a byte order mark (U+FEFF) stands before the value');
    }
    this.#space();
    if (this.#at === this.#text.length) {
      this.#fail('nothing stands here');
    }
    const value = this.#value(0);
    this.#space();
    if (this.#at < this.#text.length) {
      this.#fail('text after the end of the value');
    }
    return value;
  }

  /** Reads a value that stands in so many lists and objects. The recursion is bounded by maxDepth. */
  #value(depth: number): Json {
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object(depth + 1);
      case '[':
        return this.#list(depth + 1);
      case '"':
        return this.#string();
      case 't':
        return this.#word('true', true);
      case 'f':
        return this.#word('false', false);
      case 'n':
        return this.#word('null', null);
      default:
        return this.#number();
    }
  }

  #object(depth: number): Members {
    this.#open(depth);
    const members: Members = new Map();
    if (this.#closes('}')) {
      return members;
    }
    do {
      this.#entry();
      if (this.#text[this.#at] !== '"') {
        this.#fail("a member's name must be a string");
      }
      const name = this.#string();
      if (members.has(name)) {
        this.#fail('a member of that name stands here a second time');
      }
      this.#space();
      if (this.#text[this.#at] !== ':') {
        this.#fail('a colon is missing behind the name');
      }
      this.#at++;
      this.#space();
      members.set(name, this.#value(depth));
    } while (this.#goesOn('}'));
    return members;
  }

  #list(depth: number): Json[] {
    this.#open(depth);
    const items: Json[] = [];
    if (this.#closes(']')) {
      return items;
    }
    do {
      this.#entry();
      items.push(this.#value(depth));
    } while (this.#goesOn(']'));
    return items;
  }

  #open(depth: number): void {
    if (depth > maxDepth) {
      this.#fail(`nested more than ${maxDepth} levels deep`);
    }
    this.#at++;
  }

  #closes(end: string): boolean {
    this.#space();
    if (this.#text[this.#at] !== end) {
      return false;
    }
    this.#at++;
    return true;
  }

  /** Counts an entry that begins here. */
  #entry(): void {
    if (++this.#members > maxMembers) {
      this.#fail(`more than ${maxMembers} members`);
    }
  }

  /** Reads the comma before another entry, or the end. */
  #goesOn(end: string): boolean {
    this.#space();
    const next = this.#text[this.#at];
    if (next !== ',' && next !== end) {
      this.#fail(`a comma or "${end}" must follow here`);
    }
    this.#at++;
    this.#space();
    return next === ',';
  }

  #word<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) {
      this.#fail('no JSON value begins here');
    }
    this.#at += word.length;
    return value;
  }

  #number(): Json {
    const literal = this.#match(numberLiteral)?.[0];
    if (literal === undefined) {
      this.#fail('no JSON value begins here');
    }
    return parseNumber(literal);
  }

  #string(): string {
    this.#at++;
    let value = '';
    for (;;) {
      value += this.#match(plainText)?.[0] ?? '';
      switch (this.#text[this.#at]) {
        case '"':
          this.#at++;
          return value;
        case '\\':
          value += this.#escape();
          break;
        default:
          this.#fail('a control character stands in a string');
      }
    }
  }

  #escape(): string {
    const letter = this.#text[this.#at + 1] ?? '';
    if (letter !== 'u') {
      const character = Object.hasOwn(escapes, letter) ? escapes[letter] : undefined;
      if (character === undefined) {
        this.#fail('an escape in a string is no character');
      }
      this.#at += 2;
      return character;
    }
    const unit = this.#match(hexUnit)?.[1];
    if (unit === undefined) {
      this.#fail('an escape in a string is no character');
    }
    const first = String.fromCharCode(parseInt(unit, 16));
    if (utf8Length(first) >= 0) {
      return first;
    }
    const low = this.#match(hexUnit)?.[1];
    const pair = low === undefined ? first : first + String.fromCharCode(parseInt(low, 16));
    if (utf8Length(pair) !== 4) {
      this.#fail('an escape in a string is no character (a lone surrogate)');
    }
    return pair;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match !== null) {
      this.#at += match[0].length;
    }
    return match;
  }

  #space(): void {
    for (;;) {
      switch (this.#text.charCodeAt(this.#at)) {
        case 0x20:
        case 0x09:
        case 0x0a:
        case 0x0d:
          this.#at++;
          continue;
        default:
          return;
      }
    }
  }

  #fail(message: string): never {
    if (this.#at >= this.#text.length && message !== 'nothing stands here') {
      message = 'the text ends in the middle of the value';
    }
    const before = this.#text.slice(0, this.#at);
    const line = before.split('\n').length;
    const column = [...before.slice(before.lastIndexOf('\n') + 1)].length + 1;
    throw new JsonError(`${line}:${column}: ${message}`);
  }
}
