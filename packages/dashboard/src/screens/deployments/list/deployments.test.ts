import { describe, expect, it } from 'vitest'
import { isNarrowed, toFilter, toQuery } from './filter.ts'
import { groupDays, nameDay, toDate } from '../../../components/group-days.ts'
import { readDeploymentsSearch } from './search.ts'
import { splitNew } from './split-new.ts'

describe('readDeploymentsSearch', () => {
  it('takes what is a filter and drops what is none', () => {
    const search = { environment: 'env_1', state: 'failure', from: '2026-11-07', run: true }
    expect(readDeploymentsSearch(search)).toEqual(search)
    expect(
      readDeploymentsSearch({ state: 'gone', from: 'yesterday', to: '2026-13-40', branch: 7 }),
    ).toEqual({})
  })
})

describe('toQuery', () => {
  it('asks for whole days where the reader is, the last one included', () => {
    const { from, to } = toQuery({ from: '2026-11-07', to: '2026-11-07' })
    expect(from).toBe(new Date(2026, 10, 7).toISOString())
    expect(to).toBe(new Date(2026, 10, 8).toISOString())
  })

  it('asks for what the delivery figures count', () => {
    expect(toQuery(readDeploymentsSearch({ outcome: 'failed' })).outcome).toBe('failed')
    expect(readDeploymentsSearch({ outcome: 'lost' })).toEqual({})
  })

  it('leaves out what is of no interest any more, unless it is asked for', () => {
    expect(toQuery({}).inactive).toBe('exclude')
    expect(toQuery({ inactive: true }).inactive).toBe('include')
  })
})

describe('isNarrowed', () => {
  it('says whether a filter may be why nothing is shown', () => {
    expect(isNarrowed(toFilter({ sync: 'syn_1', run: true, inactive: true }))).toBe(false)
    expect(isNarrowed(toFilter({ branch: 'main' }))).toBe(true)
  })
})

describe('groupDays', () => {
  it('makes days of the reader, in the order of the list', () => {
    const at = (day: number, hour: number) => ({
      createdAt: new Date(2026, 10, day, hour).toISOString(),
    })
    const days = groupDays([at(8, 1), at(7, 23), at(7, 2)], ({ createdAt }) => createdAt)
    expect(days.map(({ date, items }) => [date, items.length])).toEqual([
      ['2026-11-08', 1],
      ['2026-11-07', 2],
    ])
  })

  it('names the last two days by a word', () => {
    const now = new Date(2026, 2, 1, 12)
    expect(nameDay(toDate(now), now)).toBe('Today')
    expect(nameDay('2026-02-28', now)).toBe('Yesterday')
    expect(nameDay('2026-02-27', now)).toContain('2026')
  })
})

describe('splitNew', () => {
  const item = (id: string, second: number) => ({
    id,
    createdAt: new Date(second * 1000).toISOString(),
  })
  const [a, b, c] = [item('a', 1), item('b', 2), item('c', 3)]

  it('shows everything to who begins to read', () => {
    expect(splitNew([c, b, a], undefined)).toEqual({ fresh: [], former: [c, b, a] })
  })

  it('keeps back what came since', () => {
    expect(splitNew([c, b, a], b)).toEqual({ fresh: [c], former: [b, a] })
  })

  it('goes by the time where the top entry is gone', () => {
    expect(splitNew([c, a], b)).toEqual({ fresh: [c], former: [a] })
    expect(splitNew([c], b)).toEqual({ fresh: [c], former: [] })
  })
})
