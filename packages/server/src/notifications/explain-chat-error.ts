import type { ProviderError } from '../providers/provider-error.ts'

/**
 * What follows from an error of a chat provider.
 *
 * - `retry`: nothing was done; again later.
 * - `unclear`: nobody knows whether it was done; again later, with the same key.
 * - `wait`: again when the provider says.
 * - `join`: enter the channel, then again.
 * - `shrink`: the message is too large for the provider; again with less.
 * - `broken`: nothing arrives there until a person does something.
 * - `reconnect`: the same for the whole integration.
 * - `deleted`: a person took the message away.
 * - `frozen`: the message stays as it is; what changes goes to its thread.
 */
export type ChatRemedy =
  | 'retry'
  | 'unclear'
  | 'wait'
  | 'join'
  | 'shrink'
  | 'broken'
  | 'reconnect'
  | 'deleted'
  | 'frozen'

export interface ChatVerdict {
  readonly remedy: ChatRemedy
  readonly code: string
  /** What is the matter, in one sentence for people. */
  readonly detail: string
  /** What a person does about it. */
  readonly nextStep: string
  readonly retryAt: Date | undefined
}

type Explanation = readonly [remedy: ChatRemedy, detail: string, nextStep: string]

const nothing = 'Nothing: it is tried again.'
const askAdmin =
  'Ask an administrator of the workspace to let the app post there, or choose another channel.'
const reconnect = 'Connect Slack again.'
const anotherChannel = 'Choose another channel.'

const restricted: Explanation = [
  'broken',
  'The workspace forbids the app to post in this channel.',
  askAdmin,
]
const revoked: Explanation = ['reconnect', 'Slack no longer accepts our credentials.', reconnect]
const unclear: Explanation = ['unclear', 'Slack did not say whether the message arrived.', nothing]
const limited: Explanation = ['wait', 'Slack asked us to send more slowly.', nothing]
const tooLarge: Explanation = ['shrink', 'Slack refused the message for its size or form.', nothing]
const deleted: Explanation = [
  'deleted',
  'Somebody deleted the message.',
  'Nothing: it is left so, and a new failure is told of once more.',
]
const frozen: Explanation = [
  'frozen',
  'The workspace forbids changing the message: changes are told in its thread.',
  'Nothing, or ask an administrator of the workspace to allow editing for longer.',
]

/**
 * Slack's codes.
 *
 * @see https://docs.slack.dev/reference/methods/chat.postMessage#errors
 * @see https://docs.slack.dev/reference/methods/chat.update#errors
 */
export const chatErrors: Readonly<Record<string, Explanation>> = {
  channel_not_found: [
    'broken',
    'The channel does not exist, or it is private and the app is not in it.',
    'Write "/invite @Signalbox" in the channel, or choose another one.',
  ],
  not_in_channel: [
    'join',
    'The app is not in the channel.',
    'Write "/invite @Signalbox" in the channel.',
  ],
  is_archived: ['broken', 'The channel is archived.', 'Unarchive it, or choose another one.'],
  is_inactive: ['broken', 'The channel is not active any more.', anotherChannel],
  restricted_action: restricted,
  restricted_action_read_only_channel: restricted,
  restricted_action_thread_only_channel: restricted,
  restricted_action_thread_locked: restricted,
  restricted_action_non_threadable_channel: restricted,
  no_permission: restricted,
  ekm_access_denied: restricted,
  access_denied: restricted,
  app_access_restricted: restricted,
  missing_scope: ['broken', 'The app was not granted what posting there needs.', reconnect],
  token_revoked: revoked,
  token_expired: revoked,
  account_inactive: revoked,
  invalid_auth: revoked,
  not_authed: revoked,
  invalid_refresh_token: revoked,
  msg_too_long: tooLarge,
  msg_blocks_too_long: tooLarge,
  invalid_blocks: tooLarge,
  invalid_blocks_format: tooLarge,
  no_text: tooLarge,
  message_not_found: deleted,
  duplicate_message_not_found: deleted,
  thread_not_found: deleted,
  duplicate_channel_not_found: [
    'broken',
    'The channel that the message stood in is gone.',
    anotherChannel,
  ],
  cant_update_message: frozen,
  edit_window_closed: frozen,
  ratelimited: limited,
  rate_limited: limited,
  internal_error: unclear,
  fatal_error: unclear,
  service_unavailable: unclear,
  request_timeout: unclear,
}

/** For codes that are not in the table, by what the failure means for us. */
const otherErrors: Readonly<Record<ProviderError['failure'], Explanation>> = {
  unauthorized: revoked,
  forbidden: restricted,
  notFound: ['broken', 'The channel cannot be found.', anotherChannel],
  rateLimited: limited,
  rejected: [
    'broken',
    'Slack refused the message.',
    'Send a test message. If that is refused too, report it with the code.',
  ],
  unavailable: ['retry', 'Slack cannot be reached.', nothing],
  ambiguous: unclear,
}

/** What is to be done about an error, and what people are told. */
export function explainChatError({ code, failure, retryAt }: ProviderError): ChatVerdict {
  const known = Object.hasOwn(chatErrors, code) ? chatErrors[code] : undefined
  const [remedy, detail, nextStep] = refine(known, failure) ?? otherErrors[failure]
  return { remedy, code, detail, nextStep, retryAt }
}

/** An error of the server that came with the proof that nothing was done is safe to repeat. */
function refine(
  known: Explanation | undefined,
  failure: ProviderError['failure'],
): Explanation | undefined {
  return known?.[0] === 'unclear' && failure === 'unavailable' ? undefined : known
}

/** What is the matter with a route, by the code that its last message was refused with. */
export function explainRouteHealth(code: string | null): {
  readonly reason: string | null
  readonly nextStep: string | null
} {
  if (code === null) return { reason: null, nextStep: null }
  if (code === 'outcome_unknown') {
    return {
      reason: 'Nobody knows whether the last message arrived, and it could arrive twice.',
      nextStep: 'Look into the channel. The next deployment is told of as usual.',
    }
  }
  const known = Object.hasOwn(chatErrors, code) ? chatErrors[code] : undefined
  const [, detail, nextStep] = known ?? otherErrors.rejected
  return { reason: `${detail} (${code})`, nextStep }
}
