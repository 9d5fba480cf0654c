import { useList } from '../../api/use-api.ts'
import { useOrganization } from '../../session/organization.ts'
import type { ApiKey } from './api-key.ts'
import { describeReach } from './key-form.ts'

/** Returns the reach of a key in words, with the names of its environments and schemas. */
export function useReachNames(apiKey: ApiKey): string {
  const { params } = useOrganization()
  const { data: environments = [] } = useList('GET /organizations/{org_id}/environments', {
    params,
  })
  const { data: schemas = [] } = useList('GET /organizations/{org_id}/config-schemas', { params })
  return describeReach(apiKey, { environments, schemas })
}
