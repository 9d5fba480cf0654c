import type { AnswerOf } from '../api/routes.ts'
import { useRead } from '../api/use-api.ts'
import { useDebounced } from '../browser/use-debounced.ts'
import { useOrganization } from '../session/organization.ts'
import type { Command } from './commands.ts'

type SearchItem = AnswerOf<'GET /organizations/{org_id}/search'>['items'][number]

const kinds: Readonly<Record<SearchItem['kind'], string>> = {
  deployment: 'Deployment',
  environment: 'Environment',
  schema: 'Schema',
  segment: 'Segment',
  key: 'Key',
  member: 'Member',
  page: 'Screen',
}

/** Waits so many milliseconds after the last key before the server is asked. */
const quietMs = 150

/** Returns the server's results for a query, and whether a search is running. */
export function useSearchCommands(query: string): {
  readonly results: readonly Command[]
  readonly isSearching: boolean
} {
  const { slug, params } = useOrganization()
  const typed = query.trim()
  const settled = useDebounced(typed, quietMs)
  const isSearchable = settled.length >= 2 && typed.length >= 2
  const search = useRead(
    'GET /organizations/{org_id}/search',
    { params, query: { query: settled.slice(0, 100) } },
    { enabled: isSearchable },
  )
  if (!isSearchable) return { results: [], isSearching: typed.length >= 2 }
  return {
    results: (search.data?.items ?? []).map((item) => toCommand(slug, item)),
    isSearching: search.isPlaceholderData || search.isPending || settled !== typed,
  }
}

/** Returns the command that opens a result in the current organization. */
function toCommand(slug: string, item: SearchItem): Command {
  const { kind, title, detail, state, at, href } = item
  const does = `/${slug}${href}`.replace(/\/$/, '')
  return { label: title, kind: kinds[kind], detail, state, at, does }
}
