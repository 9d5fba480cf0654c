import { useList } from '../../api/use-api.ts'
import type { ConfigSchema } from '../configs/schema-picker.tsx'
import type { HistorySearch } from './search.ts'

/** Reads the versions that the address selects, newest first. */
export function useVersions({ id: schemaId }: ConfigSchema, { environment, key }: HistorySearch) {
  return useList('GET /organizations/{org_id}/config-versions', {
    query: { schemaId, environmentId: environment, key, limit: 50 },
  })
}
