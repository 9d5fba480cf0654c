import { Problem } from '@signalbox/contract'

/** Counts the work that one request causes by checking values and definitions. */
export interface CheckWork {
  /**
   * Counts work of some steps before it is done. Returns a promise when other requests are due first: await it, then do
   * the work.
   *
   * @throws {Problem} `validation_failed` when the request causes more work than it may
   */
  begin(steps: number): Promise<void> | undefined
}

/** Describes the limit and the clock of a count; tests pass their own. */
interface CheckWorkOptions {
  readonly stepsMax?: number
  /** Milliseconds that only grow. */
  readonly now?: () => number
  readonly giveWay?: () => Promise<void>
}

/** For a definition, or the values of one environment: some 0.8 s at the worst. */
const requestStepsMax = 40_000_000
/** Limits checking the stored values of all environments, each of which was written within `requestStepsMax`. */
export const reportStepsMax = 200_000_000
/** Milliseconds for which the thread is held at a time, unless a single value takes longer. */
const turnMs = 5

/** Creates the count of one request, by default with the limit for a definition or the values of one environment. */
export function createCheckWork({
  stepsMax = requestStepsMax,
  now = () => performance.now(),
  giveWay = yieldEventLoop,
}: CheckWorkOptions = {}): CheckWork {
  let steps = 0
  let turnEnds = now() + turnMs
  const wait = async () => {
    await giveWay()
    turnEnds = now() + turnMs
  }
  return {
    begin(more) {
      steps += more
      if (steps > stepsMax) throw tooMuch()
      return now() < turnEnds ? undefined : wait()
    },
  }
}

function yieldEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function tooMuch(): Problem {
  const detail =
    'Matching the texts with their patterns would take too long. Shorten the texts, lower the counts in braces of the patterns, or send fewer keys per request.'
  return new Problem('validation_failed', detail)
}
