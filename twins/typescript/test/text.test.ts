import { test } from 'node:test';
import { decideText, type Policy } from '@pawlgate/threshold';
import { automatic, expectDecision } from './expectation.js';

const policy: Policy = {
  ...automatic,
  rules: [{ id: 'small', when: { metaNumberLessThan: { key: 'amount', value: 1 } }, force: 'auto_reject', reason: 'x' }],
};
const good = '{"score":0.95,"meta":{"amount":20}}';
const list = (n: number): string => `[${Array<string>(n).fill('0').join()}]`;
const nested = (n: number): string => '['.repeat(n) + ']'.repeat(n);
const bytes = (text: string): Uint8Array => Uint8Array.from(text, (c) => c.charCodeAt(0));

const refused: [name: string, input: string | Uint8Array][] = [
  ['nothing', ''],
  ['white space alone', ' \n'],
  ['a byte order mark', '\ufeff' + good],
  ['a byte order mark in bytes', Buffer.from('\ufeff' + good)],
  ['a list', `[${good}]`],
  ['a string', '"score"'],
  ['null', 'null'],
  ['a number', '0.95'],
  ['half of it', '{"score":0.95,'],
  ['an open string', '{"score'],
  ['text behind', good + 'x'],
  ['a second input', good + ' ' + good],
  ['a comma behind', good + ','],
  ['a comma before the end', '{"score":0.95,}'],
  ['a leading comma', '{,"score":0.95}'],
  ['no comma', '{"score":0.95 "flags":[]}'],
  ['no colon', '{"score" 0.95}'],
  ['a name without quotes', '{score:0.95}'],
  ['single quotes', "{'score':0.95}"],
  ['a comment', '{"score":0.95}//'],
  ['NaN', '{"score":NaN}'],
  ['Infinity', '{"score":Infinity}'],
  ['a leading zero', '{"score":00.95}'],
  ['a plus sign', '{"score":+0.95}'],
  ['a bare point', '{"score":.95}'],
  ['a point at the end', '{"score":1.}'],
  ['an empty exponent', '{"score":1e}'],
  ['a hexadecimal number', '{"score":0x1}'],
  ['a capital true', '{"score":0.95,"meta":{"x":True}}'],
  ['a no-break space', '{"score":\u00a00.95}'],
  ['invalid UTF-8', bytes('{"score":0.95,"flags":["\xff"]}')],
  ['a surrogate in UTF-8', bytes('{"score":0.95,"flags":["\xed\xa0\x80"]}')],
  ['an overlong form', bytes('{"score":0.95,"flags":["\xc0\x80"]}')],
  ['a lone surrogate', '{"score":0.95,"flags":["\ud800"]}'],
  ['an escaped lone surrogate', '{"score":0.95,"flags":["\\ud800"]}'],
  ['an escaped low surrogate', '{"score":0.95,"meta":{"x":["\\udc00"]}}'],
  ['two escaped high surrogates', '{"score":0.95,"flags":["\\ud800\\ud800"]}'],
  ['an unknown escape', '{"score":0.95,"flags":["\\x41"]}'],
  ['a short escape', '{"score":0.95,"flags":["\\u12"]}'],
  ['an escape that is a name of objects', '{"score":0.95,"flags":["\\constructor"]}'],
  ['a control character', '{"score":0.95,"flags":["\u0001"]}'],
  ['a tab in a string', '{"score":0.95,"flags":["\t"]}'],
  ['an unknown member', '{"score":0.95,"sroce":1}'],
  ['an unknown member of every object', '{"score":0.95,"toString":1}'],
  ['__proto__', '{"score":0.95,"__proto__":{}}'],
  ['a member in another case', '{"Score":0.95}'],
  ['a member twice', '{"score":0.95,"score":0.95}'],
  ['a member twice, written in another way', '{"score":0.1,"\\u0073core":0.95}'],
  ['__proto__ twice', '{"score":0.95,"meta":{"__proto__":1,"__proto__":1}}'],
  ['a key twice, deep in what nobody reads', '{"score":0.95,"meta":{"x":[{"a":1,"a":1}]}}'],
  ['scores as a list', '{"scores":[0.95]}'],
  ['flags as an object', '{"score":0.95,"flags":{}}'],
  ['a flag that is null', '{"score":0.95,"flags":[null]}'],
  ['meta as false', '{"score":0.95,"meta":false}'],
  ['score beside an envelope', '{"id":"x","signals":{},"score":0.95}'],
  ['an id before bare signals', '{"id":"x","score":0.95}'],
  ['an envelope without signals', '{"id":"x"}'],
  ['signals that are null', '{"signals":null}'],
  ['signals in signals', '{"signals":{"signals":{}}}'],
  ['an id that is null', '{"id":null,"signals":{"score":0.95}}'],
  ['a subject that is an object', '{"subject":{},"signals":{"score":0.95}}'],
  ['an unknown member of an envelope', '{"signals":{"score":0.95},"extra":1}'],
  ['a duplicate in the action', '{"action":{"a":1,"a":2},"signals":{"score":0.95}}'],
  ['65 levels', `{"score":0.95,"meta":{"x":${nested(63)}}}`],
  ['65 levels in the action', `{"signals":{},"action":${nested(64)}}`],
  ['500,000 open levels', '['.repeat(500_000)],
  ['10,001 members', `{"score":0.95,"meta":{"x":${list(9_998)}}}`],
  ['1 MiB and a byte', good + ' '.repeat(2 ** 20 - good.length + 1)],
  ['more than 1 MiB in UTF-8 alone', good.replace('"meta":{', `"meta":{"x":"${'é'.repeat(2 ** 19)}",`)],
];
for (const [name, input] of refused) {
  test(`${name} is malformed`, () => {
    expectDecision(decideText(input, policy), 'route_to_human', 'band_review:score input_malformed score_missing:score rule_error:small');
  });
}

