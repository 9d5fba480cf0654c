import { useCallback, useRef } from 'react'
import { call } from '../../../api/call.ts'
import { ApiProblem } from '../../../api/problem.ts'
import { showRejection } from '../../../components/show-rejection.ts'
import { showToast } from '../../../components/toasts.tsx'
import { useOrganization } from '../../../session/organization.ts'
import type { CellStore } from '../cell-store.ts'
import { annotate, type CellNotes } from '../grid/grid-model.ts'
import { findCell, toCellId, type Matrix, type CellRef } from '../matrix.ts'
import { noConfirmation, useSave } from '../use-save.ts'
import { needsReview, toPress } from './flag-press.ts'

/** Lists the rejections of a change that reaches a protected environment. */
const asks: ReadonlySet<string> = new Set(['confirmation_required', 'comment_required'])

interface TurnFlagOptions {
  readonly notes: CellStore<CellNotes>
  /** Stages a press that has to be reviewed. */
  readonly onReview: (cellRef: CellRef, checked: boolean) => void
}

/**
 * Turns a flag immediately, with an undo button. Where a press is not enough, it is reviewed. A press while the flag is
 * being turned waits for its turn, and the last one counts. The switch returns when the server refuses.
 */
export function useTurnFlag({ notes, onReview }: TurnFlagOptions) {
  const { save } = useSave()
  const { id: orgId } = useOrganization()
  const pressed = useRef(new Map<string, boolean>())
  return useCallback(
    (matrix: Matrix, cellRef: CellRef, checked: boolean): void => {
      if (needsReview(cellRef)) {
        onReview(cellRef, checked)
        return
      }
      const { row, environment } = cellRef
      const id = toCellId(environment.id, row.key)
      const isRunning = pressed.current.has(id)
      pressed.current.set(id, checked)
      annotate(notes, id, { switchedTo: checked })
      if (isRunning) return
      const saveAt = async (at: Matrix, atRef: CellRef, value: boolean) => {
        const change = toPress(atRef, value)
        const done = `${row.key} is ${value ? 'on' : 'off'} in ${environment.name}.`
        if (change !== undefined)
          await save({ matrix: at, changes: [change], confirmation: noConfirmation, done })
      }
      const turn = async () => {
        let saved = checked
        await saveAt(matrix, cellRef, saved)
        for (;;) {
          const next = pressed.current.get(id)
          if (next === undefined || next === saved) return
          const latest = await call('GET /organizations/{org_id}/config-matrix', {
            params: { org_id: orgId },
            query: { schemaId: matrix.schema.id },
          })
          const atRef = findCell(latest, { environmentId: environment.id, key: row.key })
          if (atRef === undefined) return
          await saveAt(latest, atRef, next)
          saved = next
        }
      }
      turn()
        .catch((error: unknown) => {
          if (error instanceof ApiProblem && asks.has(error.code)) {
            showToast({ text: `An environment that inherits ${row.key} requires a confirmation.` })
            onReview(cellRef, pressed.current.get(id) ?? checked)
          } else showRejection(`change ${row.key}`, error)
        })
        .finally(() => {
          pressed.current.delete(id)
          annotate(notes, id, { switchedTo: undefined })
        })
    },
    [notes, onReview, orgId, save],
  )
}
