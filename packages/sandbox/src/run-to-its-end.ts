import type { Clock } from './clock.ts'

/** Sets how often the clock is read, because tests may move it at any time. */
const pollEveryMs = 20

/** Describes a run that takes its course when nobody controls it. */
export interface AutomaticRun {
  readonly clock: Clock
  /** Returns whether it is there and nobody else has moved it on. */
  readonly isWaiting: () => boolean
  readonly isRunning: () => boolean
  readonly start: () => void
  readonly finish: () => void
  readonly startedAt: () => Date | null | undefined
  /** Default 0. */
  readonly durationMs?: number | undefined
  /** The last thing it does. The run ends, however that ends. */
  readonly lastStep?: (() => Promise<void>) | undefined
}

/**
 * Runs it to its end. Each step comes after the response to the caller. It leaves alone what somebody else controls, and what a
 * reset has removed.
 */
export function runToItsEnd(run: AutomaticRun): void {
  const { clock, isWaiting, isRunning, start, durationMs = 0, lastStep } = run
  const finish = () => {
    if (isRunning()) run.finish()
  }
  const finishWhenDue = () => {
    if (!isRunning()) return
    if (clock.now().getTime() < (run.startedAt()?.getTime() ?? 0) + durationMs) {
      setTimeout(finishWhenDue, pollEveryMs).unref()
    } else if (lastStep === undefined) {
      finish()
    } else {
      void lastStep().then(finish, finish)
    }
  }
  setImmediate(() => {
    if (!isWaiting()) return
    start()
    setImmediate(finishWhenDue)
  })
}
