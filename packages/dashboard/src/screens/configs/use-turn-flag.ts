import { useCallback, useRef } from 'react'
import { ApiProblem } from '../../api/problem.ts'
import { showToast } from '../../components/toasts.tsx'
import type { CellStore } from './cell-store.ts'
import { annotate, type CellNotes } from './grid/grid-model.ts'
import { asksFirst, toCellId, type Matrix, type CellRef } from './matrix.ts'
import { toStaged } from './staged.ts'
import { noConfirmation, useSave } from './use-save.ts'

/** Lists the refusals of a change that reaches a protected environment. */
const asks: ReadonlySet<string> = new Set(['confirmation_required', 'comment_required'])

/**
 * Turns a flag at once, with an undo button. Returns `false` where a press is not enough: in production and in
 * environments that require a confirmation. The switch returns when the server refuses.
 */
export function useTurnFlag(notes: CellStore<CellNotes>) {
  const { save } = useSave()
  const running = useRef(new Set<string>())
  return useCallback(
    (
      matrix: Matrix,
      cellRef: CellRef,
      checked: boolean,
      onConfirmationRequired: () => void,
    ): boolean => {
      const { row, environment } = cellRef
      // An own value takes the place of inherited rules, which is to be read before it is saved.
      const losesRules = cellRef.cell.source !== 'set' && (cellRef.cell.rules ?? []).length > 0
      if (asksFirst(environment) || losesRules) return false
      const change = toStaged(cellRef, { kind: 'set', value: checked })
      const id = toCellId(environment.id, row.key)
      if (change === undefined || running.current.has(id)) return true
      running.current.add(id)
      annotate(notes, id, { switchedTo: checked })
      const done = `${row.key} is ${checked ? 'on' : 'off'} in ${environment.name}.`
      save({ matrix, changes: [change], confirmation: noConfirmation, done })
        .catch((error: unknown) => {
          if (error instanceof ApiProblem && asks.has(error.code)) {
            onConfirmationRequired()
            showToast({
              text: `${row.key} is staged, because an environment that inherits it requires a confirmation.`,
            })
            return
          }
          const isOutage = error instanceof ApiProblem && error.code === 'unreachable'
          const why = error instanceof Error ? error.message : ''
          const text = isOutage ? 'the server isn’t responding. Try again.' : why
          showToast({ text: `Couldn’t change ${row.key}: ${text}`, tone: 'bad', isOutage })
        })
        .finally(() => {
          running.current.delete(id)
          annotate(notes, id, { switchedTo: undefined })
        })
      return true
    },
    [notes, save],
  )
}
