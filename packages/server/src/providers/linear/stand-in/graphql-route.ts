import {
  execute,
  GraphQLError,
  parse,
  validate,
  Kind,
  type DocumentNode,
  type FieldNode,
  type SelectionSetNode,
} from '../../../../../sandbox/src/models/graphql.ts'
import { json } from '../../../../../sandbox/src/http/answers.ts'
import { bearerOf, readJson } from '../../../../../sandbox/src/http/fields.ts'
import {
  route,
  type Answer,
  type Route,
  type SandboxRequest,
} from '../../../../../sandbox/src/http/route.ts'
import { invalidInput, notAuthenticated, rateLimited } from './errors.ts'
import { createRoot } from './resolvers.ts'
import type { LinearState, LinearWindow } from './state.ts'
import type { LinearGrant } from './oauth.ts'
import type { TokenStore } from '../../../../../sandbox/src/oauth/token-store.ts'

const windows: Readonly<Record<LinearWindow, number>> = {
  requests: 5_000,
  complexity: 2_000_000,
  'endpoint-requests': 5_000,
}
const hourMs = 3_600_000

/** Creates the only endpoint of Linear's API. */
export function graphqlRoute(state: LinearState, tokens: TokenStore<LinearGrant>): Route {
  return route('POST /graphql', async (request) => {
    const headers = limitHeaders(state)
    if (tokens.findGood(bearerOf(request)) === undefined)
      return refuse(401, notAuthenticated(), headers)
    if (isLimited(state)) return refuse(400, rateLimited(), headers)
    return run(state, { request, headers })
  })
}

interface Run {
  readonly request: SandboxRequest
  readonly headers: Readonly<Record<string, string>>
}

async function run(state: LinearState, { request, headers }: Run): Promise<Answer> {
  const { schema } = state
  const { query, variables } = readJson(request)
  const document = parseQuery(query)
  if (document instanceof GraphQLError) return refuse(400, document, headers)
  const [wrong] = validate(schema, document)
  if (wrong !== undefined) return refuse(400, invalid(wrong), headers)
  const variableValues = toRecord(variables)
  const points = complexityOf(document, variableValues)
  const counted = { ...headers, 'x-complexity': String(points) }
  if (points > complexityMax) return refuse(400, invalidInput('Query too complex'), counted)
  const rootValue = createRoot(state, `${request.origin}/linear`)
  const result = await execute({ schema, document, rootValue, variableValues })
  // Variables of another type are found when the query is executed, and are wrong requests all the same.
  return json(result, 'data' in result ? 200 : 400, counted)
}

function parseQuery(query: unknown) {
  try {
    return parse(String(query))
  } catch (error) {
    return error instanceof GraphQLError ? invalid(error) : invalidInput('The query is missing')
  }
}

function invalid(error: GraphQLError): GraphQLError {
  return new GraphQLError(error.message, {
    ...(error.nodes !== undefined && { nodes: error.nodes }),
    extensions: {
      type: 'graphql error',
      code: 'GRAPHQL_VALIDATION_FAILED',
      statusCode: 400,
      userError: true,
    },
  })
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {}
}

function refuse(status: number, error: GraphQLError, headers: Run['headers']): Answer {
  return json({ errors: [error] }, status, headers)
}

function isLimited({ spent, clock }: LinearState): boolean {
  return [...spent.values()].some((resetsMs) => resetsMs > clock.now().getTime())
}

/** Returns what is left of each window. The resets are in milliseconds, unlike those of most others. */
function limitHeaders({ spent, clock }: LinearState): Record<string, string> {
  const nowMs = clock.now().getTime()
  return Object.fromEntries(
    Object.entries(windows).flatMap(([window, limit]) => {
      const resetsMs = [...spent].find(([name]) => name === window)?.[1] ?? 0
      const isSpent = resetsMs > nowMs
      return [
        [`x-ratelimit-${window}-limit`, String(limit)],
        [`x-ratelimit-${window}-remaining`, String(isSpent ? 0 : limit - 1)],
        [`x-ratelimit-${window}-reset`, String(isSpent ? resetsMs : nowMs + hourMs)],
      ]
    }),
  )
}

/** Holds the points that one query may have. */
const complexityMax = 10_000
const pageSizeDefault = 50

/**
 * Returns the points of a query by Linear's rule: a tenth for each property, one for each object, and for a list as many times what is
 * asked of each entry as it may have. Fragments count as what they hold.
 *
 * @see https://linear.app/developers/rate-limiting
 */
function complexityOf(
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
): number {
  const points = document.definitions.map((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? pointsOf(definition.selectionSet, variables)
      : 0,
  )
  return Math.ceil(points.reduce((sum, one) => sum + one, 0))
}

function pointsOf(set: SelectionSetNode, variables: Readonly<Record<string, unknown>>): number {
  let points = 0
  for (const selection of set.selections) {
    if (selection.kind !== Kind.FIELD) continue
    const { selectionSet } = selection
    points +=
      selectionSet === undefined
        ? 0.1
        : (1 + pointsOf(selectionSet, variables)) * sizeOf(selection, variables)
  }
  return points
}

function sizeOf(field: FieldNode, variables: Readonly<Record<string, unknown>>): number {
  if (field.name.value !== 'issues' && field.name.value !== 'teams') return 1
  const value = field.arguments?.find(({ name }) => name.value === 'first')?.value
  if (value?.kind === Kind.INT) return Number(value.value)
  if (value?.kind === Kind.VARIABLE) return Number(variables[value.name.value])
  return pageSizeDefault
}
