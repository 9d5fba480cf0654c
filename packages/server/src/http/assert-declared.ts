import { isDeepStrictEqual } from 'node:util'
import type { EndpointShape } from '@signalbox/contract/rest'

/**
 * Fails when an answer is not what the endpoint declares, down to a surplus member. For tests: there a mistake must be
 * found, whereas in production the change is committed and an answer with a surplus is better than none.
 */
export function assertDeclared({ operationId, response }: EndpointShape, body: unknown): void {
  const parsed = response.body?.safeParse(body)
  const sent: unknown = body === undefined ? undefined : JSON.parse(JSON.stringify(body))
  if (parsed !== undefined && (!parsed.success || !isDeepStrictEqual(parsed.data, sent))) {
    const places = parsed.error?.issues.map((issue) => `/${issue.path.join('/')} ${issue.code}`)
    throw new Error(
      `${operationId} answers what it does not declare: ${places?.join(', ') ?? 'surplus members'}`,
    )
  }
}
