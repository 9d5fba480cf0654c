import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { call } from '../../../api/call.ts'
import { refreshAfterWrite } from '../../../api/invalidate.ts'
import { ApiProblem } from '../../../api/problem.ts'
import { showRejection } from '../../../components/show-rejection.ts'
import { showToast } from '../../../components/toasts.tsx'
import { useOrganization } from '../../../session/organization.ts'
import { toBody, toUndo, type Confirmation } from '../use-save.ts'
import type { Segment } from './use-segments.ts'

const route = 'PUT /organizations/{org_id}/segments/{segment}'

/** Describes a change of a segment that was saved. */
interface SavedChange {
  /** Holds the segment as it was before. */
  readonly before: Segment
  /** Holds the version that the change made. The undo is refused once somebody else has changed it. */
  readonly version: number
  /** Holds the confirmation of the change, which counts for the undo too. */
  readonly confirmation: Confirmation
}

/** Returns a function that saves the former groups and description of a segment as a new version. */
export function useUndoSegment() {
  const { id: orgId } = useOrganization()
  const client = useQueryClient()
  return useCallback(
    async ({ before, version, confirmation }: SavedChange) => {
      const { name, description, anyOf } = before
      try {
        await call(route, {
          params: { org_id: orgId, segment: name },
          body: { description, anyOf, ...toBody(toUndo(confirmation)) },
          ifMatch: version,
        })
        showToast({ text: `Undone. ${name} is as it was before.` })
      } catch (error) {
        if (!(error instanceof ApiProblem)) throw error
        showRejection('undo it', error)
      }
      await refreshAfterWrite(client, route)
    },
    [client, orgId],
  )
}
