import { useList } from '../../api/use-api.ts'
import type { ConfigSchema } from '../configs/schema-picker.tsx'
import { useOrganization } from '../../session/organization.ts'
import type { HistorySearch } from './search.ts'

/** Reads the versions that the address selects, newest first. */
export function useVersions({ id: schemaId }: ConfigSchema, { environment, key }: HistorySearch) {
  const { params } = useOrganization()
  return useList('GET /organizations/{org_id}/config-versions', {
    params,
    query: { schemaId, environmentId: environment, key, limit: 50 },
  })
}
