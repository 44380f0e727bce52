const firstSurrogate = 0xd800;
const afterSurrogates = 0xe000;

/** Orders texts by code point, which is the order of their UTF-8 bytes. (JavaScript's own order goes by UTF-16.) */
export function compareText(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  for (let i = 0; i < end; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) {
      return place(x) - place(y);
    }
  }
  return a.length - b.length;
}

/** Moves surrogates, which stand for the highest code points, behind all other units. */
function place(unit: number): number {
  if (unit < firstSurrogate) {
    return unit;
  }
  return unit >= afterSurrogates ? unit - 0x800 : unit + 0x2000;
}

/** Returns how many bytes a text has in UTF-8, or -1 if a lone surrogate stands in it, so that it is no text. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) {
      bytes += 1;
    } else if (unit < 0x800) {
      bytes += 2;
    } else if (unit < firstSurrogate || unit >= afterSurrogates) {
      bytes += 3;
    } else {
      const next = text.charCodeAt(i + 1); // NaN behind the end
      if (unit >= 0xdc00 || !(next >= 0xdc00 && next < afterSurrogates)) {
        return -1;
      }
      bytes += 4;
      i++;
    }
  }
  return bytes;
}

/** Returns what fits into so many UTF-8 bytes without cutting a character, and "…" if that isn't everything. */
export function cutText(text: string, maxBytes: number): string {
  if (utf8Length(text) <= maxBytes) {
    return text;
  }
  let bytes = 0;
  let kept = '';
  for (const character of text) {
    bytes += utf8Length(character);
    if (bytes > maxBytes) {
      break;
    }
    kept += character;
  }
  return kept + '…';
}

/** Orders names, each of which stands once. */
export function sortedText(names: Iterable<string>): string[] {
  return [...names].sort(compareText);
}

const blank = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*$/;

/** Tells whether a text has nothing but Unicode white space. */
export function isBlank(text: string): boolean {
  return blank.test(text);
}
