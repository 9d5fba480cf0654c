import { isOlderMark, parseMark, type Mark } from '../replica/mark.ts'
import { parseNow } from '../replica/now-message.ts'
import { isSigned, type Signed } from '../replica/signed.ts'

/** Describes a mark that the publisher has signed. */
export interface BelievedMark {
  readonly mark: Mark
  readonly signed: Signed
}

/** Limits how long a mark that was heard counts while none can be asked for. */
const recentMs = 3_000

/** Creates what has heard nothing yet. */
export function createHearing({
  publicKeys,
  elapsedMs,
}: {
  readonly publicKeys: readonly string[]
  /** Returns milliseconds of a clock that only goes forward. */
  readonly elapsedMs: () => number
}) {
  const objects = createHeardObjects()
  let heard: BelievedMark | undefined
  let heardAtMs = -Infinity
  const judge = (signed: Signed | undefined): BelievedMark | undefined => {
    const mark = signed && parseMark(signed.text)
    return mark && isSigned(publicKeys, signed) ? { mark, signed } : undefined
  }
  return {
    /** Takes a message, and returns whether it says anything new. */
    hear(text: string): boolean {
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
    /** Returns the newest mark that was heard. */
    newest: () => heard,
    /** Returns whether that was heard a moment ago. */
    isRecent: () => elapsedMs() - heardAtMs < recentMs,
    /** Returns an object that was heard and is remembered. */
    find: (sha256: string) => objects.find(sha256),
    /** Returns a mark where the publisher has signed it. */
    judge,
  }
}

/** Limits what is held of messages, in characters: enough for many of them. */
const limit = 4_000_000

/** Creates an empty memory. */
function createHeardObjects() {
  const held = new Map<string, string>()
  let size = 0
  return {
    /** Adds objects by their hashes, and returns whether any is new. The oldest go when there are too many. */
    add(objects: ReadonlyMap<string, string>): boolean {
      let isNew = false
      for (const [sha256, text] of objects) {
        if (held.has(sha256)) continue
        isNew = true
        held.set(sha256, text)
        size += text.length
      }
      for (const [sha256, text] of held) {
        if (size <= limit) break
        held.delete(sha256)
        size -= text.length
      }
      return isNew
    },
    find: (sha256: string) => held.get(sha256),
  }
}
