import type { Target } from './target.ts'

/** Counts the answers of this process by route and status. */
export interface AnswerCounts {
  count(route: Target['route'], status: number): void
  list(): readonly AnswerCount[]
}

/** Holds how many answers of one status a route has given. */
export interface AnswerCount {
  readonly route: Target['route']
  readonly status: number
  readonly count: number
}

/** Creates counters that begin at zero. */
export function createAnswerCounts(): AnswerCounts {
  const counts = new Map<Target['route'], Map<number, number>>()
  return {
    count(route, status) {
      let byStatus = counts.get(route)
      if (byStatus === undefined) counts.set(route, (byStatus = new Map<number, number>()))
      byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
    },
    list: () =>
      [...counts].flatMap(([route, byStatus]) =>
        [...byStatus].map(([status, count]) => ({ route, status, count })),
      ),
  }
}
