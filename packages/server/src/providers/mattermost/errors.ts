import {
  codesOf as of,
  createChatErrorTable,
  deletedMessage,
  type ChatErrorMeaning as Meaning,
} from '../chat/chat-error-table.ts'
import { explainChatFailures, type ExplainedFailure } from '../chat/explain-chat-failure.ts'
import type { ProviderFailure } from '../provider-error.ts'

/** Explains what is not in the table, by what the failure means for us. */
const otherMeanings: Readonly<Record<ProviderFailure, ExplainedFailure>> = {
  ...explainChatFailures('Mattermost'),
  forbidden: {
    reaction: 'broken',
    detail: 'Mattermost doesn’t allow the bot to do this.',
    nextStep: 'Ask an administrator of Mattermost to allow it, or choose another channel.',
  },
}

const nothing = 'Signalbox tries again.'
const anotherChannel = 'Unarchive it in Mattermost, or choose another channel.'

const revoked: Meaning = {
  failure: 'unauthorized',
  reaction: 'reconnect',
  detail: 'Mattermost no longer accepts the token of the bot.',
  nextStep: 'Create a new token for the bot in Mattermost, then connect Mattermost again with it.',
}
const archived: Meaning = {
  failure: 'rejected',
  reaction: 'broken',
  detail: 'The channel is archived.',
  nextStep: anotherChannel,
}
const noChannel: Meaning = {
  failure: 'notFound',
  reaction: 'broken',
  detail: 'The channel doesn’t exist, or it is private and the bot isn’t in it.',
  nextStep: 'Add the bot to the channel in Mattermost, or choose another channel.',
}
const tooLarge: Meaning = {
  failure: 'rejected',
  reaction: 'shrink',
  detail: 'Mattermost refused the size of the message.',
  nextStep: nothing,
}
const unclear: Meaning = {
  failure: 'ambiguous',
  reaction: 'unclear',
  detail: 'Mattermost is still saving the message.',
  nextStep: nothing,
}

/** Names a missing right in a channel. Mattermost doesn't say whether the bot is not in it, or its role doesn't allow it. */
export const noPermission = 'api.context.permissions.app_error'
/** Names a message that was deleted. */
export const deletedPost = 'app.post.get.app_error'
/** Names a channel that is not there, or hidden. */
export const missingChannel = 'app.channel.get.existing.app_error'
export const archivedChannel = 'api.post.create_post.can_not_post_to_deleted.error'
/** Names, as a code of ours, that the bot is not in the team of the channel. */
export const notInTeam = 'not_in_team'
/** Names, as a code of ours, that an operator has entered another server since the organization connected. */
export const serverChanged = 'server_changed'
/** Names, as a code of ours, a rejection that is not of Mattermost, but of a proxy or a page to sign in. */
export const notMattermost = 'not_mattermost'
/** Names, as a code of ours, that more was written in the channel than Mattermost lists. */
export const tooManyPosts = 'too_many_posts'

/**
 * Lists the errors of Mattermost that mean something to us, by their ids.
 *
 * @see https://github.com/mattermost/mattermost/blob/master/server/i18n/en.json
 */
const table = createChatErrorTable(
  [
    ...of(revoked, ['api.context.session_expired.app_error', 'api.context.invalid_token.error']),
    ...of(revoked, ['api.context.token_provided.app_error', 'api.context.mfa_required.app_error']),
    [
      noPermission,
      {
        failure: 'forbidden',
        reaction: 'join',
        detail: 'The bot isn’t in the channel, or its role doesn’t allow it to post there.',
        nextStep: 'Add the bot to the channel in Mattermost, or choose another channel.',
      },
    ],
    [
      notInTeam,
      {
        failure: 'forbidden',
        reaction: 'broken',
        detail: 'The bot isn’t in the team of this channel.',
        nextStep: 'Add the bot to the team in Mattermost, or choose another channel.',
      },
    ],
    ...of(noChannel, [missingChannel, 'store.sql_channel.get.existing.app_error']),
    ...of(archived, [archivedChannel, 'api.post.update_post.can_not_update_post_in_deleted.error']),
    ...of(archived, ['api.channel.add_user_to_channel.deleted.app_error']),
    ...of(deletedMessage, [deletedPost, 'store.sql_post.get.app_error']),
    ...of(deletedMessage, ['api.post.update_post.permissions_details.app_error']),
    ...of(deletedMessage, [
      'api.post.update_post.find.app_error',
      'api.post.create_post.root_id.app_error',
    ]),
    [
      'api.post.update_post.permissions_time_limit.app_error',
      {
        failure: 'rejected',
        reaction: 'frozen',
        detail:
          'Mattermost doesn’t allow edits of a message this old, so Signalbox posts changes in its thread.',
        nextStep: 'Optional: ask an administrator of Mattermost to raise its Post Edit Time Limit.',
      },
    ],
    ...of(tooLarge, ['model.post.is_valid.msg.app_error', 'model.post.is_valid.props.app_error']),
    ...of(tooLarge, ['model.post.is_valid.message_length.app_error', 'http_413']),
    ...of(tooLarge, ['api.context.request_body_too_large.app_error']),
    ...of(unclear, ['api.post.deduplicate_create_post.pending']),
    ...of(unclear, ['api.post.deduplicate_create_post.failed_to_get']),
    [
      serverChanged,
      {
        failure: 'unauthorized',
        reaction: 'reconnect',
        detail:
          'An operator of Signalbox has entered another Mattermost server since you connected.',
        nextStep: 'Connect Mattermost again, with the token of a bot on that server.',
      },
    ],
    [
      notMattermost,
      {
        failure: 'unavailable',
        reaction: 'retry',
        detail: 'Something between Signalbox and Mattermost answered instead of it.',
        nextStep: 'Check the proxy before Mattermost, then send a test message.',
      },
    ],
    [
      tooManyPosts,
      {
        failure: 'unavailable',
        reaction: 'retry',
        detail:
          'So much was written in the channel that Signalbox can’t tell whether its message arrived.',
        nextStep: nothing,
      },
    ],
  ],
  otherMeanings,
)

/** Lists the ids that Mattermost is known to answer, and the codes of our own. */
export const mattermostCodes: readonly string[] = table.codes

/** Returns the failure that an id means; `undefined`: the status of the answer decides. */
export const failureOfId = table.failureOf

/** Explains failed calls and codes of earlier ones: what the service does about them, and what people read. */
export const { explainError, explainCode } = table
