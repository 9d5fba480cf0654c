import type { CellValue } from '../grid/grid-model.ts'
import { toCellId, type CellRef } from '../matrix.ts'
import type { StagedChanges } from '../staged-store.ts'
import { toStaged, type Edit } from '../staged.ts'

/** Stages values. A value equal to the current one drops the staged change. */
export function putStaged(changes: StagedChanges, edits: readonly CellValue[]): void {
  const next = edits.map(({ cellRef, value }) => {
    const id = toCellId(cellRef.environment.id, cellRef.row.key)
    const edit = changes.get(id)?.edit
    // A flag that is turned keeps the rules that were staged for it.
    const rules = edit?.kind === 'set' ? edit.rules : undefined
    const change = toStaged(cellRef, { kind: 'set', value, ...(rules && { rules }) })
    return { id, change }
  })
  changes.put(
    next.flatMap(({ change }) => change ?? []),
    next.filter(({ change }) => change === undefined).map(({ id }) => id),
  )
}

/** Stages an edit of a cell. One that changes nothing drops the staged change. */
export function putStagedEdit(changes: StagedChanges, cellRef: CellRef, edit: Edit): void {
  const change = toStaged(cellRef, edit)
  const id = toCellId(cellRef.environment.id, cellRef.row.key)
  if (change === undefined) changes.drop([id])
  else changes.put([change])
}
