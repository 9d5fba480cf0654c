import { callProvider, readProviderJson, type ProviderCall } from '../call-provider.ts'
import { ProviderError } from '../provider-error.ts'
import { failureOfLinearError, readLinearError } from './errors.ts'
import { readLinearLimit } from './limits.ts'

/** Describes one query to Linear's GraphQL API. */
export interface LinearQuery {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
}

/**
 * Asks Linear once. All queries only read. Errors are read before data, whatever the status is: half of an answer would look like
 * issues that are not there.
 *
 * @throws {ProviderError} with Linear's code
 * @see https://linear.app/developers/graphql
 */
export async function askLinear(
  { observe, ...call }: ProviderCall,
  { apiUrl, accessToken }: { readonly apiUrl: string; readonly accessToken: string },
  { query, variables = {} }: LinearQuery,
): Promise<unknown> {
  try {
    const answer = await callProvider(
      { ...call, readLimit: readLinearLimit },
      {
        method: 'POST',
        url: `${apiUrl}/graphql`,
        headers: { authorization: `Bearer ${accessToken}` },
        json: { query, variables },
        isSafe: true,
        accept: [400],
      },
    )
    const retryAt = readLinearLimit(answer, call.now())
    if (retryAt !== undefined) throw rejection('rateLimited', 'RATELIMITED', retryAt)
    const error = readLinearError(answer.body)
    if (error !== undefined) throw rejection(failureOfLinearError(error), error.code)
    if (answer.status === 400) throw rejection('rejected', 'http_400')
    const value = readProviderJson('linear', answer)
    observe?.(undefined)
    return value
  } catch (error) {
    if (error instanceof ProviderError) observe?.(error)
    throw error
  }
}

function rejection(failure: ProviderError['failure'], code: string, retryAt?: Date): ProviderError {
  return new ProviderError({ provider: 'linear', failure, code, retryAt })
}
