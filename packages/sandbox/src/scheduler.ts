import type { Clock } from './clock.ts'

/** Describes a step, and its delay after the one before it. */
export interface Step {
  readonly afterMs: number
  readonly run: () => void
}

/** Describes the scheduled steps, by the sandbox's clock. */
export interface Scheduler {
  /** Runs the steps one after the other. A step that throws cancels the rest. */
  play(steps: readonly Step[]): void
  /** Runs all waiting steps in order without delays, and those that they add. */
  runAll(): void
  /** Drops all waiting steps. */
  reset(): void
}

interface Waiting {
  readonly dueMs: number
  readonly steps: readonly Step[]
}

/** Sets how often the clock is read, because tests may move it at any time. */
const pollEveryMs = 20

/** Creates a scheduler with nothing to run. Its timer does not keep the process alive. */
export function createScheduler(clock: Clock): Scheduler {
  let waiting: readonly Waiting[] = []
  let timer: NodeJS.Timeout | undefined
  const add = (steps: readonly Step[], fromMs: number) => {
    const [first] = steps
    if (first !== undefined) waiting = [...waiting, { dueMs: fromMs + first.afterMs, steps }]
  }
  /** Takes the next step that is due. Of two at the same moment the older one comes first. */
  const takeDue = (untilMs: number): Waiting | undefined => {
    const next = waiting.toSorted((one, other) => one.dueMs - other.dueMs)[0]
    if (next === undefined || next.dueMs > untilMs) return undefined
    waiting = waiting.filter((one) => one !== next)
    return next
  }
  const runUntil = (untilMs: number) => {
    for (let due = takeDue(untilMs); due !== undefined; due = takeDue(untilMs)) {
      const [step, ...rest] = due.steps
      step?.run()
      add(rest, due.dueMs)
    }
  }
  const poll = () => {
    timer = undefined
    try {
      runUntil(clock.now().getTime())
    } finally {
      watch()
    }
  }
  const watch = () => {
    if (waiting.length > 0) timer ??= setTimeout(poll, pollEveryMs).unref()
  }
  return {
    play(steps) {
      add(steps, clock.now().getTime())
      watch()
    },
    runAll: () => runUntil(Number.POSITIVE_INFINITY),
    reset() {
      clearTimeout(timer)
      timer = undefined
      waiting = []
    },
  }
}
