import type { CodehostBudget } from '../codehosts/repository.ts'

/** Describes what is left of the rate limit of each account, as GitHub's last answer said. */
export interface RateBudgets {
  find(accountId: string): CodehostBudget | undefined
  /** Reads the headers of an answer, a rejection included. */
  note(accountId: string, headers: Readonly<Record<string, string>>): void
}

const keptMax = 10_000

/** Keeps budgets in memory. @see https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api */
export function createRateBudgets(): RateBudgets {
  const budgets = new Map<string, CodehostBudget>()
  return {
    find: (accountId) => budgets.get(accountId),
    note(accountId, headers) {
      const budget = readBudget(headers)
      if (budget === undefined) return
      if (budgets.size >= keptMax) budgets.clear()
      budgets.set(accountId, budget)
    },
  }
}

function readBudget(headers: Readonly<Record<string, string>>): CodehostBudget | undefined {
  // Searches and the like have limits of their own.
  if ((headers['x-ratelimit-resource'] ?? 'core') !== 'core') return undefined
  const [remaining, limit, resetsAtSeconds] = ['remaining', 'limit', 'reset'].map((name) =>
    Number(headers[`x-ratelimit-${name}`] ?? Number.NaN),
  )
  if (!isCount(remaining) || !isCount(limit) || !isCount(resetsAtSeconds)) return undefined
  return { remaining, limit, resetsAt: new Date(resetsAtSeconds * 1000) }
}

function isCount(value: number | undefined): value is number {
  return Number.isSafeInteger(value)
}
