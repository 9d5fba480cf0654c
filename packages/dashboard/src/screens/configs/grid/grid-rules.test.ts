import { describe, expect, it } from 'vitest'
import { buildKey, buildMatrix, development, own } from '../testing/build-matrix.ts'
import { findOtherSecrets, findSameSecret } from './compare-secrets.ts'
import { filterRows, isDrifting, isUneven } from './filter-rows.ts'
import { findRemoteEdits } from './find-remote-edits.ts'
import { isEnvText, toPastedCells } from './pasted-cells.ts'
import { sortRows } from './sort-rows.ts'

describe('the filter', () => {
  const keys = [
    buildKey('apiUrl', [own('a'), own('b')], { drift: true, description: 'Where the API answers' }),
    buildKey('token', [own(undefined), own(undefined)], { tier: 'secret', drift: null }),
    buildKey('supportEmail', [own('a'), { source: 'missing' }], { drift: false }),
  ]
  const names = (filter: Partial<Parameters<typeof filterRows>[1]>) =>
    filterRows(keys, { text: '', tier: undefined, only: undefined, ...filter }).map(
      ({ key }) => key,
    )

  it('finds all words in the name or the description, whatever their case', () => {
    expect(names({ text: 'URL answers' })).toEqual(['apiUrl'])
    expect(names({ text: 'nothing' })).toEqual([])
  })
  it('narrows to a tier, and to what differs or is missing', () => {
    expect(names({ tier: 'secret' })).toEqual(['token'])
    expect(names({ only: isUneven })).toEqual(['apiUrl', 'supportEmail'])
  })
})

describe('a key that differs between two environments', () => {
  const drifts = (...args: Parameters<typeof isDrifting>) => isDrifting(...args)

  it('is one whose values or rules differ, or that only one has, and is not expected to', () => {
    const key = buildKey('apiUrl', [own('a'), own('b')])
    expect(drifts(key, 0, 1)).toBe(true)
    expect(drifts({ ...key, expectedToDiffer: true }, 0, 1)).toBe(false)
    expect(drifts(buildKey('same', [own('a'), own('a')]), 0, 1)).toBe(false)
    expect(drifts(buildKey('gone', [own('a'), { source: 'missing' }]), 0, 1)).toBe(true)
    expect(drifts(key, 0, -1)).toBe(false)
  })

  it('is no secret that both have, as on the overview', () => {
    const cells = [
      { ...own(undefined), mark: 0 },
      { ...own(undefined), mark: 1 },
    ]
    expect(drifts(buildKey('token', cells, { tier: 'secret' }), 0, 1)).toBe(false)
  })
})

describe('the order of the rows', () => {
  const matrix = buildMatrix([
    buildKey('b', [own('1', '2026-11-20T06:00:00.000Z'), own('1', '2026-11-22T06:00:00.000Z')]),
    buildKey('a', [own('1'), own('1')]),
    buildKey('c', [{ source: 'unset' }, { source: 'unset' }]),
  ])
  const names = (order: Parameters<typeof sortRows>[2]) =>
    sortRows(matrix, matrix.keys, order).map(({ key }) => key)

  it('is that of the schema, by name, or by the last change in any environment', () => {
    expect(names(undefined)).toEqual(['b', 'a', 'c'])
    expect(names('name')).toEqual(['a', 'b', 'c'])
    expect(names('changed')).toEqual(['b', 'a', 'c'])
  })
})

describe('what others edit', () => {
  const before = buildMatrix([buildKey('apiUrl', [own('a'), own('b')])])
  const after = buildMatrix([buildKey('apiUrl', [own('c'), own('b')])])

  it('is the cells with another value', () => {
    expect(findRemoteEdits(before, after, 'usr_ada')).toEqual([`${development}/apiUrl`])
  })
  it('is not what one has changed oneself', () => {
    expect(findRemoteEdits(before, after, 'usr_mira')).toEqual([])
  })
})

describe('secrets', () => {
  it('are the same as the first one before them with the same mark', () => {
    const cells = [1, 2, 1].map((mark) => ({ source: 'set' as const, mark }))
    expect([0, 1, 2].map((column) => findSameSecret(cells, column))).toEqual([
      undefined,
      undefined,
      0,
    ])
  })
  it('differ from those before them with another mark, not from a cell without one', () => {
    const none = { source: 'missing' as const }
    const cells = [none, ...[1, 2, 1].map((mark) => ({ source: 'set' as const, mark }))]
    expect([0, 1, 2, 3].map((column) => findOtherSecrets(cells, column))).toEqual([
      [],
      [],
      [1],
      [2],
    ])
  })
  it('are not compared without marks', () => {
    expect(findSameSecret([{ source: 'set' }, { source: 'set' }], 1)).toBeUndefined()
    expect(findOtherSecrets([{ source: 'set' }, { source: 'set' }], 1)).toEqual([])
  })
})

describe('what is pasted', () => {
  it('is rows of cells, without the line end of the last', () => {
    expect(toPastedCells('a\tb\r\nc\n')).toEqual([['a', 'b'], ['c']])
  })
  it('is an env file when most lines are assignments', () => {
    expect(isEnvText('# c\nA=1\nexport B=2\n')).toBe(true)
    expect(isEnvText('A=1')).toBe(false)
    expect(isEnvText('https://a.example/?a=b\nplain\ntext=')).toBe(false)
  })
})
