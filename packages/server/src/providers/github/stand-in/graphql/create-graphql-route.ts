import {
  buildSchema,
  graphql,
  type GraphQLError,
} from '../../../../../../sandbox/src/models/graphql.ts'
import { json } from '../../../../../../sandbox/src/http/answers.ts'
import { readJson } from '../../../../../../sandbox/src/http/fields.ts'
import { route, type Route } from '../../../../../../sandbox/src/http/route.ts'
import type { Identify } from '../access/identify.ts'
import { refuse } from '../errors.ts'
import type { GithubState } from '../state.ts'
import { createQueryRoot } from './query-root.ts'

/** Declares the part of GitHub's schema that is pretended. A query for anything else is refused. */
export const pretendedSchema = buildSchema(`
  scalar BigInt
  scalar URI
  enum IssueState { OPEN CLOSED }
  enum IssueStateReason { REOPENED NOT_PLANNED COMPLETED DUPLICATE }
  union IssueOrPullRequest = Issue | PullRequest
  type Query { repository(owner: String!, name: String!): Repository }
  type Repository { nameWithOwner: String! issueOrPullRequest(number: Int!): IssueOrPullRequest }
  type PullRequest { number: Int! }
  type Issue {
    fullDatabaseId: BigInt number: Int! title: String! url: URI!
    state: IssueState! stateReason: IssueStateReason
    repository: Repository! assignees(first: Int): UserConnection!
  }
  type UserConnection { nodes: [User] }
  type User { login: String! name: String }
`)

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
  return route('POST /graphql', async (request) => {
    const identified = identify(request)
    if ('refused' in identified) return identified.refused
    const { query, variables } = readJson(request)
    if (typeof query !== 'string') return refuse(400, 'A query attribute must be specified.')
    const { data, errors = [] } = await graphql({
      schema: pretendedSchema,
      source: query,
      rootValue: createQueryRoot(state, identified.caller),
      variableValues: Object.fromEntries(Object.entries(Object(variables))),
    })
    return json({ data, ...(errors.length > 0 && { errors: errors.map(present) }) })
  })
}

/** GitHub names the kind of a reason beside its message. */
function present({ message, path, locations, extensions }: GraphQLError) {
  return { type: extensions['type'], path, locations, message }
}
