import { describe, expect, it } from 'vitest'
import { toGridAction, type PressedKey } from './grid-keys.ts'

const size = { rows: 100, columns: 5, page: 20 }
const at = { row: 10, column: 2 }

function press(key: string, held: Partial<PressedKey> = {}, from = at) {
  const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
  return toGridAction({ ...none, ...held, key }, from, size)
}

describe('the keys of the grid', () => {
  it.each([
    ['ArrowDown', {}, 11, 2],
    ['ArrowUp', {}, 9, 2],
    ['ArrowRight', {}, 10, 3],
    ['ArrowLeft', {}, 10, 1],
    ['Home', {}, 10, 0],
    ['End', {}, 10, 4],
    ['PageDown', {}, 30, 2],
    ['PageUp', {}, 0, 2],
    ['Home', { ctrlKey: true }, 0, 0],
    ['End', { metaKey: true }, 99, 4],
    ['Tab', {}, 10, 3],
    ['Tab', { shiftKey: true }, 10, 1],
  ])('%s with %o goes to row %i, column %i', (key, held, row, column) => {
    expect(press(key, held)).toEqual({ kind: 'move', row, column })
  })

  it('takes back what was staged by Ctrl+Z or Cmd+Z, and puts it back with Shift', () => {
    expect(press('z', { ctrlKey: true })).toEqual({ kind: 'undo' })
    expect(press('z', { metaKey: true })).toEqual({ kind: 'undo' })
    expect(press('Z', { ctrlKey: true, shiftKey: true })).toEqual({ kind: 'redo' })
  })

  it('stays within the grid', () => {
    expect(press('ArrowDown', {}, { row: 99, column: 4 })).toEqual({
      kind: 'move',
      row: 99,
      column: 4,
    })
    expect(press('ArrowLeft', {}, { row: 0, column: 0 })).toEqual({
      kind: 'move',
      row: 0,
      column: 0,
    })
  })

  it('lets the keyboard out at both ends of a row', () => {
    expect(press('Tab', {}, { row: 3, column: 4 })).toBeUndefined()
    expect(press('Tab', { shiftKey: true }, { row: 3, column: 0 })).toBeUndefined()
  })

  it('begins an edit with what is typed, in any script', () => {
    expect(press('a')).toEqual({ kind: 'edit', text: 'a' })
    expect(press('𝒶')).toEqual({ kind: 'edit', text: '𝒶' })
    expect(press('Enter')).toEqual({ kind: 'edit' })
    expect(press('F2')).toEqual({ kind: 'edit' })
  })

  it('leaves to the browser what is its own', () => {
    for (const key of ['Escape', 'F5', 'Shift', 'Dead']) expect(press(key)).toBeUndefined()
    expect(press('c', { ctrlKey: true })).toBeUndefined()
    expect(press('ArrowLeft', { altKey: true })).toBeUndefined()
  })

  it('opens the menu of the row at its key, where nothing can be typed', () => {
    const key = { row: 1, column: 0 }
    expect(press('Enter', {}, key)).toEqual({ kind: 'menu' })
    expect(press('x', {}, key)).toBeUndefined()
    expect(press('F10', { shiftKey: true })).toEqual({ kind: 'menu' })
  })

  it('toggles, unsets, reviews and filters', () => {
    expect(press(' ')).toEqual({ kind: 'toggle' })
    expect(press('Delete')).toEqual({ kind: 'unset' })
    expect(press('S', { ctrlKey: true })).toEqual({ kind: 'review' })
    expect(press('/')).toEqual({ kind: 'filter' })
  })
})
