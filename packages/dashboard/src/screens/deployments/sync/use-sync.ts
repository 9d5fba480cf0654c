import { useRead, useWrite } from '../../../api/use-api.ts'
import type { Sync } from './describe-sync.ts'

interface SyncTarget {
  /** Holds the id of the sync that the address names. */
  readonly syncId: string | undefined
  readonly onStarted: (syncId: string) => void
}

/** Starts a sync, which fetches what no webhook reported, and follows its progress. */
export function useSync({ syncId, onStarted }: SyncTarget) {
  const begin = useWrite('POST /organizations/{org_id}/integrations/codehost/sync')
  const progress = useRead('GET /organizations/{org_id}/integrations/codehost/sync/{sync_id}', {
    params: { sync_id: syncId ?? '' },
    enabled: syncId !== undefined,
  })
  const start = () => begin.mutate({ onSuccess: ({ syncId: started }) => onStarted(started) })
  return toControl(begin, syncId === undefined ? noProgress : progress, start)
}

/** Starts reading the issues that recent deployments name, and follows the progress. */
export function useIssueSync({ syncId, onStarted }: SyncTarget) {
  const begin = useWrite('POST /organizations/{org_id}/integrations/tracker/sync')
  const progress = useRead('GET /organizations/{org_id}/integrations/tracker/sync/{sync_id}', {
    params: { sync_id: syncId ?? '' },
    enabled: syncId !== undefined,
  })
  const start = () => begin.mutate({ onSuccess: ({ syncId: started }) => onStarted(started) })
  return toControl(begin, syncId === undefined ? noProgress : progress, start)
}

/** Holds a sync, its progress, and the function that starts one. */
export type SyncControl = ReturnType<typeof useSync>

const noProgress = { data: undefined, error: null } as const

function toControl<Progress extends Pick<Sync, 'state'>, Problem>(
  begin: { readonly error: Problem | null; readonly isPending: boolean },
  { data, error }: { readonly data: Progress | undefined; readonly error: Problem | null },
  start: () => void,
) {
  const isUnderWay = data?.state === 'queued' || data?.state === 'running'
  return {
    sync: data,
    problem: begin.error ?? error,
    isPending: begin.isPending || isUnderWay,
    start,
  }
}
