import type { Target } from './target.ts'

/** What was answered, counted by route and status. */
export interface AnswerTally {
  count(route: Target['route'], status: number): void
  list(): { route: string; status: number; count: number }[]
}

const statuses = 600

/** Counts in arrays of numbers, because each of 80,000 answers a second is counted. */
export function createAnswerTally(): AnswerTally {
  const counts: Record<Target['route'], Float64Array> = {
    snapshot: new Float64Array(statuses),
    namedSnapshot: new Float64Array(statuses),
    version: new Float64Array(statuses),
    stream: new Float64Array(statuses),
    values: new Float64Array(statuses),
    value: new Float64Array(statuses),
    evaluate: new Float64Array(statuses),
    ofrepBulk: new Float64Array(statuses),
    ofrepFlag: new Float64Array(statuses),
    nothing: new Float64Array(statuses),
  }
  return {
    count(route, status) {
      const ofRoute = counts[route]
      ofRoute[status] = (ofRoute[status] ?? 0) + 1
    },
    list: () =>
      Object.entries(counts).flatMap(([route, ofRoute]) =>
        [...ofRoute].flatMap((count, status) => (count === 0 ? [] : [{ route, status, count }])),
      ),
  }
}
