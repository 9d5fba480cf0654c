import { describe, expect, it } from 'vitest'
import { createEditHistory } from './edit-history.ts'
import type { StagedCell } from './staged.ts'

function change(value: string): StagedCell {
  const edit = { kind: 'set', value } as const
  return { environmentId: 'env_1', key: 'apiUrl', secret: false, edit, base: '' }
}

const id = 'env_1/apiUrl'
const at = (staged: StagedCell | undefined) => new Map([[id, staged]])
const first = change('a')
const second = change('b')

describe('the history of what is staged', () => {
  it('takes back one act after the other, and puts them back', () => {
    const history = createEditHistory()
    history.note(at(undefined), at(first))
    history.note(at(first), at(second))
    expect(history.undo()?.get(id)).toBe(first)
    expect(history.undo()).toEqual(at(undefined))
    expect(history.undo()).toBeUndefined()
    expect(history.redo()?.get(id)).toBe(first)
    expect(history.redo()?.get(id)).toBe(second)
    expect(history.redo()).toBeUndefined()
  })
  it('puts nothing back once something else was done', () => {
    const history = createEditHistory()
    history.note(at(undefined), at(first))
    history.undo()
    history.note(at(undefined), at(second))
    expect(history.redo()).toBeUndefined()
    expect(history.undo()).toEqual(at(undefined))
  })
  it('has no act that changed nothing, and none that was forgotten', () => {
    const history = createEditHistory()
    history.note(at(undefined), at(undefined))
    expect(history.undo()).toBeUndefined()
    history.note(at(first), at(change('a')))
    expect(history.undo()).toBeUndefined()
    history.note(at(undefined), at(first))
    history.forget()
    expect(history.undo()).toBeUndefined()
    expect(history.redo()).toBeUndefined()
  })
})
