import { useList } from '../../api/use-api.ts'
import { useOrganization } from '../../session/organization.ts'
import type { ApiKey } from './api-key.ts'

/** Returns the reach of a key in words. Examples: `everything`, `production · web-app`, `https://app.example.com`. */
export function useReachNames({
  environmentIds,
  schemaIds,
  allowedOrigins,
}: Pick<ApiKey, 'environmentIds' | 'schemaIds' | 'allowedOrigins'>): string {
  const { params } = useOrganization()
  const { data: environments = [] } = useList('GET /organizations/{org_id}/environments', {
    params,
  })
  const { data: schemas = [] } = useList('GET /organizations/{org_id}/config-schemas', { params })
  const parts = [
    namesOf(environmentIds, environments),
    namesOf(schemaIds, schemas),
    allowedOrigins?.join(', '),
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? 'everything' : parts.join(' · ')
}

function namesOf(
  ids: readonly string[] | null,
  known: readonly { readonly id: string; readonly name: string }[],
): string | undefined {
  return ids?.map((id) => known.find((one) => one.id === id)?.name ?? id).join(', ')
}
