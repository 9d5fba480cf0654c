import type { ItemOf } from '../../../api/routes.ts'
import { useList } from '../../../api/use-api.ts'
import { useOrganization } from '../../../session/organization.ts'

export type SegmentVersion = ItemOf<'GET /organizations/{org_id}/segments/{segment}/versions'>

/** Reads the versions of a segment, newest first. */
export function useSegmentVersions(name: string) {
  const { params } = useOrganization()
  return useList('GET /organizations/{org_id}/segments/{segment}/versions', {
    params: { ...params, segment: name },
    query: { limit: 100 },
  })
}
