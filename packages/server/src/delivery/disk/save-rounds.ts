import type { Log } from '../../telemetry/log.ts'

/**
 * Brings the disk up to date in rounds: the first at once, the next no sooner than a pause after the one before. What
 * changes often is written once a round, so that however much is published, the database on the same disk does not wait
 * behind what is only kept to start from.
 */
export interface SaveRounds {
  /** Has `save` run in the next round. Of several for one name only the last is. */
  ask(name: string, save: () => Promise<void>): void
  /** Resolves when all that was asked before is done. Never rejects: a full disk costs the cache, not the service. */
  flush(): Promise<void>
  /** Whether something could not be saved and was not since then, so that the disk has less than was asked for. */
  hasFailed(): boolean
}

export interface SaveRoundsOptions {
  readonly log: Log
  /** Between two rounds. Default 1,000. */
  readonly pauseMs?: number
}

const atOnce = 8

export function createSaveRounds({ log, pauseMs = 1_000 }: SaveRoundsOptions): SaveRounds {
  const waiting = new Map<string, () => Promise<void>>()
  const saver = createSaver(log)
  let current: Promise<void> | undefined
  let pause: NodeJS.Timeout | undefined

  const runRound = async () => {
    // What is asked in one go belongs to one round.
    await new Promise(setImmediate)
    const round = [...waiting].values()
    waiting.clear()
    const takeTurns = async () => {
      for (const [name, work] of round) await saver.save(name, work)
    }
    await Promise.all(Array.from({ length: atOnce }, takeTurns))
    current = undefined
    pause = setTimeout(endPause, pauseMs).unref()
  }
  const endPause = () => {
    clearTimeout(pause)
    pause = undefined
    if (waiting.size > 0) current ??= runRound()
  }
  return {
    ask(name, work) {
      waiting.set(name, work)
      if (current === undefined && pause === undefined) current = runRound()
    },
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

/** Saves one thing after the other. The first failure in a row is reported. */
function createSaver(log: Log) {
  const failed = new Set<string>()
  let failing = false
  return {
    hasFailed: () => failed.size > 0,
    async save(name: string, save: () => Promise<void>): Promise<void> {
      try {
        await save()
        failing = false
        failed.delete(name)
      } catch (error) {
        if (!failing) log.warn('The disk cache cannot be written', { path: name, error })
        failing = true
        failed.add(name)
      }
    },
  }
}
