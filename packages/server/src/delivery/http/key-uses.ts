/** Holds when a key was last used. */
export interface KeyUse {
  readonly orgId: string
  readonly keyId: string
  readonly usedAt: Date
  /** Counts the answers with secrets since the last call. Left out: none. */
  readonly secretReads?: number
}

/** Holds the last use of a key until it is collected. All readers of the key share it. */
export interface NotedUse {
  readonly orgId: string
  readonly keyId: string
  usedAtMs: number
  /** Counts the answers with secrets. */
  secretReads: number
  isTaken: boolean
}

/**
 * Collects the last use of each key: one note for each, however many tokens were made from it, so that requests take no
 * more memory than there are keys. A reader retains its key's note and overwrites the time.
 */
export interface KeyUses {
  /** Returns the note of a key that is used at `atMs`. All readers of the key share it. */
  note(key: Pick<NotedUse, 'orgId' | 'keyId'>, atMs: number): NotedUse
  /** Returns the uses since the last call. Every later use needs a new note. */
  take(): KeyUse[]
}

/** Creates an empty collection. */
export function createKeyUses(): KeyUses {
  const noted = new Map<string, NotedUse>()
  return {
    note({ orgId, keyId }, atMs) {
      const known = noted.get(keyId)
      if (known !== undefined) {
        known.usedAtMs = atMs
        return known
      }
      const use = { orgId, keyId, usedAtMs: atMs, secretReads: 0, isTaken: false }
      noted.set(keyId, use)
      return use
    },
    take() {
      const taken = [...noted.values()]
      noted.clear()
      for (const use of taken) use.isTaken = true
      return taken.map(({ orgId, keyId, usedAtMs, secretReads }) => ({
        orgId,
        keyId,
        usedAt: new Date(usedAtMs),
        ...(secretReads > 0 && { secretReads }),
      }))
    },
  }
}
