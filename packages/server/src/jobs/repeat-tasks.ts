import { setTimeout as delay } from 'node:timers/promises'

/** Describes what is done again and again. */
export interface RepeatedTask {
  /** Sets the pause after each time. */
  readonly everyMs: number
  readonly work: () => Promise<unknown>
}

/** Repeats each task, now and after each pause, whether or not it fails, until the returned function stops them all. */
export function repeatTasks(
  tasks: readonly RepeatedTask[],
  onError: (error: unknown) => void,
): () => Promise<void> {
  const stop = new AbortController()
  const repeating = tasks.map(async ({ everyMs, work }) => {
    while (!stop.signal.aborted) {
      await work().catch(onError)
      await delay(everyMs, undefined, { signal: stop.signal }).catch(() => undefined)
    }
  })
  return async () => {
    stop.abort()
    await Promise.all(repeating)
  }
}
