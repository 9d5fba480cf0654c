import type { ProofTerms } from '@signalbox/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { call } from '../../api/call.ts'
import { ApiProblem, isRequested } from '../../api/problem.ts'
import { refreshAfterWrite } from '../../api/invalidate.ts'
import { showRejection } from '../../components/show-rejection.ts'
import { showToast } from '../../components/toasts.tsx'
import { useOrganization } from '../../session/organization.ts'
import type { Matrix } from './matrix.ts'
import { findOvertaken, toAllowPlain, toChanges, type StagedCell } from './staged.ts'
import type { ChangeSet } from './use-check.ts'

/** Holds the confirmation of a change of protected environments. */
export interface Confirmation {
  /** Lists the names of the confirmed environments. */
  readonly confirm: readonly string[]
  readonly comment: string
  /** Says how the change is watched, beside what the environments ask for. Absent: not beyond that. */
  readonly prove?: ProofTerms
}

/** Holds an empty confirmation, for environments that require none. */
export const noConfirmation: Confirmation = { confirm: [], comment: '' }

/** Returns a confirmation as members of a request. Empty ones are left out. */
export function toBody({ confirm, comment, prove }: Confirmation) {
  return {
    ...(confirm.length > 0 && { confirm: [...confirm] }),
    ...(comment.trim() !== '' && { comment: comment.trim() }),
    ...(prove !== undefined && { prove }),
  }
}

/** Describes a set of changes to save. */
export interface Save {
  readonly matrix: Matrix
  readonly changes: readonly StagedCell[]
  readonly confirmation: Confirmation
  /** Holds the text of the success message. */
  readonly done: string
  /** Called after saving, before the screen is read again. */
  readonly onSaved?: () => void
}

/**
 * Saves changes of several environments, all or none, and offers to undo them. It drops a save that succeeded or waits for
 * approval, because it may hold secrets. `save` throws the server's `ApiProblem`, which is also in `problem`.
 */
export function useSave() {
  const { id: orgId } = useOrganization()
  const client = useQueryClient()
  const offerUndo = useOfferUndo()
  const { mutateAsync, reset, isPending, error } = useMutation<void, Error, Save>({
    mutationFn: async (save) => {
      try {
        const { undo } = await saveOnLatest(orgId, save)
        save.onSaved?.()
        offerUndo(save, undo)
      } finally {
        await refreshAfterWrite(client, 'POST /organizations/{org_id}/config-changes')
      }
    },
    onSuccess: (): void => reset(),
    onError: (error): void => {
      if (error instanceof ApiProblem && isRequested(error)) reset()
    },
  })
  return {
    save: mutateAsync,
    pending: isPending,
    problem: error instanceof ApiProblem ? error : null,
  }
}

/** Limits how often a save is repeated because somebody else has saved other cells. */
const attemptsMax = 4

/** Saves on the latest version. @throws {ApiProblem} `revision_mismatch` only when somebody else has changed the same cells. */
async function saveOnLatest(
  orgId: string,
  { matrix, changes, confirmation }: Save,
): Promise<ChangeSet> {
  const params = { org_id: orgId }
  const schemaId = matrix.schema.id
  let latest = matrix
  for (let attempt = 1; ; attempt += 1) {
    try {
      const body = {
        schemaId,
        changes: toChanges(latest.environments, changes),
        ...toAllowPlain(changes),
        ...toBody(confirmation),
      }
      return await call('POST /organizations/{org_id}/config-changes', { params, body })
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.code !== 'revision_mismatch') throw error
      const query = { schemaId }
      latest = await call('GET /organizations/{org_id}/config-matrix', { params, query })
      if (attempt === attemptsMax || findOvertaken(latest, changes).length > 0) throw error
    }
  }
}

/** Shows what was saved, with an undo button. The confirmation of the save counts for the undo too. */
function useOfferUndo() {
  const { id: orgId } = useOrganization()
  const client = useQueryClient()
  return useCallback(
    ({ done, confirmation }: Save, restore: ChangeSet['undo']) => {
      const undo = async (body: NonNullable<ChangeSet['undo']>) => {
        try {
          await call('POST /organizations/{org_id}/config-versions/restore', {
            params: { org_id: orgId },
            body: {
              ...body,
              ...toBody(toUndo(confirmation)),
            },
          })
          showToast({ text: 'Undone. The previous values are back.' })
        } catch (error) {
          if (!(error instanceof ApiProblem)) throw error
          showRejection('undo it', error)
        }
        await refreshAfterWrite(client, 'POST /organizations/{org_id}/config-changes')
      }
      showToast({
        text: done,
        ...(restore && { action: { label: 'Undo', onSelect: () => void undo(restore) } }),
      })
    },
    [client, orgId],
  )
}

/** Returns the confirmation of an undo, whose comment names that of the change. It is not watched as the change was. */
export function toUndo({ confirm, comment }: Confirmation): Confirmation {
  const words = comment.trim() === '' ? 'Undo' : `Undo of: ${comment.trim()}`.slice(0, 1000)
  return { confirm, comment: words }
}
