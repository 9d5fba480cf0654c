import { describe, expect, it } from 'vitest'
import { markMoment } from './mark-moment.ts'

const at = (minute: number) => `2026-11-25T14:${String(minute).padStart(2, '0')}:00.000Z`
const change = (id: string, minute: number) => ({ id, at: at(minute) }) as never
const changes = [change('c', 20), change('b', 10), change('a', 10)]
const marked = (search: Parameters<typeof markMoment>[1], hasMore = false) =>
  markMoment(changes, search, hasMore).map(({ change: one, isMarked }) =>
    isMarked ? `[${one?.id ?? 'moment'}]` : one?.id,
  )

describe('markMoment', () => {
  it('marks the change that the reader came from, and no other of its moment', () => {
    expect(marked({ at: at(10), mark: 'b' })).toEqual(['c', '[b]', 'a'])
  })

  it('marks what changed at a moment, or stands between what changed before and after it', () => {
    expect(marked({ at: at(20) })).toEqual(['[c]', 'b', 'a'])
    expect(marked({ at: at(15) })).toEqual(['c', '[moment]', 'b', 'a'])
    expect(marked({})).toEqual(['c', 'b', 'a'])
  })

  it('waits with its mark for what the server has not sent', () => {
    expect(marked({ at: at(5) }, true)).toEqual(['c', 'b', 'a'])
    expect(marked({ at: at(5) })).toEqual(['c', 'b', 'a', '[moment]'])
  })
})
