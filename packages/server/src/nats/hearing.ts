import { isOlderMark, parseMark, type Mark } from '../replica/mark.ts'
import { parseNow } from '../replica/now-message.ts'
import { isSigned, type Signed } from '../replica/signed.ts'
import { createHeardObjects } from './heard-objects.ts'

/** Describes a mark that the publisher has signed. */
export interface BelievedMark {
  readonly mark: Mark
  readonly signed: Signed
}

/** Knows what was said at the moment, stored or not. */
export interface Hearing {
  /** Takes a message, and returns whether it says anything new. */
  hear(text: string): boolean
  /** Returns the newest mark that was heard. */
  newest(): BelievedMark | undefined
  /** Returns whether that was heard a moment ago. */
  isRecent(): boolean
  /** Returns an object that was heard and is remembered. */
  find(sha256: string): string | undefined
  /** Returns a mark where the publisher has signed it. */
  judge(signed: Signed | undefined): BelievedMark | undefined
}

/** Describes the dependencies of `createHearing`. */
export interface HearingDeps {
  readonly publicKeys: readonly string[]
  /** Returns milliseconds of a clock that only goes forward. */
  readonly elapsedMs: () => number
}

/** Limits how long a mark that was heard counts while none can be asked for. */
const recentMs = 3_000

/** Creates what has heard nothing yet. */
export function createHearing({ publicKeys, elapsedMs }: HearingDeps): Hearing {
  const objects = createHeardObjects()
  let heard: BelievedMark | undefined
  let heardAtMs = -Infinity
  const judge = (signed: Signed | undefined): BelievedMark | undefined => {
    const mark = signed && parseMark(signed.text)
    return mark && isSigned(publicKeys, signed) ? { mark, signed } : undefined
  }
  return {
    hear(text) {
      const message = parseNow(text)
      if (message === undefined) return false
      const isRepeated = heard?.signed.text === message.mark.text
      const said = isRepeated ? heard : judge(message.mark)
      // Keeps the memory from those who may write there and lack the key of the publisher.
      if (said === undefined || (heard && isOlderMark(said.mark, heard.mark))) return false
      heard = said
      heardAtMs = elapsedMs()
      const isNew = objects.add(message.objects)
      return isNew || !isRepeated
    },
    newest: () => heard,
    isRecent: () => elapsedMs() - heardAtMs < recentMs,
    find: (sha256) => objects.find(sha256),
    judge,
  }
}
