import type { Random } from './random.js';

/** JSON text in the making: a literal as it will stand there, a list, or members (of which a name may stand twice). */
export type Draft = string | Draft[] | { members: [name: string, value: Draft][] };

export function object(...members: [string, Draft][]): Draft & { members: [string, Draft][] } {
  return { members };
}

/** Writes a draft down, with odd white space and escapes if there is a source of randomness for them. */
export function write(draft: Draft, odd?: Random): string {
  const space = (): string => (odd?.oneIn(6) ? odd.pick([' ', '\t', '\r', '  ']) : '');
  if (typeof draft === 'string') {
    return draft;
  }
  if (Array.isArray(draft)) {
    return `[${space()}${draft.map((d) => write(d, odd) + space()).join(',' + space())}]`;
  }
  const members = draft.members.map(
    ([name, value]) => quote(name, odd) + space() + ':' + space() + write(value, odd) + space(),
  );
  return `{${space()}${members.join(',' + space())}}`;
}

/** Quotes a text, now and then with escapes that say the same. */
export function quote(text: string, odd?: Random): string {
  if (!odd?.oneIn(5)) {
    return JSON.stringify(text);
  }
  let quoted = '';
  for (let i = 0; i < text.length; i++) {
    quoted += '\\u' + text.charCodeAt(i).toString(16).padStart(4, '0');
  }
  return `"${quoted}"`;
}

/** All places in a draft where a value stands, with what puts another there. */
export function places(draft: Draft): { value: Draft; put(other: Draft): void; remove(): void; twice(): void }[] {
  if (typeof draft === 'string') {
    return [];
  }
  const entries: (Draft | [string, Draft])[] = Array.isArray(draft) ? draft : draft.members;
  const isList = Array.isArray(draft);
  return entries.flatMap((entry) => {
    const value = isList ? (entry as Draft) : (entry as [string, Draft])[1];
    const at = (): number => entries.indexOf(entry);
    return [
      {
        value,
        put: (other: Draft) => {
          entries[at()] = isList ? other : [(entry as [string, Draft])[0], other];
        },
        remove: () => {
          entries.splice(at(), 1);
        },
        twice: () => {
          entries.push(entry);
        },
      },
      ...places(value),
    ];
  });
}
