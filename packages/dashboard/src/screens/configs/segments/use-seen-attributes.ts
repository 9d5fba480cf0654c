import { useMemo } from 'react'
import { listSeenAttributes, type FlagCondition, type SeenAttribute } from '@signalbox/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useOrganization } from '../../../session/organization.ts'
import type { Matrix } from '../matrix.ts'
import { useSegments } from './use-segments.ts'

/** Maps an attribute to the values that it is compared with. */
type SeenAttributes = ReadonlyMap<string, SeenAttribute['values']>

/**
 * Returns the attributes that all segments of the organization ask for, and the flags of every schema that this page has
 * loaded, with the values that they compare them with.
 */
export function useSeenAttributes(): SeenAttributes {
  const { id: orgId } = useOrganization()
  const client = useQueryClient()
  const { data: segments } = useSegments()
  return useMemo(() => {
    const matrices = client.getQueriesData<Matrix>({
      predicate: ({ queryKey: [route, request] }) =>
        route === 'GET /organizations/{org_id}/config-matrix' &&
        JSON.stringify(request).includes(orgId),
    })
    const conditions = matrices.flatMap(([, matrix]) => (matrix ? listConditions(matrix) : []))
    const ofSegments = (segments ?? []).flatMap(({ attributes }) => attributes)
    return mergeAttributes([...ofSegments, ...listSeenAttributes(conditions)])
  }, [client, orgId, segments])
}

function listConditions({ keys }: Matrix): readonly FlagCondition[] {
  return keys.flatMap(({ cells }) =>
    cells.flatMap(({ rules = [] }) => rules.flatMap(({ when }) => when)),
  )
}

/** Merges what was seen in several places, by attribute. */
export function mergeAttributes(attributes: readonly SeenAttribute[]): SeenAttributes {
  const merged = new Map<string, SeenAttribute['values']>()
  for (const { attribute, values } of attributes) {
    const known = merged.get(attribute) ?? []
    merged.set(attribute, [...new Set([...known, ...values])])
  }
  return merged
}
