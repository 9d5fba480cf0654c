import { json } from '../../../../../sandbox/src/http/answers.ts'
import type { Answer } from '../../../../../sandbox/src/http/route.ts'

/** Returns GitLab's rejection with a `message`. Example: `{"message":"404 Project Not Found"}`. */
export function refuse(status: number, message: unknown): Answer {
  return json({ message }, status)
}

/** Returns GitLab's rejection of a parameter. Example: `{"error":"url is missing"}`. */
export function badParameter(error: string): Answer {
  return json({ error }, 400)
}

/** Returns GitLab's rejection of a request without a token, or with one that it does not know. */
export const unauthorized = (): Answer => refuse(401, '401 Unauthorized')

/** Returns GitLab's rejection of what the person's role does not allow. */
export const forbidden = (): Answer => refuse(403, '403 Forbidden')

/** Returns GitLab's rejection of what does not exist, and of what the person may not know of. */
export const notFound = (what: string): Answer => refuse(404, `404 ${what} Not Found`)
