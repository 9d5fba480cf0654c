import type { PollLoop } from './poll-loop.ts'

/**
 * Waits until `loops` know what was committed before the call, `limitMs` at most. Returns whether they all do. A commit
 * asks for a poll as it is announced, so that this adds none.
 */
export async function settleWithin(
  loops: readonly Pick<PollLoop, 'settled'>[],
  limitMs: number,
): Promise<boolean> {
  const { promise: end, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(resolve, limitMs, false)
  const settled = Promise.all(loops.map((loop) => loop.settled())).then((each) =>
    each.every(Boolean),
  )
  try {
    return await Promise.race([settled, end])
  } finally {
    clearTimeout(timer)
  }
}
