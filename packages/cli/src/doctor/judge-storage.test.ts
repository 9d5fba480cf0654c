import { describe, expect, it } from 'vitest'
import { judgeStorage } from './judge-storage.ts'

const embedded = {
  engine: 'embedded',
  version: '18.4',
  releasedOn: '2026-05-14',
  sizeBytes: 1,
  waitsForStandby: null,
} as const
const own = { ...embedded, engine: 'postgres', version: '15.14', releasedOn: null } as const
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
    const storage = { ...own, waitsForStandby: true }
    expect(judgeStorage(storage, at('2026-11-25'))).toEqual({
      state: 'ok',
      detail: 'PostgreSQL 15.14',
    })
  })
})

describe('a PostgreSQL of one’s own whose commits wait for no standby', () => {
  it('is a warning that says what a failover loses, and what to set', () => {
    const storage = { ...own, waitsForStandby: false }
    const { state, detail, next } = judgeStorage(storage, at('2026-11-25'))
    expect([state, detail]).toEqual(['warning', expect.stringContaining('can lose writes')])
    expect(next).toContain('synchronous_standby_names')
  })

  it('is no warning about the embedded database, which has no standby', () => {
    expect(judgeStorage(embedded, at('2026-06-01')).state).toBe('ok')
  })
})
