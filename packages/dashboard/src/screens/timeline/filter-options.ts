import { useRead } from '../../api/use-api.ts'
import { useOrganization } from '../../session/organization.ts'

/** Holds what the filters of the timeline offer. */
export interface FilterOptions {
  readonly repositories: readonly string[]
  readonly people: readonly string[]
}

/**
 * Returns the repositories and people to choose from: tracked repositories, members, and whatever the newest hundred changes
 * name. Pipelines and bots are people here.
 */
export function useFilterOptions(): FilterOptions {
  const { params } = useOrganization()
  const query = { limit: 100, foldTests: 'true' } as const
  const newest = useRead('GET /organizations/{org_id}/changes', { params, query })
  const members = useRead('GET /organizations/{org_id}/members', { params, query: { limit: 100 } })
  const codehost = useRead('GET /organizations/{org_id}/integrations/codehost', { params })
  const changes = newest.data?.items ?? []
  return {
    repositories: distinct([
      ...(codehost.data?.repositories ?? []).map(({ fullName }) => fullName),
      ...changes.flatMap(({ deployment }) => deployment?.repository ?? []),
    ]),
    people: distinct([
      ...(members.data?.items ?? []).map(({ name }) => name),
      ...changes.flatMap(({ author }) => author?.name ?? []),
    ]),
  }
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted((one, other) => one.localeCompare(other))
}
