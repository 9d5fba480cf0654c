import type { Answer } from '../api/operations.ts'
import type { Finding } from './examine.ts'

type Attention = Answer<'getOverview'>['needsYou'][number]

/** Lists what the front page says that concerns the definition of an application. */
const codes: ReadonlySet<Attention['code']> = new Set(['default_of_nothing'])

/** Returns what the server says about stored configuration, out of what needs attention there. */
export function judgeConfiguration(items: readonly Attention[]): Omit<Finding, 'name'> {
  const found = items.filter(({ code }) => codes.has(code))
  if (found.length === 0) return { state: 'ok', detail: 'nothing to report' }
  return {
    state: found.some(({ severity }) => severity === 'error') ? 'fault' : 'warning',
    detail: found.map(({ title, detail }) => `${title}. ${detail}`).join(' '),
  }
}
