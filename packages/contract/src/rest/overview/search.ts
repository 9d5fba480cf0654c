import { z } from 'zod/v4'
import { org, viewer } from '../access.ts'
import { endpoint } from '../endpoint.ts'

/** Describes a result of the search. */
export const searchResult = z
  .object({
    kind: z.enum(['deployment', 'environment', 'schema', 'key', 'member', 'page']),
    /** Identifies the result; of a key its schema, of a page its path. */
    id: z.string(),
    title: z.string(),
    detail: z.string().nullable(),
    href: z.string(),
  })
  .meta({ id: 'SearchResult' })

export type SearchResult = z.infer<typeof searchResult>

const overviewTag = { tag: 'Overview' } as const

/** Declares the endpoints of the search. */
export const searchEndpoints = {
  searchOrganization: endpoint({
    ...overviewTag,
    operationId: 'searchOrganization',
    method: 'GET',
    path: `${org}/search`,
    summary:
      'Where to go: at most twenty deployments, environments, schemas, keys, members and pages.',
    access: viewer,
    query: z.strictObject({ query: z.string().trim().min(1).max(100) }),
    response: { status: 200, body: z.object({ items: z.array(searchResult) }) },
    topics: ['deployment', 'environment', 'schema', 'member'],
    problems: [],
  }),
} as const
