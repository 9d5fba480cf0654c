import { describe, expect, it } from 'vitest'
import { buildKey, buildMatrix, development, own } from '../testing/build-matrix.ts'
import { findOtherSecrets, findSameSecret } from './compare-secrets.ts'
import { filterRows, isUneven } from './filter-rows.ts'
import { findRemoteEdits } from './find-remote-edits.ts'
import { isEnvText, toPastedCells } from './pasted-cells.ts'

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
