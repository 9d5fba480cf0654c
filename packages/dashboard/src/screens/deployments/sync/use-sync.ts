import { useRead, useWrite } from '../../../api/use-api.ts'
import { useOrganization } from '../../../session/organization.ts'

interface SyncTarget {
  /** Holds the id of the sync that the address names. */
  readonly syncId: string | undefined
  readonly onStarted: (syncId: string) => void
}

/** Starts a sync, which fetches what no webhook reported, and follows its progress. */
export function useSync({ syncId, onStarted }: SyncTarget) {
  const { params } = useOrganization()
  const begin = useWrite('POST /organizations/{org_id}/integrations/codehost/sync')
  const progress = useRead(
    'GET /organizations/{org_id}/integrations/codehost/sync/{sync_id}',
    { params: { ...params, sync_id: syncId ?? '' } },
    { enabled: syncId !== undefined },
  )
  const sync = syncId === undefined ? undefined : progress.data
  const isUnderWay = sync?.state === 'queued' || sync?.state === 'running'
  return {
    sync,
    problem: begin.error ?? (syncId === undefined ? null : progress.error),
    isPending: begin.isPending || isUnderWay,
    start: () =>
      begin.mutate({ params }, { onSuccess: ({ syncId: started }) => onStarted(started) }),
  }
}

/** Holds a sync, its progress, and the function that starts one. */
export type SyncControl = ReturnType<typeof useSync>
