import { useCallback, useEffect, useRef } from 'react'
import type { CellStore } from '../cell-store.ts'
import type { CellNotes, GridModel } from '../grid/grid-model.ts'
import { toCellId, type CellRef, type Matrix } from '../matrix.ts'
import type { StagedChanges } from '../staged-store.ts'
import { toPress } from './flag-press.ts'
import { putStaged } from './stage-values.ts'
import { useTurnFlag } from './use-turn-flag.ts'

interface TurnsOptions {
  readonly matrix: Matrix
  readonly changes: StagedChanges
  readonly notes: CellStore<CellNotes>
  /** Says whether a switch saves at once, where nothing has to be confirmed, instead of staging. */
  readonly turnsAtOnce: boolean
  /** Opens the review of the staged changes. */
  readonly onReview: () => void
}

/** Returns what a press on a switch does: on this screen, and on a kill switch everywhere. */
export function useTurns(options: TurnsOptions): Pick<GridModel, 'turn' | 'turnNow'> {
  const { matrix, changes, notes, turnsAtOnce, onReview } = options
  const turnFlag = useTurnFlag({ notes, onReview: useReviewedPress(changes, onReview) })
  const latest = useRef(matrix)
  useEffect(() => {
    latest.current = matrix
  }, [matrix])
  const turnNow = useCallback(
    (cellRef: CellRef, checked: boolean) => {
      const id = toCellId(cellRef.environment.id, cellRef.row.key)
      if (changes.get(id) !== undefined) changes.drop([id])
      turnFlag(latest.current, cellRef, checked)
    },
    [changes, turnFlag],
  )
  const turn = useCallback(
    (cellRef: CellRef, checked: boolean) => {
      const { row, environment } = cellRef
      const isStaged = changes.get(toCellId(environment.id, row.key)) !== undefined
      const isTurned = turnsAtOnce && (!isStaged || row.killSwitch === true)
      if (isTurned) turnNow(cellRef, checked)
      else putStaged(changes, [{ cellRef, value: checked }])
    },
    [changes, turnNow, turnsAtOnce],
  )
  return { turn, turnNow }
}

/** Returns a function that stages a press, and opens its review unless further changes are being collected. */
function useReviewedPress(changes: StagedChanges, onReview: () => void) {
  return useCallback(
    (cellRef: CellRef, checked: boolean) => {
      const change = toPress(cellRef, checked)
      if (change === undefined) return
      changes.put([change])
      if (changes.all().length === 1) onReview()
    },
    [changes, onReview],
  )
}
