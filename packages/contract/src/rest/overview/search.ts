import { z } from 'zod/v4'
import { deploymentStates } from '../../deployment-states.ts'
import { org, viewer } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { time } from '../shapes.ts'

export const searchResult = z
  .object({
    kind: z.enum([
      'deployment',
      'environment',
      'schema',
      'segment',
      'request',
      'key',
      'member',
      'page',
    ]),
    /** Identifies the result; of a segment its name, of a request its number, of a key its schema, of a page its path. */
    id: z.string(),
    title: z.string(),
    detail: z.string().nullable(),
    /** Holds the state of a deployment, and `null` for everything else. */
    state: z.enum(deploymentStates).nullable(),
    /** Holds the time at which a deployment reached its state, and `null` for everything else. */
    at: time.nullable(),
    href: z.string(),
  })
  .meta({ id: 'SearchResult' })

export type SearchResult = z.infer<typeof searchResult>

const overviewTag = { tag: 'Overview' } as const

export const searchEndpoints = declareEndpoints(overviewTag)({
  searchOrganization: {
    method: 'GET',
    path: `${org}/search`,
    summary:
      'Search deployments, environments, schemas, segments, change requests, keys, members and pages: at most twenty results.',
    access: viewer,
    agents: 'read',
    query: z.strictObject({ query: z.string().trim().min(1).max(100) }),
    response: { status: 200, body: z.object({ items: z.array(searchResult) }) },
    topics: ['deployment', 'environment', 'schema', 'segment', 'change_request', 'member'],
  },
})
