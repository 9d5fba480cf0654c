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
  ...explainChatFailures('Discord'),
  unauthorized: {
    reaction: 'reconnect',
    detail: 'Discord doesn’t accept the bot token of this server’s application.',
    nextStep: 'An operator of the server enters the current bot token, then connect Discord again.',
  },
  forbidden: {
    reaction: 'broken',
    detail: 'Discord doesn’t allow the bot to post in this channel.',
    nextStep:
      'Give the bot’s role View Channel, Send Messages, Embed Links and Read Message History there, or choose another channel.',
  },
}

const nothing = 'Signalbox tries again.'
const anotherChannel = 'Choose another channel.'

/** Names a form that was refused for its length: Discord gives every wrong form the code 50035. */
export const tooLargeCode = '50035_too_long'

const badToken: Meaning = { failure: 'unauthorized', ...otherMeanings.unauthorized }
const removed: Meaning = {
  failure: 'unauthorized',
  reaction: 'reconnect',
  detail: 'The bot is no longer in the Discord server.',
  nextStep: 'Connect Discord again.',
}
const restricted: Meaning = { failure: 'forbidden', ...otherMeanings.forbidden }
const gone: Meaning = {
  failure: 'notFound',
  reaction: 'broken',
  detail: 'The channel doesn’t exist in the connected Discord server.',
  nextStep: anotherChannel,
}
const unfit: Meaning = {
  failure: 'rejected',
  reaction: 'broken',
  detail: 'The channel doesn’t take messages: it is no text channel.',
  nextStep: anotherChannel,
}
const closed: Meaning = {
  failure: 'rejected',
  reaction: 'broken',
  detail: 'The thread is archived or locked.',
  nextStep: 'Open it in Discord, or choose another channel.',
}
const blocked: Meaning = {
  failure: 'rejected',
  reaction: 'broken',
  detail: 'AutoMod of the Discord server blocked the message.',
  nextStep: 'Exempt the bot’s role or the channel from the AutoMod rule, then send it again.',
}
const foreign: Meaning = {
  failure: 'forbidden',
  reaction: 'deleted',
  detail: 'The message belongs to another bot: the application of this server was replaced.',
  nextStep: 'Nothing to do. New messages come from the new bot.',
}
const tooLarge: Meaning = {
  failure: 'rejected',
  reaction: 'shrink',
  detail: 'Discord refused the size of the message.',
  nextStep: nothing,
}
const limited: Meaning = { failure: 'rateLimited', ...otherMeanings.rateLimited }
const limitedEdits: Meaning = {
  failure: 'rateLimited',
  reaction: 'wait',
  detail: 'Discord limits how often messages that are older than an hour are edited.',
  nextStep: nothing,
}

/**
 * Lists the codes of Discord that mean something to us.
 *
 * @see https://docs.discord.com/developers/topics/opcodes-and-status-codes#json
 */
const table = createChatErrorTable(
  [
    ...of(badToken, ['50014', 'http_401']),
    ...of(removed, ['10004']),
    ...of(gone, ['10003']),
    ...of(restricted, ['50001', '50013', '40007']),
    ...of(unfit, ['50008', '50024']),
    ...of(closed, ['50083', '160005']),
    ...of(blocked, ['200000', '200001']),
    ...of(deletedMessage, ['10008']),
    ...of(foreign, ['50005']),
    ...of(tooLarge, [tooLargeCode, '40005']),
    ...of(limitedEdits, ['30046']),
    ...of(limited, ['rate_limited', '20016', '20022', '20028', '20029', '40062', '130000']),
  ],
  otherMeanings,
)

/** Returns the failure that a code of Discord means; of an unknown one, what its status means. */
export function failureOfCode(code: string, status: number): ProviderFailure {
  const known = table.failureOf(code)
  if (known !== undefined) return known
  if (status === 401) return 'unauthorized'
  if (status === 403) return 'forbidden'
  return status === 404 ? 'notFound' : 'rejected'
}

/** Explains failed calls and codes of earlier ones: what the service does about them, and what people read. */
export const { explainError, explainCode } = table
