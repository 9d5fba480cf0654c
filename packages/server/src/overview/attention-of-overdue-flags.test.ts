import { describe, expect, it } from 'vitest'
import { attentionOfOverdueFlags } from './attention-of-overdue-flags.ts'

const ending = (schema: string, flags: Readonly<Record<string, string>>) => ({
  schemaId: `sch_${schema}`,
  schema,
  flags: Object.entries(flags).map(([key, expires]) => ({ key, expires })),
})
const now = new Date('2026-11-25T23:59:59Z')

describe('flags past their end date', () => {
  it('are one item for each schema, which names them and leads to these flags alone', () => {
    const schemas = [
      ending('shop', { a: '2026-11-24', later: '2027-01-01', b: '2020-02-29' }),
      ending('worker', { a: '2026-01-01', b: '2026-01-01', c: '2026-01-01', d: '2026-01-01' }),
      ending('done', { old: '2026-11-01' }),
    ]
    expect(attentionOfOverdueFlags(schemas, now)).toMatchObject([
      {
        severity: 'warning',
        code: 'flags_overdue',
        subjectId: 'sch_shop',
        title: '2 flags are past their end date: a, b',
        detail:
          'Schema shop. Remove them from your code and delete them here, or set a later date.',
        next: { label: 'Show', href: '/flags?schema=sch_shop&only=overdue' },
      },
      { title: '4 flags are past their end date: a, b, c and 1 more' },
      { title: '1 flag is past its end date: old' },
    ])
  })

  it('are not those whose day has not ended yet', () => {
    expect(attentionOfOverdueFlags([ending('shop', { today: '2026-11-25' })], now)).toEqual([])
    const tomorrow = new Date('2026-11-26T00:00:00Z')
    expect(
      attentionOfOverdueFlags([ending('shop', { today: '2026-11-25' })], tomorrow),
    ).toHaveLength(1)
  })
})
