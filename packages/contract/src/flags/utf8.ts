/** Returns a text as UTF-8. Half of a surrogate pair becomes U+FFFD, as a TextEncoder writes it. */
export function toUtf8(text: string): number[] {
  const bytes: number[] = []
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    if (point < 0x80) bytes.push(point)
    else pushLong(bytes, point >= 0xd800 && point < 0xe000 ? 0xfffd : point)
  }
  return bytes
}

function pushLong(bytes: number[], point: number): void {
  const follow = (shift: number) => 0x80 | ((point >> shift) & 0x3f)
  if (point < 0x800) bytes.push(0xc0 | (point >> 6), follow(0))
  else if (point < 0x10000) bytes.push(0xe0 | (point >> 12), follow(6), follow(0))
  else bytes.push(0xf0 | (point >> 18), follow(12), follow(6), follow(0))
}
