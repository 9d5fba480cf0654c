import type { Reader } from '../reader.ts'

/** Holds the longest line of Docker's scanner. */
const longestLineBytes = 64 * 1024

/** Reads as `docker run --env-file` does: one line, one value, unchanged. Quotes are part of the value. */
export const readDocker: Reader = (text) => {
  const values = new Map<string, string>()
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    const content = line.replace(/\r$/, '').trimStart()
    if (Buffer.byteLength(line) >= longestLineBytes) {
      return { values, violation: `line ${index + 1} is longer than 64 KiB` }
    }
    if (content === '' || content.startsWith('#')) continue
    const equals = content.indexOf('=')
    const name = equals === -1 ? content : content.slice(0, equals)
    if (name === '' || /\s/.test(name)) {
      return { values, violation: `line ${index + 1}: a name must not contain spaces` }
    }
    if (equals !== -1) values.set(name, content.slice(equals + 1))
  }
  return { values }
}
