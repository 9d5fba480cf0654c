import type { Clock } from '../clock.ts'

/** Sets how often the clock is read, because tests may move it at any time. */
const pollEveryMs = 20

/** Describes the course of a run that nobody controls. */
export interface AutoCourse {
  /** Holds the duration by the sandbox's clock. Default 0: it ends at once. */
  readonly durationMs?: number
  /** Runs the last step of its job, such as an upload, before the run ends. Its errors are ignored. */
  readonly lastStep?: () => Promise<void>
  /** Runs after its end, for example to run it again. */
  readonly afterwards?: () => void
}

/** Describes a run that takes its course. */
interface AutomaticRun {
  readonly clock: Clock
  readonly course: AutoCourse
  /** Returns whether it is there and nobody else has moved it on. */
  readonly isWaiting: () => boolean
  readonly isRunning: () => boolean
  readonly start: () => void
  readonly finish: () => void
  readonly startedAt: () => Date | null | undefined
}

/**
 * Runs it to its end. Each step comes after the response to the caller. It leaves alone what somebody else controls, and what a
 * reset has removed.
 */
export function runToItsEnd(run: AutomaticRun): void {
  const { clock, isWaiting, isRunning, start } = run
  const { durationMs = 0, lastStep, afterwards } = run.course
  const finish = () => {
    if (!isRunning()) return
    run.finish()
    afterwards?.()
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
