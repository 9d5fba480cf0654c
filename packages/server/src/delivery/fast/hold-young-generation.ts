import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'

/** Counts as busy: the part of a second in which the event loop had work. */
const busyUtilization = 0.3

/**
 * Keeps the young generation of V8 small until the process is busy. What is loaded at a start survives, so V8 makes room for
 * as much in the future, 2 × 32 MB, and never gives it back: an idle service has 25 MB less this way (docs/decisions/0051). Under
 * load a small one costs a fifth of the time of each answer, and V8 lets it grow by what survives, which of requests is almost
 * nothing. The first time in which the loop is busy for `checkEveryMs`, after the answered function was called, sets V8 to grow in
 * one step. V8 reads this flag of the heap whenever it uses it, and not at the start of the process.
 */
export function holdYoungGeneration(checkEveryMs = 1_000): () => void {
  setFlagsFromString('--semi-space-growth-factor=1')
  return () => {
    let before = performance.eventLoopUtilization()
    const timer = setInterval(() => {
      const now = performance.eventLoopUtilization()
      if (performance.eventLoopUtilization(now, before).utilization >= busyUtilization) {
        setFlagsFromString('--semi-space-growth-factor=16')
        clearInterval(timer)
      }
      before = now
    }, checkEveryMs)
    timer.unref()
  }
}
