import { latestAttemptOf } from '../run-parts.ts'
import type { GithubRun } from '../state.ts'

/** Returns whether a run matches the filters of a list. `status` may be a status or a conclusion. */
export function matchesRun(query: URLSearchParams, run: GithubRun): boolean {
  const { status, conclusion } = latestAttemptOf(run)
  const facts = [
    ['event', [run.event]],
    ['head_sha', [run.headSha]],
    ['branch', [run.headBranch]],
    ['actor', [run.actor.login]],
    ['status', [status, conclusion]],
  ] as const
  const fits = facts.every(([name, values]) => {
    const filter = query.get(name)
    return filter === null || values.some((value) => value === filter)
  })
  return fits && isWithin(query.get('created'), run.createdAt)
}

/**
 * Returns whether a date is in a range of GitHub's search. Examples: `2026-01-31`, `>=2026-01-31T09:00:00Z`,
 * `2026-01-01..2026-01-31`, `*..2026-01-31`. A text that is no range includes everything.
 */
function isWithin(range: string | null, at: Date): boolean {
  if (range === null) return true
  const second = Math.floor(at.getTime() / 1000) * 1000
  const [, sign, bound] = /^(>=?|<=?)(.+)$/.exec(range) ?? []
  if (bound === undefined) {
    const [from = '', to = from] = range.split('..')
    return !(second < Date.parse(from)) && !(second > endOf(to))
  }
  if (sign === '>') return !(second <= endOf(bound))
  if (sign === '>=') return !(second < Date.parse(bound))
  if (sign === '<') return !(second >= Date.parse(bound))
  return !(second > endOf(bound))
}

/** A day ends with its last second. */
function endOf(bound: string): number {
  return Date.parse(/^\d{4}-\d\d-\d\d$/.test(bound) ? `${bound}T23:59:59Z` : bound)
}
