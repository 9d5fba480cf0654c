import { describe, expect, it } from 'vitest'
import { buildMatrix } from '../testing/build-matrix.ts'
import {
  arrangeColumns,
  moveEnvironment,
  pickColumn,
  plainArrangement,
  readArrangement,
} from './arrange-columns.ts'

const matrix = buildMatrix([])
const names = (...args: Parameters<typeof arrangeColumns>) =>
  arrangeColumns(...args).map(({ environment }) => environment.name)

describe('the columns of the matrix', () => {
  it('follow the order of a person, with new environments at the end', () => {
    expect(names(matrix, plainArrangement)).toEqual(['development', 'production'])
    expect(names(matrix, { order: ['production', 'gone'], hidden: [] })).toEqual([
      'production',
      'development',
    ])
  })

  it('leave out hidden ones, except what a link is about, and never all of them', () => {
    const hidden = { order: [], hidden: ['production'] }
    expect(names(matrix, hidden)).toEqual(['development'])
    expect(names(matrix, hidden, ['production'])).toEqual(['development', 'production'])
    expect(names(matrix, { order: [], hidden: ['production', 'development'] })).toHaveLength(2)
  })

  it('name the environments that are hidden, for values that are inherited from them', () => {
    const [column] = arrangeColumns(matrix, { order: [], hidden: ['production'] })
    expect([...(column?.names.values() ?? [])]).toContain('production')
  })

  it('begin with production on a phone, unless another one is chosen', () => {
    const columns = arrangeColumns(matrix, plainArrangement)
    expect(pickColumn(columns, undefined)?.environment.name).toBe('production')
    expect(pickColumn(columns, 'gone', 'development')?.environment.name).toBe('development')
  })
})

describe('an arrangement', () => {
  it('moves an environment by one place, and stays within the list', () => {
    const list = ['a', 'b', 'c']
    expect(moveEnvironment(list, plainArrangement, 'c', -1).order).toEqual(['a', 'c', 'b'])
    expect(moveEnvironment(list, plainArrangement, 'a', -1).order).toEqual(list)
    expect(moveEnvironment(list, plainArrangement, 'c', 1).order).toEqual(list)
  })

  it('is plain when what is stored is something else', () => {
    for (const text of [null, '', '7', '[]', '{"order":7,"hidden":[1]}', '{'])
      expect(readArrangement(text)).toEqual(plainArrangement)
    const kept = { order: ['a'], hidden: ['b'] }
    expect(readArrangement(JSON.stringify(kept))).toEqual(kept)
  })
})
