import { describe, expect, it } from 'vitest'
import { attentionOfDueSecrets } from './attention-of-due-secrets.ts'

const now = new Date('2026-11-25T12:00:00Z')
const dayMs = 86_400_000
const secret = (key: string, days: number, more: object = {}) => ({
  schemaId: 'sch_1',
  schema: 'shop',
  environmentId: 'env_1',
  environment: 'production',
  key,
  runbook: undefined,
  dueAt: now.getTime() + days * dayMs,
  reason: 'rotation' as const,
  ...more,
})

describe('secrets that are due', () => {
  it('are one item for each schema and environment, of the one that is due first', () => {
    const items = attentionOfDueSecrets(
      [
        secret('later', 13),
        secret('first', 3, { runbook: 'https://wiki.example.com/first', reason: 'end' }),
        secret('far', 15),
        secret('elsewhere', 10, { environmentId: 'env_2', environment: 'staging' }),
      ],
      now,
    )
    expect(items).toMatchObject([
      {
        severity: 'error',
        code: 'secret_due',
        title: 'The secret first is due on 2026-11-28 in production',
        detail:
          'Schema shop. It ends then at its issuer. Set the next value here and at its issuer. Also due: later. Runbook: https://wiki.example.com/first',
        at: null,
      },
      { severity: 'warning', title: 'The secret elsewhere is due on 2026-12-05 in staging' },
    ])
  })

  it('stay until they have another value, with the moment at which they were due', () => {
    expect(attentionOfDueSecrets([secret('old', -100)], now)).toMatchObject([
      {
        severity: 'error',
        title: 'The secret old was due on 2026-08-17 in production',
        at: '2026-08-17T12:00:00.000Z',
      },
    ])
  })

  it('are nothing before the last two weeks', () => {
    expect(attentionOfDueSecrets([secret('young', 14.01)], now)).toEqual([])
  })
})
