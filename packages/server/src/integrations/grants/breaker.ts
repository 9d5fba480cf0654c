import type { ProviderError } from '../../providers/provider-error.ts'

/** Keeps work away from a provider that is in trouble, so that its end is not delayed by everybody who waits for it. */
export interface Breaker {
  /** Until when nothing is sent. `undefined`: send; after a pause, whoever is told so first is the one that tries. */
  pausedUntil(): Date | undefined
  /** How a call went, as `ProviderCall.observe` is told. */
  observe(failed: ProviderError | undefined): void
}

const failuresMax = 5
const [firstPauseMs, longestPauseMs] = [5_000, 60_000]
/** As long as a call may take, and some: whoever tries and is never heard of is not waited for any longer. */
const trialMs = 15_000

/** Pauses after five failures in a row: for 5 s, and twice as long after each further try, up to a minute. */
export function createBreaker(now: () => Date): Breaker {
  let failures = 0
  let pauses = 0
  let untilMs = 0
  let isTrial = false
  return {
    pausedUntil() {
      if (failures < failuresMax) return undefined
      const atMs = now().getTime()
      if (atMs < untilMs) return new Date(untilMs)
      isTrial = true
      untilMs = atMs + trialMs
      return undefined
    },
    observe(failed) {
      if (!isTrouble(failed)) {
        failures = 0
        pauses = 0
        isTrial = false
        return
      }
      failures += 1
      // Those that were on their way when it began say nothing new.
      if (failures !== failuresMax && !isTrial) return
      isTrial = false
      untilMs = now().getTime() + Math.min(longestPauseMs, firstPauseMs * 2 ** pauses)
      pauses += 1
    },
  }
}

/** A refusal is an answer: it is about the request, or about us, and the next one may be answered otherwise. */
function isTrouble(failed: ProviderError | undefined): boolean {
  return failed?.failure === 'unavailable' || failed?.failure === 'ambiguous'
}
