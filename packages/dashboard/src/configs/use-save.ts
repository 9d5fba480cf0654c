import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { call } from '../api/call.ts'
import { ApiProblem } from '../api/problem.ts'
import { refreshAll } from '../api/use-api.ts'
import { showToast } from '../parts/toasts.tsx'
import { useOrganization } from '../shell/organization.ts'
import type { Matrix } from './matrix.ts'
import { findOvertaken, toChanges, type StagedCell } from './staged.ts'
import type { ChangeSet } from './use-check.ts'

/** What protected environments ask for. */
export interface Consent {
  /** Names of environments. */
  readonly confirm: readonly string[]
  readonly comment: string
}

export const noConsent: Consent = { confirm: [], comment: '' }

/** Consent as the members of a request; without what there is none of. */
export function toBody({ confirm, comment }: Consent) {
  return {
    ...(confirm.length > 0 && { confirm: [...confirm] }),
    ...(comment.trim() !== '' && { comment: comment.trim() }),
  }
}

export interface Save {
  readonly matrix: Matrix
  readonly changes: readonly StagedCell[]
  readonly consent: Consent
  /** What the message says that was done. */
  readonly done: string
  /** It is saved, and what is on the screen is not read again yet. */
  readonly onSaved?: () => void
}

/**
 * Saves changes of several environments, all or none, and offers to take them back. Nothing of it is kept: it may hold
 * secrets.
 *
 * @throws {ApiProblem} what the server refuses, which is kept as `problem` as well.
 */
export function useSave() {
  const { id: orgId } = useOrganization()
  const client = useQueryClient()
  const offerUndo = useOfferUndo()
  const [state, setState] = useState<{ pending: boolean; problem: ApiProblem | null }>(idle)
  const save = useCallback(
    async (given: Save): Promise<void> => {
      setState({ pending: true, problem: null })
      try {
        const { undo } = await saveOnLatest(orgId, given)
        given.onSaved?.()
        offerUndo(given, undo?.restores ?? [])
        await refreshAll(client)
        setState(idle)
      } catch (error) {
        await refreshAll(client)
        setState({ pending: false, problem: error instanceof ApiProblem ? error : null })
        throw error
      }
    },
    [client, offerUndo, orgId],
  )
  return { save, ...state }
}

const idle = { pending: false, problem: null }

/** So often is a save repeated because somebody else has saved something that is not in its way. */
const attemptsMax = 4

/** @throws {ApiProblem} `revision_mismatch` only when somebody else has changed the same cells. */
async function saveOnLatest(orgId: string, { matrix, changes, consent }: Save): Promise<ChangeSet> {
  const params = { org_id: orgId }
  const schemaId = matrix.schema.id
  let latest = matrix
  for (let attempt = 1; ; attempt += 1) {
    try {
      const body = {
        schemaId,
        changes: toChanges(latest.environments, changes),
        ...toBody(consent),
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

type Restores = NonNullable<ChangeSet['undo']>['restores']

/** A message that says what was saved, with the way back. Whoever confirmed it a moment ago need not do so again. */
function useOfferUndo() {
  const { id: orgId } = useOrganization()
  const client = useQueryClient()
  return useCallback(
    ({ done, consent }: Save, restores: Restores) => {
      const undo = async () => {
        try {
          await call('POST /organizations/{org_id}/config-versions/restore', {
            params: { org_id: orgId },
            body: { restores, ...toBody({ ...consent, comment: toUndoComment(consent) }) },
          })
          showToast({ text: 'Taken back: the values are as they were.' })
        } catch (error) {
          if (!(error instanceof ApiProblem)) throw error
          showToast({ text: `It could not be taken back. ${error.message}`, tone: 'bad' })
        }
        await refreshAll(client)
      }
      showToast({
        text: done,
        ...(restores.length > 0 && { action: { label: 'Undo', onSelect: () => void undo() } }),
      })
    },
    [client, orgId],
  )
}

function toUndoComment({ comment }: Consent): string {
  return comment.trim() === '' ? 'Undo' : `Undo of: ${comment.trim()}`.slice(0, 1000)
}
