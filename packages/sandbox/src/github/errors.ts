import { json } from '../http/answers.ts'
import type { Answer } from '../http/route.ts'

const documentation = 'https://docs.github.com/rest'

/** GitHub's error body (`basic-error`), with what belongs to this error alone in `more`. */
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

/** A token that is unknown, expired or revoked. */
export const badCredentials = (): Answer => refuse(401, 'Bad credentials')

/** No token came along. */
export const requiresAuthentication = (): Answer => refuse(401, 'Requires authentication')

/** The token is good, and may not do this. */
export const notAccessible = (): Answer => refuse(403, 'Resource not accessible by integration')

/** Returns what is not there, and what the caller is not to know of. */
export const notFound = (): Answer => refuse(404, 'Not Found')

/** The installation is there and has been suspended. */
export const suspended = (): Answer => refuse(403, 'This installation has been suspended')
