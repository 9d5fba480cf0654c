import {
  codesOf as of,
  concernsConnection,
  createChatErrorTable,
  deletedMessage,
  type ChatErrorMeaning as Meaning,
} from '../chat/chat-error-table.ts'
import { explainChatFailures } from '../chat/explain-chat-failure.ts'
import type { ProviderFailure } from '../provider-error.ts'

/** Explains what is not in the table, by what the failure means for us. */
const otherMeanings = explainChatFailures('Slack')

const nothing = 'Signalbox tries again.'
const reconnect = 'Connect Slack again.'
const anotherChannel = 'Choose another channel.'

const revoked: Meaning = { failure: 'unauthorized', ...otherMeanings.unauthorized }
const restricted: Meaning = { failure: 'forbidden', ...otherMeanings.forbidden }
const tooLarge: Meaning = {
  failure: 'rejected',
  reaction: 'shrink',
  detail: 'Slack refused the size or the form of the message.',
  nextStep: nothing,
}
const frozen: Meaning = {
  failure: 'rejected',
  reaction: 'frozen',
  detail:
    'The workspace doesn’t allow edits of the message, so Signalbox posts changes in its thread.',
  nextStep: 'Optional: ask an administrator of the workspace to allow edits for longer.',
}
const limited: Meaning = { failure: 'rateLimited', ...otherMeanings.rateLimited }
const undone: Meaning = { failure: 'unavailable', ...otherMeanings.unavailable }
/** "Some aspect of the operation may have succeeded", if it was one that changes something. */
const unclear: Meaning = { failure: 'ambiguous', ...otherMeanings.ambiguous }

/**
 * Lists the codes of Slack that mean something to us.
 *
 * @see https://docs.slack.dev/reference/methods/chat.postMessage#errors
 * @see https://docs.slack.dev/reference/methods/chat.update#errors
 */
const table = createChatErrorTable(
  [
    ...of(revoked, ['account_inactive', 'invalid_auth', 'invalid_refresh_token', 'not_authed']),
    ...of(revoked, ['token_expired', 'token_revoked']),
    ...of(restricted, ['access_denied', 'app_access_restricted', 'ekm_access_denied']),
    ...of(restricted, ['no_permission', 'not_allowed_token_type', 'team_access_not_granted']),
    ...of(restricted, ['restricted_action', 'restricted_action_non_threadable_channel']),
    ...of(restricted, ['restricted_action_read_only_channel', 'restricted_action_thread_locked']),
    ...of(restricted, ['restricted_action_thread_only_channel']),
    [
      'missing_scope',
      {
        failure: 'forbidden',
        reaction: 'broken',
        detail: 'The app lacks the permission to post there.',
        nextStep: reconnect,
      },
    ],
    [
      'not_in_channel',
      {
        failure: 'forbidden',
        reaction: 'join',
        detail: 'The app is not in the channel.',
        nextStep: 'Write "/invite @Signalbox" in the channel.',
      },
    ],
    [
      'channel_not_found',
      {
        failure: 'notFound',
        reaction: 'broken',
        detail: 'The channel does not exist, or it is private and the app is not in it.',
        nextStep: 'Write "/invite @Signalbox" in the channel, or choose another one.',
      },
    ],
    [
      'duplicate_channel_not_found',
      {
        failure: 'notFound',
        reaction: 'broken',
        detail: 'The channel of the message no longer exists.',
        nextStep: anotherChannel,
      },
    ],
    ...of(deletedMessage, ['duplicate_message_not_found', 'message_not_found', 'thread_not_found']),
    [
      'is_archived',
      {
        failure: 'rejected',
        reaction: 'broken',
        detail: 'The channel is archived.',
        nextStep: 'Unarchive it, or choose another one.',
      },
    ],
    [
      'is_inactive',
      {
        failure: 'rejected',
        reaction: 'broken',
        detail: 'The channel is no longer active.',
        nextStep: anotherChannel,
      },
    ],
    ...of(tooLarge, ['invalid_blocks', 'invalid_blocks_format', 'msg_blocks_too_long']),
    ...of(tooLarge, ['msg_too_long', 'no_text']),
    ...of(frozen, ['cant_update_message', 'edit_window_closed']),
    ...of(limited, ['rate_limited', 'ratelimited']),
    ...of(unclear, ['fatal_error', 'internal_error']),
    // Slack refuses these before it does anything: it is away, or got only a part of the request.
    ...of(undone, ['request_timeout', 'service_unavailable', 'team_added_to_org']),
  ],
  otherMeanings,
)

/** Lists the codes that Slack is known to answer. */
export const slackCodes: readonly string[] = table.codes

/** Returns the failure that a code of Slack means. `changes`: the method changes something. */
export function failureOfCode(code: string, changes: boolean): ProviderFailure {
  return table.failureOf(code, changes) ?? 'rejected'
}

/** Returns whether a failure is about the connection, and not about the one channel or message of the call. */
export function isOfConnection(failure: ProviderFailure, code: string): boolean {
  if (failure !== 'forbidden') return concernsConnection(failure)
  return code === 'missing_scope' || !slackCodes.includes(code)
}

/** Explains failed calls and codes of earlier ones: what the service does about them, and what people read. */
export const { explainError, explainCode } = table
