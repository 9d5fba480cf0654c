import { performance } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Counts as busy: the part of a second in which the event loop had work. */
const busyUtilization = 0.3
/** Limits the young generation, which has two halves: as small as V8 makes them, and as large as answers gain from. */
const leastBytes = 2 * 2 ** 20
const mostBytes = 2 * 16 * 2 ** 20

/**
 * Keeps the young generation of V8 small while the process has little to do, and at 2 × 16 MiB while it is busy. What is loaded
 * at a start survives, so V8 makes room for as much in the future, up to 2 × 64 MiB: an idle service has 25 MB less this way
 * (docs/decisions/0051). Under load a small one costs a fifth of the time of each answer, and V8 lets it grow by what survives,
 * which of requests is almost nothing. So a loop that was busy for `checkEveryMs`, after the answered function was called, lets
 * V8 grow to the limit in one step. What is beyond it gains nothing: 10,000 streams survive, and their process had 60 MB more.
 * V8 reads this flag of the heap whenever it uses it, and not at the start of the process.
 */
export function holdYoungGeneration(checkEveryMs = 1_000): () => void {
  setGrowth(1)
  return () => {
    let before = performance.eventLoopUtilization()
    const check = () => {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, before)
      before = now
      setGrowth(utilization >= busyUtilization ? factorToMost() : 1)
    }
    setInterval(check, checkEveryMs).unref()
  }
}

function setGrowth(factor: number): void {
  setFlagsFromString(`--semi-space-growth-factor=${Math.max(1, factor)}`)
}

/** Returns by how much the young generation may grow. */
function factorToMost(): number {
  const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')
  // V8 leaves out a half that it has given back.
  return Math.floor(mostBytes / Math.max(leastBytes, young?.space_size ?? mostBytes))
}
