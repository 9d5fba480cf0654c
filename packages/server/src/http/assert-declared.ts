import { isDeepStrictEqual } from 'node:util'
import type { EndpointShape } from '@signalbox/contract/rest'

/**
 * Throws when an answer differs from the endpoint's declaration, down to a surplus member. For tests, which must find
 * such a mistake; in production the change is committed by then, and an answer with a surplus member is better than
 * none.
 */
export function assertDeclared({ operationId, response }: EndpointShape, body: unknown): void {
  const parsed = response.body?.safeParse(body)
  const sent: unknown = body === undefined ? undefined : JSON.parse(JSON.stringify(body))
  if (parsed !== undefined && (!parsed.success || !isDeepStrictEqual(parsed.data, sent))) {
    const pointers = parsed.error?.issues.map((issue) => `/${issue.path.join('/')} ${issue.code}`)
    throw new Error(
      `${operationId} answers what it does not declare: ${pointers?.join(', ') ?? 'surplus members'}`,
    )
  }
}