const taken: [name: string, input: string | Uint8Array][] = [
  ['bare signals', good],
  ['bytes', Buffer.from(good)],
  ['an envelope', `{"id":"x","subject":"y","signals":${good},"action":[{"a":1}]}`],
  ['signals alone', `{"signals":${good}}`],
  ['signals last', `{"action":null,"id":"","signals":${good}}`],
  ['white space', `\r\n\t ${good} \n`],
  ['nulls', '{"score":0.95,"scores":null,"flags":null,"meta":{"amount":20,"x":null}}'],
  ['empty ones', '{"score":0.95,"scores":{},"flags":[],"meta":{"amount":20}}'],
  ['escaped names', '{"\\u0073core":0.95,"m\\u0065ta":{"\\u0061mount":20}}'],
  ['every escape', '{"score":0.95,"flags":["\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\uDE00"],"meta":{"amount":20}}'],
  ['64 levels', `{"score":0.95,"meta":{"amount":20,"x":${nested(62)}}}`],
  ['10,000 members', `{"score":0.95,"meta":{"amount":20,"x":${list(9_996)}}}`],
  ['1 MiB', good + ' '.repeat(2 ** 20 - good.length)],
  ['a flag twice', '{"score":0.95,"flags":["a","a"],"meta":{"amount":20}}'],
  ['one score in two places', '{"score":0.95,"scores":{"score":0.950},"meta":{"amount":20}}'],
  ['names that mean something to JavaScript', '{"score":0.95,"meta":{"amount":20,"__proto__":{"amount":0},"constructor":1},"scores":{"__proto__":1}}'],
];
for (const [name, input] of taken) {
  test(`${name}: taken`, () => expectDecision(decideText(input, policy), 'auto_apply', 'band_high:score'));
}

test('what is no text is malformed', () => {
  for (const input of [undefined, null, 1, {}, [good], new ArrayBuffer(2), new DataView(new ArrayBuffer(2)), new Uint16Array(2)]) {
    expectDecision(decideText(input as never, automatic), 'route_to_human', 'band_review:score input_malformed score_missing:score');
  }
});

test('a decoder that failed decodes the next text', () => {
  decideText(bytes('{"score":0.95,"flags":["\xe2\x82'), automatic);
  expectDecision(decideText(Buffer.from('{"score":0.95}'), automatic), 'auto_apply', 'band_high:score');
});
