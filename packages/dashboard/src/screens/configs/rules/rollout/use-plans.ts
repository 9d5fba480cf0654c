import { useList } from '../../../../api/use-api.ts'

/** Reads the newest plan of a flag in an environment. */
export function useNewestPlan(of: {
  readonly schema: string
  readonly environment: string
  readonly flag: string
}) {
  const { data } = useList('GET /organizations/{org_id}/rollout-plans', {
    query: { ...of, limit: 1 },
  })
  return data?.[0]
}
