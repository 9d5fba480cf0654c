import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { call } from '../../../api/call.ts'
import { refreshAfterWrite } from '../../../api/invalidate.ts'
import { ApiProblem } from '../../../api/problem.ts'
import { showRejection } from '../../../components/show-rejection.ts'
import { showToast } from '../../../components/toasts.tsx'
import { useOrganization } from '../../../session/organization.ts'
import type { CellStore } from '../cell-store.ts'
import { annotate, type CellNotes, type GridModel } from '../grid/grid-model.ts'
import { toCellId, type CellRef, type Matrix } from '../matrix.ts'
import { isOnForAnyone, toOffEdit, toOnEdit } from '../notes/kill-edits.ts'
import type { StagedChanges } from '../staged-store.ts'
import type { ChangeSet } from '../use-check.ts'
import { putStagedEdit } from './stage-values.ts'

/** Lists the rejections of a change that reaches a protected environment. */
const asks: ReadonlySet<string> = new Set(['confirmation_required', 'comment_required'])

interface KillSwitchOptions {
  readonly matrix: Matrix
  readonly changes: StagedChanges
  readonly notes: CellStore<CellNotes>
  readonly onReview: () => void
  readonly onRules: GridModel['openRules']
}

/**
 * Returns what a press on a kill switch does, on every screen alike. Off is off for everyone immediately; where a protected
 * environment requires more than a press, and for on, the change is staged and its review opens.
 */
export function useKillSwitch(options: KillSwitchOptions): GridModel['turnKillSwitch'] {
  const { matrix, changes, notes, onReview, onRules } = options
  const { id: orgId } = useOrganization()
  const client = useQueryClient()
  return useCallback(
    (cellRef: CellRef) => {
      const { row, cell, environment } = cellRef
      const id = toCellId(environment.id, row.key)
      const isOn = isOnForAnyone(cell)
      if (!isOn && changes.get(id) !== undefined) {
        onReview()
        return
      }
      const edit = isOn ? toOffEdit(cellRef) : toOnEdit(cellRef)
      if (edit === undefined) {
        onRules(cellRef)
        return
      }
      const openReview = () => {
        putStagedEdit(changes, cellRef, edit)
        onReview()
      }
      const { confirm, comment } = environment.protection
      if (!isOn || confirm || comment) {
        openReview()
        return
      }
      if (notes.get(id)?.isTurning === true) return
      if (changes.get(id) !== undefined) changes.drop([id])
      annotate(notes, id, { isTurning: true })
      const change = { environmentId: environment.id, turn: { [row.key]: 'off' as const } }
      call('POST /organizations/{org_id}/config-changes', {
        params: { org_id: orgId },
        body: { schemaId: matrix.schema.id, changes: [change] },
      })
        .then((saved) => showToast({ text: toText(matrix, row.key, saved), stays: true }))
        .catch((error: unknown) => {
          if (!(error instanceof ApiProblem && asks.has(error.code))) {
            showRejection(`turn off ${row.key}`, error)
            return
          }
          showToast({ text: `An environment that inherits ${row.key} requires a confirmation.` })
          openReview()
        })
        .finally(async () => {
          await refreshAfterWrite(client, 'POST /organizations/{org_id}/config-changes')
          annotate(notes, id, { isTurning: undefined })
        })
    },
    [changes, client, matrix, notes, onReview, onRules, orgId],
  )
}

/** Names every environment in which a flag went off, those that inherit it included. */
function toText(matrix: Matrix, key: string, { environments }: ChangeSet): string {
  const changed = new Set(environments.map(({ environmentId }) => environmentId))
  const names = matrix.environments.filter(({ id }) => changed.has(id)).map(({ name }) => name)
  return `${key} is off for everyone in ${names.join(', ')}. “Turn on…” brings back what it was.`
}
