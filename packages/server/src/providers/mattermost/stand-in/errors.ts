import { json as jsonOf } from '../../../../../sandbox/src/http/answers.ts'
import type { Answer } from '../../../../../sandbox/src/http/route.ts'
import { newId } from './state.ts'

/** Answers as Mattermost does: its official client reads no JSON of any other content type, not even with a charset. */
export function json(value: unknown, status = 200): Answer {
  return jsonOf(value, status, { 'content-type': 'application/json' })
}

/** Returns Mattermost's error body. */
export function refuse(status: number, id: string, message = id): Answer {
  const body = { id, message, detailed_error: '', request_id: newId(), status_code: status }
  return json(body, status)
}

/** Refuses what the role does not allow, which is also said of what is not there. */
export function refusePermission(): Answer {
  return refuse(
    403,
    'api.context.permissions.app_error',
    'You do not have the appropriate permissions.',
  )
}

/** Says that a channel is not there. */
export function noChannel(): Answer {
  return refuse(404, 'app.channel.get.existing.app_error', 'Unable to find the existing channel.')
}
