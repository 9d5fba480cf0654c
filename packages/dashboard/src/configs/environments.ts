import { useList } from '../api/use-api.ts'
import type { ItemOf } from '../api/routes.ts'
import { useOrganization } from '../shell/organization.ts'
import type { Asked } from './review/review-lines.ts'

export type Environment = ItemOf<'GET /organizations/{org_id}/environments'>

/** All environments of the organization, oldest first. */
export function useEnvironments() {
  const { params } = useOrganization()
  return useList('GET /organizations/{org_id}/environments', { params, query: { limit: 100 } })
}

/** What a change of the values of these environments asks for. */
export function toAskedOf(
  environments: readonly Pick<Environment, 'name' | 'production' | 'protection'>[],
): Asked {
  return {
    names: environments
      .filter(({ production, protection }) => production || protection.confirm)
      .map(({ name }) => name),
    comment: environments.some(({ protection }) => protection.comment),
  }
}
