import { isOlderMark, parseMark } from './mark.ts'
import type { Signed } from './signed.ts'

/** Returns the newest of some marks that were believed; `undefined` where there is none that can be read. */
export function newestMark(marks: readonly (Signed | undefined)[]): Signed | undefined {
  const read = marks.flatMap((signed) => {
    const mark = signed && parseMark(signed.text)
    return mark === undefined ? [] : [{ signed, mark }]
  })
  const [first, ...others] = read
  return others.reduce(
    (one, other) => (one !== undefined && isOlderMark(one.mark, other.mark) ? other : one),
    first,
  )?.signed
}
