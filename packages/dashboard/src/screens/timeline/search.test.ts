import { describe, expect, it } from 'vitest'
import { toPeriod } from './period.ts'
import { readTimelineSearch } from './search.ts'

describe('readTimelineSearch', () => {
  it('keeps moments as the timeline writes them', () => {
    const search = { at: '2026-11-25T14:00:00.000Z', from: '2026-11-25T13:00Z', span: 120 }
    expect(readTimelineSearch(search)).toEqual(search)
  })

  it.each(['+275760-09-13T00:00:00.000Z', '-271821-04-20T00:00:00.000Z', '1', 'now', 'Nov 25'])(
    'leaves out %s, which no period can be made of',
    (moment) => {
      const search = readTimelineSearch({ at: moment, from: moment, to: moment })
      expect(search).toEqual({})
      expect(toPeriod(search, new Date())).toEqual({})
    },
  )
})
