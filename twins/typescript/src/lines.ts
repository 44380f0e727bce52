/** Splits bytes into lines at "\n" alone: other line ends may stand in a JSON string. */
export async function* splitLines(input: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array, void> {
  let rest: Buffer[] = [];
  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      yield Buffer.concat([...rest, chunk.subarray(start, end)]);
      rest = [];
      start = end + 1;
    }
    rest.push(chunk.subarray(start));
  }
  const last = Buffer.concat(rest);
  if (last.length > 0) {
    yield last;
  }
}
