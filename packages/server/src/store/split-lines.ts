/** Reports a text that ended within a line. */
export class LineCutOff extends Error {
  override readonly name = 'LineCutOff'
}

/** Splits bytes into lines of UTF-8 text. Throws `LineCutOff` when the last line does not end. */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let parts: Buffer[] = []
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      parts.push(chunk.subarray(start, end))
      yield Buffer.concat(parts).toString('utf8')
      parts = []
      start = end + 1
    }
    parts.push(chunk.subarray(start))
  }
  if (Buffer.concat(parts).length > 0) throw new LineCutOff()
}
