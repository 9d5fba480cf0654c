import { json } from '../../../../../sandbox/src/http/answers.ts'
import type { Answer } from '../../../../../sandbox/src/http/route.ts'
import type { ForgejoState } from './state.ts'

/** Returns a rejection as the API writes it. Example: `{"message":"token is required","url":"…/api/swagger"}`. */
export function refuse(
  { baseUrl }: Pick<ForgejoState, 'baseUrl'>,
  status: number,
  message: string,
): Answer {
  return json({ message, url: `${baseUrl}/api/swagger` }, status)
}

/** Returns the rejection of what does not exist, and of what the person may not know of. */
export function notFound(state: Pick<ForgejoState, 'baseUrl'>): Answer {
  return refuse(state, 404, "The target couldn't be found.")
}
