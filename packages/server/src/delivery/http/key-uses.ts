/** When a key was used last. */
export interface KeyUse {
  readonly orgId: string
  readonly keyId: string
  readonly usedAt: Date
}

/** Where the readers of a key write down its last use, until that is taken. */
export interface NotedUse {
  readonly orgId: string
  readonly keyId: string
  usedAtMs: number
  isTaken: boolean
}

/**
 * Which keys were used since the last time somebody asked: one note for each, however many tokens it has made, so that
 * requests cost no more memory than there are keys. A reader holds on to its key's note and overwrites the moment in it.
 */
export interface KeyUses {
  /** The note of a key that is used at `atMs`. It is shared by all readers of the key. */
  note(key: Pick<NotedUse, 'orgId' | 'keyId'>, atMs: number): NotedUse
  /** What was used since the last call. Whoever uses a key from here on needs another note. */
  take(): KeyUse[]
}

export function createKeyUses(): KeyUses {
  const noted = new Map<string, NotedUse>()
  return {
    note({ orgId, keyId }, atMs) {
      const known = noted.get(keyId)
      if (known !== undefined) {
        known.usedAtMs = atMs
        return known
      }
      const use = { orgId, keyId, usedAtMs: atMs, isTaken: false }
      noted.set(keyId, use)
      return use
    },
    take() {
      const taken = [...noted.values()]
      noted.clear()
      for (const use of taken) use.isTaken = true
      return taken.map(({ orgId, keyId, usedAtMs }) => ({
        orgId,
        keyId,
        usedAt: new Date(usedAtMs),
      }))
    },
  }
}
