import { useMemo } from 'react'
import { useList } from '../../api/use-api.ts'
import type { ItemOf } from '../../api/routes.ts'
import type { Required } from './review/review-lines.ts'

/** Describes an environment of the organization. */
export type Environment = ItemOf<'GET /organizations/{org_id}/environments'>

/** Returns the environments of the organization, oldest first, without the previews of pull requests. */
export function useEnvironments() {
  const query = useList('GET /organizations/{org_id}/environments', { query: { limit: 100 } })
  const { data } = query
  return { ...query, data: useMemo(() => data?.filter(({ kind }) => kind === 'standard'), [data]) }
}

/** Returns the confirmation that a change of these environments requires. */
export function toRequiredOf(
  environments: readonly Pick<Environment, 'name' | 'production' | 'protection'>[],
): Required {
  return {
    names: environments
      .filter(({ production, protection }) => production || protection.confirm)
      .map(({ name }) => name),
    comment: environments.some(({ protection }) => protection.comment),
  }
}
