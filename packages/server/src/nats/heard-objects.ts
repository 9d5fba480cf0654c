/** Limits what is held of messages, in characters: enough for many of them. */
const limit = 4_000_000

/** Creates an empty memory. */
export function createHeardObjects() {
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
