import { describe, expect, it } from 'vitest'
import { readAuditSearch, toAuditQuery } from './search.ts'

describe('the filters of the audit log', () => {
  it('leave out what is empty or no text', () => {
    expect(readAuditSearch({ action: '', actor: 'usr_1', from: 3 })).toEqual({ actor: 'usr_1' })
  })

  it('leave out what is no day', () => {
    const given = { from: 'yesterday', to: '2026-11-31T00:00:00Z' }
    expect(readAuditSearch(given)).toEqual({})
  })

  it('stand beside what was checked, which is no filter', () => {
    const search = readAuditSearch({ action: 'key.', check: 'chain' })
    expect([search, toAuditQuery(search)]).toEqual([
      { action: 'key.', check: 'chain' },
      { action: 'key.' },
    ])
    expect(readAuditSearch({ check: 'all' })).toEqual({})
  })

  it('take the last day as a whole', () => {
    const { from = '', to = '' } = toAuditQuery({ from: '2026-11-22', to: '2026-11-22' })
    expect(Date.parse(to) - Date.parse(from)).toBe(86_400_000)
  })
})
