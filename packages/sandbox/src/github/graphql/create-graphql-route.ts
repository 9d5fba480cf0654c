import { json } from '../../http/answers.ts'
import type { Answer, Route, SandboxRequest } from '../../http/route.ts'
import type { Identify } from '../access/identify.ts'
import { refuse } from '../errors.ts'
import type { GithubState } from '../state.ts'
import { executeQuery, QueryInvalid } from './execute-query.ts'
import { parseQuery, QuerySyntaxError } from './parse-query.ts'
import { createQueryRoot } from './query-root.ts'

/**
 * Creates the route of GraphQL. It answers 200 also where a query fails.
 *
 * @see https://docs.github.com/en/graphql/guides/forming-calls-with-graphql
 */
export function createGraphqlRoute({
  state,
  identify,
}: {
  readonly state: GithubState
  readonly identify: Identify
}): Route {
  return {
    method: 'POST',
    path: '/graphql',
    handle(request) {
      const identified = identify(request)
      if ('refused' in identified) return identified.refused
      const { query, variables } = readBody(request)
      if (query === undefined) return refuse(400, 'A query attribute must be specified.')
      try {
        const root = createQueryRoot(state, identified.caller)
        const { data, errors } = executeQuery(parseQuery(query), root, variables)
        return json({ data, ...(errors.length > 0 && { errors }) })
      } catch (error) {
        return refuseQuery(error)
      }
    },
  }
}

function refuseQuery(error: unknown): Answer {
  if (error instanceof QuerySyntaxError || error instanceof QueryInvalid) {
    return json({ errors: [{ message: error.message }] })
  }
  throw error
}

function readBody({ body }: SandboxRequest): {
  readonly query: string | undefined
  readonly variables: Readonly<Record<string, unknown>>
} {
  const parsed: unknown = safeParse(body.toString('utf8'))
  if (!isRecord(parsed)) return { query: undefined, variables: {} }
  const { query, variables } = parsed
  return {
    query: typeof query === 'string' ? query : undefined,
    variables: isRecord(variables) ? variables : {},
  }
}

function safeParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
