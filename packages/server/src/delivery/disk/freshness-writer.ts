/** Lists what the writer reads and writes. */
export interface FreshnessWriterDeps {
  /** Returns when the database was last read. */
  readonly readAt: () => Date | undefined
  /** Saves `asOf` once everything read until then is on the disk. Never rejects. */
  readonly save: (asOf: Date) => Promise<void>
  /** Limits how far the saved moment lags behind, which is what a crash can lose. Default 60,000. */
  readonly intervalMs?: number
  /** Sets how often `readAt` is polled. Default 1,000. */
  readonly pollMs?: number
}

/**
 * Saves the moment up to which the disk equals the database, so that a node that starts from the disk can report its
 * age.
 */
export interface FreshnessWriter {
  /** Saves a moment soon after the first read, and one a minute from then on. */
  start(): void
  /** Saves the last moment. */
  close(): Promise<void>
}

/** Creates a writer that does nothing until it is started. */
export function createFreshnessWriter(deps: FreshnessWriterDeps): FreshnessWriter {
  const { readAt, intervalMs = 60_000, pollMs = 1_000 } = deps
  let savedMs = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let saving = Promise.resolve()

  const save = async (minAheadMs: number) => {
    const asOf = readAt()
    if (asOf === undefined || asOf.getTime() - savedMs < minAheadMs) return
    savedMs = asOf.getTime()
    await deps.save(asOf)
  }
  // Saves run one after the other, because they write the same file.
  const saveNext = (minAheadMs: number) => (saving = saving.then(() => save(minAheadMs)))
  return {
    start() {
      timer = setInterval(() => void saveNext(intervalMs), pollMs).unref()
    },
    async close() {
      clearInterval(timer)
      await saveNext(1)
    },
  }
}
