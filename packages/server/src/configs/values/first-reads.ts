/** Tells the first read of secrets by a key in an hour from those after it: only the first goes to the audit log. */
export interface FirstReads {
  /** Returns whether the key has not read `scope` within an hour. Example of a scope: `sch_1|env_1|stripeKey`. */
  isFirst(keyId: string, scope: string): boolean
  /** Called once the event of a first read is stored. */
  remember(keyId: string, scope: string): void
}

const hourMs = 3_600_000
const rememberedMax = 10_000

/** Creates an empty memory of 10,000 reads, those made last. It does not outlive the process. */
export function createFirstReads(now: () => Date): FirstReads {
  const readAt = new Map<string, number>()
  return {
    isFirst(keyId, scope) {
      const at = readAt.get(`${keyId}|${scope}`)
      return at === undefined || now().getTime() - at >= hourMs
    },
    remember(keyId, scope) {
      const name = `${keyId}|${scope}`
      readAt.delete(name)
      const oldest = readAt.keys().next().value
      if (readAt.size >= rememberedMax && oldest !== undefined) readAt.delete(oldest)
      readAt.set(name, now().getTime())
    },
  }
}
