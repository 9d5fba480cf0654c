import type { ItemOf } from '../../../api/routes.ts'
import { useList } from '../../../api/use-api.ts'

export type SegmentVersion = ItemOf<'GET /organizations/{org_id}/segments/{segment}/versions'>

/** Reads the versions of a segment, newest first. */
export function useSegmentVersions(name: string) {
  return useList('GET /organizations/{org_id}/segments/{segment}/versions', {
    params: { segment: name },
    query: { limit: 100 },
  })
}
