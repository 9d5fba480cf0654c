import { createSharedPoll } from '../../store/follow/shared-poll.ts'
import type { Log } from '../../telemetry/log.ts'

/** Looks for due messages, soon after each wake and every few seconds. */
export interface Sender {
  wake(): void
  close(): Promise<void>
}

/** Describes what a sender works with. */
export interface SenderOptions {
  /** Sends what is due, and returns how many messages it tried. */
  readonly send: () => Promise<number>
  readonly everyMs: number
  readonly log: Pick<Log, 'warn'>
}

const spacingMs = 100
const limitMs = 120_000

/** Starts a sender. It looks again immediately while there is work. */
export function startSender({ send, everyMs, log }: SenderOptions): Sender {
  const stop = new AbortController()
  let last: Promise<void> = Promise.resolve()
  const sendAll = async () => {
    while (!stop.signal.aborted) if ((await send()) === 0) return
  }
  const poll = createSharedPoll(sendAll, { spacingMs, limitMs })
  const wake = () => {
    if (stop.signal.aborted) return
    last = poll().catch((error: unknown) => {
      log.warn('Cannot look for messages of outgoing webhooks', { error })
    })
  }
  const timer = setInterval(wake, everyMs)
  return {
    wake,
    async close() {
      stop.abort()
      clearInterval(timer)
      await last
    },
  }
}
