import type { Answer } from '../api/operations.ts'

type Attention = Answer<'getOverview'>['needsYou'][number]

/** Lists what the front page says that concerns the definition of an application. */
const codes: ReadonlySet<Attention['code']> = new Set(['default_of_nothing'])

/** Returns what the server says about stored configuration, out of what needs attention there. */
export function judgeConfiguration(items: readonly Attention[]): {
  readonly state: 'ok' | 'warning' | 'fault'
  readonly detail: string
} {
  const reported = items.filter(({ code }) => codes.has(code))
  if (reported.length === 0) return { state: 'ok', detail: 'nothing to report' }
  return {
    state: reported.some(({ severity }) => severity === 'error') ? 'fault' : 'warning',
    detail: reported.map(({ title, detail }) => `${title}. ${detail}`).join(' '),
  }
}
