import type { ProviderFailure } from '../provider-error.ts'

/** What Slack's codes mean for us. One that is not here is refused as it is, and a repeat would be as well. */
const failures = new Map<string, ProviderFailure>([
  ...of('unauthorized', [
    'account_inactive',
    'invalid_auth',
    'invalid_refresh_token',
    'not_authed',
    'token_expired',
    'token_revoked',
  ]),
  ...of('forbidden', [
    'access_denied',
    'app_access_restricted',
    'ekm_access_denied',
    'missing_scope',
    'no_permission',
    'not_allowed_token_type',
    'not_in_channel',
    'restricted_action',
    'restricted_action_non_threadable_channel',
    'restricted_action_read_only_channel',
    'restricted_action_thread_locked',
    'restricted_action_thread_only_channel',
    'team_access_not_granted',
  ]),
  ...of('notFound', [
    'channel_not_found',
    'duplicate_channel_not_found',
    'duplicate_message_not_found',
    'message_not_found',
    'thread_not_found',
  ]),
  ...of('rateLimited', ['rate_limited', 'ratelimited']),
])

/** "Some aspect of the operation may have succeeded." */
const unclear: ReadonlySet<string> = new Set([
  'fatal_error',
  'internal_error',
  'request_timeout',
  'service_unavailable',
  'team_added_to_org',
])

function of(
  failure: ProviderFailure,
  codes: readonly string[],
): (readonly [string, ProviderFailure])[] {
  return codes.map((code) => [code, failure] as const)
}

/** What follows from a code that Slack answers. `changes`: whether the method does something. */
export function failureOfCode(code: string, changes: boolean): ProviderFailure {
  if (unclear.has(code)) return changes ? 'ambiguous' : 'unavailable'
  return failures.get(code) ?? 'rejected'
}

/** Whether a failure says something of the connection, and not of the one channel or message that was asked for. */
export function concernsConnection(failure: ProviderFailure, code: string): boolean {
  switch (failure) {
    case 'unauthorized':
    case 'rateLimited':
    case 'unavailable':
    case 'ambiguous':
      return true
    case 'forbidden':
      return code === 'missing_scope' || !failures.has(code)
    case 'notFound':
    case 'rejected':
      return false
  }
}
