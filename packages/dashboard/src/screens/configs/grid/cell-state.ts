import { useMemo, useSyncExternalStore } from 'react'
import { toCellId, type MatrixEnvironment, type MatrixKey } from '../matrix.ts'
import type { StagedCell } from '../staged.ts'
import type { CellNotes, EditStart, GridModel } from './grid-model.ts'

/** Holds the state of a cell that is not in the matrix. */
export interface CellState {
  readonly isActive: boolean
  readonly change: StagedCell | undefined
  readonly note: CellNotes | undefined
  readonly edit: EditStart | undefined
}

interface CellAt {
  readonly id: string
  readonly key: string
  readonly column: number
}

/** Subscribes once to all parts of the state: a page of rows mounts a hundred cells within a frame. */
function createCellReader(
  { active, staged, notes, editing }: GridModel,
  { id, key, column }: CellAt,
) {
  let last: CellState | undefined
  return {
    subscribe(this: void, listener: () => void): () => void {
      const stops = [
        active.subscribe(listener),
        staged.subscribe(listener),
        notes.subscribe(listener),
        editing.subscribe(listener),
      ]
      return () => {
        for (const stop of stops) stop()
      }
    },
    /** Returns the same object until something changes. */
    read(this: void): CellState {
      const isActive = active.isAt({ key, column })
      const change = staged.get(id)
      const note = notes.get(id)
      const edit = editing.get(id)
      const isSame =
        last?.isActive === isActive &&
        last.change === change &&
        last.note === note &&
        last.edit === edit
      if (last === undefined || !isSame) last = { isActive, change, note, edit }
      return last
    },
  }
}

/** Returns the current state of a cell: active, staged, refused, edited. */
export function useCellState(
  model: GridModel,
  { key }: MatrixKey,
  { id: environmentId }: MatrixEnvironment,
  column: number,
): CellState {
  const reader = useMemo(
    () => createCellReader(model, { id: toCellId(environmentId, key), key, column }),
    [model, environmentId, key, column],
  )
  return useSyncExternalStore(reader.subscribe, reader.read)
}
