import type { ProviderError } from '../../providers/provider-error.ts'

/** Stops calls to a provider in trouble, so that retries do not delay its recovery. */
export interface Breaker {
  /** Returns the end of the pause; `undefined` when a call may be sent. After a pause the first caller makes the trial call. */
  pausedUntil(): Date | undefined
  /** Records the outcome of a call, as `ProviderCall.observe` receives it. */
  observe(failed: ProviderError | undefined): void
}

const failuresMax = 5
const [firstPauseMs, longestPauseMs] = [5_000, 60_000]
/** Waits for the outcome of a trial call, a little longer than a call may take. Then another caller tries. */
const trialMs = 15_000

/** Creates a breaker that pauses after five failures in a row: for 5 s, doubled after each failed trial, up to a minute. */
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
      if (!isProviderFailure(failed)) {
        failures = 0
        pauses = 0
        isTrial = false
        return
      }
      failures += 1
      // Calls that were sent before the pause say nothing new.
      if (failures !== failuresMax && !isTrial) return
      isTrial = false
      untilMs = now().getTime() + Math.min(longestPauseMs, firstPauseMs * 2 ** pauses)
      pauses += 1
    },
  }
}

/** Returns whether a failure means trouble at the provider. A rejection is an answer to one request, and the next may succeed. */
function isProviderFailure(failed: ProviderError | undefined): boolean {
  return failed?.failure === 'unavailable' || failed?.failure === 'ambiguous'
}
