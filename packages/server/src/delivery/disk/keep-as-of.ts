import type { Log } from '../../telemetry/log.ts'

export interface KeepAsOfDeps {
  /** When the database was last read. */
  readonly readAt: () => Date | undefined
  /** Saves the moment once all that was read until then is on the disk. */
  readonly save: (asOf: Date) => Promise<void>
  readonly log: Pick<Log, 'warn'>
  /** Default 60,000: how much older than it is the disk may say it is, after a crash. */
  readonly intervalMs?: number
  /** Default 1,000. */
  readonly lookMs?: number
}

/** Writes down until when the disk equals the database, so that a node that starts from it can say how old it is. */
export interface KeepAsOf {
  /** Saves the first moment soon after the first read, and from then on one a minute. */
  start(): void
  /** Saves the last moment. */
  close(): Promise<void>
}

export function createKeepAsOf(deps: KeepAsOfDeps): KeepAsOf {
  const { readAt, log, intervalMs = 60_000, lookMs = 1_000 } = deps
  let savedMs = Number.NEGATIVE_INFINITY
  let failing = false
  let timer: NodeJS.Timeout | undefined
  let saving = Promise.resolve()

  const save = async (minAheadMs: number) => {
    const asOf = readAt()
    if (asOf === undefined || asOf.getTime() - savedMs < minAheadMs) return
    savedMs = asOf.getTime()
    try {
      await deps.save(asOf)
      failing = false
    } catch (error) {
      if (!failing) log.warn('The age of the disk cache cannot be written', { error })
      failing = true
    }
  }
  // One after the other: two would write the same file.
  const saveNext = (minAheadMs: number) => (saving = saving.then(() => save(minAheadMs)))
  return {
    start() {
      timer = setInterval(() => void saveNext(intervalMs), lookMs).unref()
    },
    async close() {
      clearInterval(timer)
      await saveNext(1)
    },
  }
}
