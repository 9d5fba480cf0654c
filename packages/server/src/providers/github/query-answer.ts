import { z } from 'zod'
import type { OutboundAnswer } from '../../egress/create-egress.ts'
import { readProviderJson } from '../call-provider.ts'
import { ProviderError, type ProviderFailure } from '../provider-error.ts'

/** Describes a query of GraphQL. */
export interface GithubQuery {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

/** Holds the answer to a query. What GitHub could not answer is `null` in `data`, and has its reason in `refused`. */
export interface GithubQueryAnswer {
  readonly data: unknown
  /** Holds why a field is `null`, by its path. Example: `r0.i12` -> `FORBIDDEN`. */
  readonly refused: ReadonlyMap<string, string>
}

const body = z.object({
  data: z.unknown().optional(),
  errors: z
    .array(
      z.object({
        type: z.string().optional().catch(undefined),
        path: z
          .array(z.union([z.string(), z.number()]))
          .optional()
          .catch(undefined),
      }),
    )
    .optional()
    .catch([{}]),
})

/** Returns where GraphQL is asked. A server of one's own has it beside its REST API and not below it. */
export function graphqlUrl(apiUrl: string): string {
  return apiUrl.endsWith('/api/v3') ? apiUrl.replace(/\/v3$/, '/graphql') : `${apiUrl}/graphql`
}

/**
 * Reads an answer, which has status 200 also where all of it failed.
 *
 * @see https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api
 */
export function readQueryAnswer(answer: OutboundAnswer): GithubQueryAnswer {
  const { success, data: read } = body.safeParse(readProviderJson('github', answer))
  if (!success) throw failed('unavailable', 'unexpected_answer')
  const { data, errors = [] } = read
  if (errors.some(({ type }) => type === 'RATE_LIMITED')) {
    const reset = Number(answer.headers['x-ratelimit-reset'])
    const retryAt = Number.isFinite(reset) ? new Date(reset * 1000) : undefined
    throw failed('rateLimited', 'graphql_rate_limited', retryAt)
  }
  // GitHub answers so what took too long, and what it does not understand.
  const whole = errors.find(({ path }) => path === undefined)
  if (whole !== undefined || data === undefined || data === null) {
    throw failed('unavailable', `graphql_${(whole?.type ?? 'failed').toLowerCase()}`)
  }
  const refused = errors.map(({ path = [], type = 'FAILED' }) => [path.join('.'), type] as const)
  return { data, refused: new Map(refused) }
}

function failed(failure: ProviderFailure, code: string, retryAt?: Date): ProviderError {
  return new ProviderError({ provider: 'github', failure, code, retryAt })
}
