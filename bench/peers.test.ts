import { describe, expect, it } from 'vitest'
import { compareLines } from './peers/beside.ts'
import { expectedOf, makeFlags, makeUsers } from './peers/flags.ts'

const line = (name: string, ...values: (number | null)[]) => ({
  name,
  version: '1.0.0',
  setup: '',
  values,
})

describe('a comparison', () => {
  const columns = [
    { title: 'reads', better: 'more' },
    { title: 'bytes', better: 'less' },
  ] as const
  const standingsOf = (...ours: number[]) =>
    compareLines({
      columns,
      lines: [
        line('Signalbox', ...ours),
        line('Signalbox, awaited', 99, 0),
        line('One', 10, 5),
        line('Other', 20, null),
      ],
    })

  it('is with the best of the others, whichever end of the column is better', () => {
    const standings = standingsOf(21, 4)
    expect(standings.map(({ best }) => best.name)).toEqual(['Other', 'One'])
    expect(standings.every(({ isAhead }) => isAhead)).toBe(true)
  })

  it('says where we are behind', () => {
    expect(standingsOf(19, 6).map(({ isAhead }) => isAhead)).toEqual([false, false])
    expect(standingsOf(20, 5).map(({ isAhead }) => isAhead)).toEqual([true, true])
  })
})

describe('the flags that every product decides', () => {
  it('are on for some users, off for others, and left to each product for a share', () => {
    const decisions = makeFlags(200).map((flag) =>
      makeUsers(300).map((user) => expectedOf(flag, user)),
    )
    const count = (is: (all: Set<boolean | undefined>) => boolean) =>
      decisions.filter((all) => is(new Set(all))).length
    expect(count((all) => all.has(true) && all.has(false))).toBe(100)
    expect(count((all) => all.has(undefined))).toBe(50)
    expect(count((all) => all.size === 1)).toBe(50)
  })
})
