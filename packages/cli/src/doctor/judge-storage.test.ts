import { describe, expect, it } from 'vitest'
import { judgeStorage } from './judge-storage.ts'

const embedded = {
  engine: 'embedded',
  version: '18.4',
  releasedOn: '2026-05-14',
  sizeBytes: 1,
} as const
const at = (day: string) => new Date(`${day}T12:00:00Z`)

describe('the age of the database', () => {
  it('is told, and is no fault for three months', () => {
    expect(judgeStorage(embedded, at('2026-08-01'))).toEqual({
      state: 'ok',
      detail: 'PostgreSQL 18.4, embedded, released on 2026-05-14, 79 days ago',
    })
  })

  it('is a warning with what to do after that', () => {
    const { state, detail, next } = judgeStorage(embedded, at('2026-11-25'))
    expect([state, detail]).toEqual(['warning', expect.stringContaining('195 days ago')])
    expect(next).toContain('SIGNALBOX_POSTGRES_BIN')
  })

  it('is not judged of a PostgreSQL that somebody else keeps', () => {
    const own = { engine: 'postgres', version: '15.14', releasedOn: null, sizeBytes: 1 } as const
    expect(judgeStorage(own, at('2026-11-25'))).toEqual({ state: 'ok', detail: 'PostgreSQL 15.14' })
  })
})
