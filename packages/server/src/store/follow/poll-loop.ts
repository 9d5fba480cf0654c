import type { Log } from '../../telemetry/log.ts'
import { runOneAtATime } from './run-one-at-a-time.ts'

/** Describes what a loop polls, and how often. */
export interface PollLoopOptions {
  readonly poll: () => Promise<void>
  /** Names the polled data in the log. Example: `API keys`. */
  readonly feature: string
  /** Pauses between two polls, give or take a fifth, so that nodes do not poll in step. */
  readonly intervalMs: number
  readonly log: Pick<Log, 'info' | 'warn'>
  /** Says what is read. Default: the database. */
  readonly from?: keyof typeof messages
  /** Says in a sentence why a poll failed, for the log. Default: the kind of the error alone. */
  readonly explain?: (failure: unknown) => string | undefined
  /** Limits the pause between two polls while they fail; a longer interval stays as it is. Default 5,000. */
  readonly retryMsMax?: number
}

/** Polls the database again and again, and goes on while it is down. */
export interface PollLoop {
  /**
   * Polls at once. Everything committed before the call is known when it resolves. Rejects when the database is down.
   */
  refresh(): Promise<void>
  /** Polls soon, without a promise. Does nothing after `close`. */
  wake(): void
  /**
   * Waits for the polls that were asked for before the call. Returns whether the last of them succeeded: then what was
   * committed before it was asked for is known.
   */
  settled(): Promise<boolean>
  /** Polls now, and from then on after each interval. */
  start(): void
  /** Tells whether the last poll failed. */
  isFailing(): boolean
  /** Ends the loop after the current poll. */
  close(): Promise<void>
}

const messages = {
  database: {
    failed: 'Could not read changes from the database',
    again: 'Reading changes from the database again',
  },
  upstream: {
    failed: 'Could not read changes from the upstream',
    again: 'Reading changes from the upstream again',
  },
  nats: {
    failed: 'Could not store changes in NATS',
    again: 'Storing changes in NATS again',
  },
} as const

/**
 * Creates a loop that polls nothing until it is started or refreshed. Logs the first of several failures, and their
 * end.
 */
export function createPollLoop({
  poll,
  feature,
  intervalMs,
  log,
  from = 'database',
  explain,
  retryMsMax = 5_000,
}: PollLoopOptions): PollLoop {
  const refresh = runOneAtATime(poll)
  let failures = 0
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  let last: Promise<void> = Promise.resolve()

  const pollAndReport = async () => {
    try {
      await refresh()
      if (failures > 0) log.info(messages[from].again, { feature })
      failures = 0
    } catch (error) {
      failures += 1
      if (failures === 1)
        log.warn(messages[from].failed, { feature, detail: explain?.(error), error })
    }
  }
  const tick = async () => {
    last = pollAndReport()
    await last
    if (isClosed) return
    const backoffMs = intervalMs * 2 ** Math.max(0, failures - 1)
    const pauseMs = Math.min(backoffMs, Math.max(intervalMs, retryMsMax))
    timer = setTimeout(() => void tick(), pauseMs * (0.8 + Math.random() * 0.4)).unref()
  }
  return {
    refresh,
    wake() {
      if (!isClosed) last = pollAndReport()
    },
    start: () => void tick(),
    async settled() {
      await last
      return failures === 0
    },
    isFailing: () => failures > 0,
    async close() {
      isClosed = true
      clearTimeout(timer)
      await last
    },
  }
}
