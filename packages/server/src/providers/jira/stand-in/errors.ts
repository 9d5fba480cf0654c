import { json } from '../../../../../sandbox/src/http/answers.ts'
import type { Answer } from '../../../../../sandbox/src/http/route.ts'

/** Returns an error of the gateway in front of Jira. Example: `{"code":401,"message":"Unauthorized"}`. */
export function gatewayError(code: number, message: string): Answer {
  return json({ code, message }, code)
}

/** Returns an error of Jira itself: messages about the whole request, and one for each wrong field. */
export function jiraError(
  status: number,
  message: string | undefined,
  errors: Readonly<Record<string, string>> = {},
): Answer {
  return json({ errorMessages: message === undefined ? [] : [message], errors }, status)
}

/** Returns Jira's rejection for an issue that does not exist or may not be seen. Jira does not say which. */
export function issueNotFound(): Answer {
  return jiraError(404, 'Issue does not exist or you do not have permission to see it.')
}

/** Returns Jira's rejection of a body that does not match the operation's schema. */
export function invalidPayload(): Answer {
  return jiraError(
    400,
    'Invalid request payload. Refer to the REST API documentation and try again.',
  )
}
