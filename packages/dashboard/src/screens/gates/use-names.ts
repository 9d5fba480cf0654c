import { useList } from '../../api/use-api.ts'
import type { Names } from './describe-rule.ts'
import { useEnvironments } from '../configs/environments.ts'

/** Returns the names of environments and members, by which rules are described. */
export function useNames(): Names {
  const { data: environments } = useEnvironments()
  const { data: members } = useList('GET /organizations/{org_id}/members', {
    query: { limit: 100 },
  })
  return {
    environment: (id) =>
      environments === undefined
        ? '…'
        : (environments.find((one) => one.id === id)?.name ?? 'an environment that was deleted'),
    member: (id) => members?.find(({ userId }) => userId === id)?.name ?? 'a former member',
  }
}
