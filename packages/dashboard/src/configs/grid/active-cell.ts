import { useCallback, useSyncExternalStore } from 'react'
import { createKeyedListeners } from '../keyed-listeners.ts'

/** A cell of the grid: the key of its row, and its column, of which the first holds the key's name. */
export interface Position {
  readonly key: string
  readonly column: number
}

/** Which cell the keyboard is at. A move wakes the cell that is left and the one that is come to. */
export interface ActiveCell {
  readonly get: () => Position | undefined
  readonly move: (to: Position) => void
  readonly isAt: (at: Position) => boolean
  readonly subscribe: (at: Position, listener: () => void) => () => void
  readonly subscribeMoves: (listener: () => void) => () => void
}

const moves = '*'
const toName = ({ key, column }: Position) => `${column}/${key}`

export function createActiveCell(): ActiveCell {
  let position: Position | undefined
  const listeners = createKeyedListeners()
  const isAt = ({ key, column }: Position) => position?.key === key && position.column === column
  return {
    get: () => position,
    isAt,
    move(to) {
      if (isAt(to)) return
      const left = position
      position = to
      listeners.notify([...(left ? [toName(left)] : []), toName(to), moves])
    },
    subscribe: (at, listener) => listeners.subscribe(toName(at), listener),
    subscribeMoves: (listener) => listeners.subscribe(moves, listener),
  }
}

/** Whether the keyboard is at this cell. */
export function useIsActive(active: ActiveCell, key: string, column: number): boolean {
  const subscribe = useCallback(
    (listener: () => void) => active.subscribe({ key, column }, listener),
    [active, key, column],
  )
  return useSyncExternalStore(subscribe, () => active.isAt({ key, column }))
}

/** Where the keyboard is, for what describes that cell. */
export function useActivePosition(active: ActiveCell): Position | undefined {
  return useSyncExternalStore(active.subscribeMoves, active.get)
}
