import { Problem } from '@signalbox/contract'

/** The work that one request causes by checking values and definitions. */
export interface CheckWork {
  /**
   * Announces work of some steps. A promise when it is another's turn first: whoever waits for it holds up nobody.
   *
   * @throws {Problem} `validation_failed` when it is more than a request may cause
   */
  begin(steps: number): Promise<void> | undefined
}

export interface CheckWorkOptions {
  readonly stepsMax?: number
  /** Milliseconds that only grow. */
  readonly now?: () => number
  readonly giveWay?: () => Promise<void>
}

/** For a definition, or the values of one environment: some 0.8 s at the worst. */
const requestStepsMax = 40_000_000
/** For the stored values of all environments, each of which was written within the limit above. */
export const reportStepsMax = 200_000_000
/** How long the thread is held at a time, unless a single value takes longer. */
const turnMs = 5

export function createCheckWork({
  stepsMax = requestStepsMax,
  now = () => performance.now(),
  giveWay = takeTurns,
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

function takeTurns(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function tooMuch(): Problem {
  const detail =
    'Matching the texts with their patterns would take too long. Shorten the texts, lower the counts in braces of the patterns, or send fewer keys at once.'
  return new Problem('validation_failed', detail)
}
