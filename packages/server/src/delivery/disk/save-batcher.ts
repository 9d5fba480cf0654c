import type { Log } from '../../telemetry/log.ts'

/**
 * Writes to the disk in batches: the first at once, the next no sooner than a pause after the one before. Data that
 * changes often is written once a batch, so that a flood of publications does not slow down a database on the same
 * disk.
 */
export interface SaveBatcher {
  /** Runs `save` in the next batch, and again until it succeeds. It replaces an earlier one of the same name. */
  schedule(name: string, save: () => Promise<void>): void
  /** Runs `save` at once, beside the batches, and once only. Resolves when it is done, and never rejects. */
  saveNow(name: string, save: () => Promise<void>): Promise<void>
  /** Resolves when everything scheduled before is done. Never rejects: a full disk costs the cache, not the service. */
  flush(): Promise<void>
  /** Returns whether a save failed and has not succeeded since, so that the disk is incomplete. */
  hasFailed(): boolean
}

export interface SaveBatcherOptions {
  readonly log: Log
  /** Pauses between two batches. Default 1,000. */
  readonly pauseMs?: number
  /** Called when a batch begins. The result is called when the batch is over, with whether the disk has everything. */
  readonly onBatch?: () => (isComplete: boolean) => Promise<void>
}

const atOnce = 8
/** Limits what a disk that cannot be written costs each second. */
const repeatedAtOnce = 64

/** Creates a batcher that runs up to eight saves at a time. */
export function createSaveBatcher({
  log,
  pauseMs = 1_000,
  onBatch,
}: SaveBatcherOptions): SaveBatcher {
  const waiting = new Map<string, () => Promise<void>>()
  const saver = createSaver(log)
  let current: Promise<void> | undefined
  let pause: NodeJS.Timeout | undefined

  const runBatch = async () => {
    // Saves that are scheduled in one turn of the event loop share a batch.
    await new Promise(setImmediate)
    const batch = [...waiting].values()
    waiting.clear()
    const end = onBatch?.()
    const endSaver = saver.beginBatch()
    const runBatches = async () => {
      for (const [name, work] of batch) await saver.save(name, work)
    }
    await Promise.all(Array.from({ length: atOnce }, runBatches))
    endSaver()
    await end?.(!saver.hasFailed())
    current = undefined
    pause = setTimeout(repeat, pauseMs).unref()
  }
  const endPause = () => {
    clearTimeout(pause)
    pause = undefined
    if (waiting.size > 0) current ??= runBatch()
  }
  /** Ends the pause with some of what has failed: a full disk has room again at some time. */
  const repeat = () => {
    for (const [name, work] of saver.listFailed(repeatedAtOnce))
      if (!waiting.has(name)) waiting.set(name, work)
    endPause()
  }
  return {
    schedule(name, work) {
      waiting.set(name, work)
      if (current === undefined && pause === undefined) current = runBatch()
    },
    saveNow: (name, work) => saver.saveNow(name, work),
    async flush() {
      await current
      while (waiting.size > 0) {
        endPause()
        await current
      }
    },
    hasFailed: () => saver.hasFailed(),
  }
}

type Save = () => Promise<void>

/** Runs saves and remembers which failed. Only the first failure in a row is logged. */
function createSaver(log: Log) {
  const failed = new Map<string, Save>()
  /** Holds what is not repeated. A batch that begins later has what it was about. */
  const failedNow = new Set<string>()
  let failing = false
  const run = async (name: string, save: Save): Promise<boolean> => {
    try {
      await save()
      failing = false
      return true
    } catch (error) {
      if (!failing) log.warn('Could not write the disk cache', { path: name, error })
      failing = true
      return false
    }
  }
  return {
    hasFailed: () => failed.size + failedNow.size > 0,
    listFailed: (count: number) => [...failed].slice(0, count),
    async save(name: string, save: Save): Promise<void> {
      const isSaved = await run(name, save)
      // As the last one, so that another one is repeated before it.
      failed.delete(name)
      if (!isSaved) failed.set(name, save)
    },
    async saveNow(name: string, save: Save): Promise<void> {
      if (await run(name, save)) failedNow.delete(name)
      else failedNow.add(name)
    },
    /** Returns what notes the end of a batch. */
    beginBatch() {
      const before = [...failedNow]
      return () => {
        if (failed.size === 0) for (const name of before) failedNow.delete(name)
      }
    },
  }
}
