import { json } from '../../../../../sandbox/src/http/answers.ts'
import type { Answer } from '../../../../../sandbox/src/http/route.ts'

const documentation = 'https://docs.github.com/rest'

/** Returns GitHub's error body (`basic-error`). `more` adds members that only this error has. */
export function refuse(
  status: number,
  message: string,
  more: Readonly<Record<string, unknown>> = {},
): Answer {
  return json(
    { message, ...more, documentation_url: documentation, status: String(status) },
    status,
  )
}

/** Returns GitHub's rejection of a token that is unknown, expired or revoked. */
export const badCredentials = (): Answer => refuse(401, 'Bad credentials')

/** Returns GitHub's rejection of a request without a token. */
export const requiresAuthentication = (): Answer => refuse(401, 'Requires authentication')

/** Returns GitHub's rejection of a valid token that lacks the permission. */
export const notAccessible = (): Answer => refuse(403, 'Resource not accessible by integration')

/** Returns GitHub's rejection for a resource that does not exist, and for one that the caller may not know of. */
export const notFound = (): Answer => refuse(404, 'Not Found')

/** Returns GitHub's rejection for an installation that is suspended. */
export const suspended = (): Answer => refuse(403, 'This installation has been suspended')
