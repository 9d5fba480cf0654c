import { z } from 'zod'
import type { ProviderCall } from '../call-provider.ts'
import type { ChatCapabilities, ChatDirectory, ChatSender } from '../chat/chat.ts'
import type { ProviderAccount } from '../connector.ts'
import type { WithAccessToken } from '../grant.ts'
import { ProviderError } from '../provider-error.ts'
import { callMattermost, type AskMattermost } from './api-call.ts'
import { createDirectory } from './channels.ts'
import { deletedPost, noPermission, serverChanged, tooManyPosts } from './errors.ts'
import { budgetsOf } from './rates.ts'
import { renderMessage } from './render-message.ts'
import { fromAccountId } from './server-url.ts'

/** Describes the server and the bot that is called as. */
export interface MattermostApiOptions {
  readonly call: ProviderCall
  /** Example: `https://chat.acme.dev`. */
  readonly baseUrl: string
  readonly account: ProviderAccount
  readonly withAccessToken: WithAccessToken
}

/**
 * Lists what the engine of notifications may count on. A post may be repeated with its `pending_post_id` for thirty seconds,
 * but each node of Mattermost remembers only those that came to it. So a post whose outcome is not known is looked for once
 * it must have arrived, and sent again only when it is not there.
 */
export const mattermostCapabilities: ChatCapabilities = { update: true, repeatMs: 0, threads: true }

/** Holds the name of the property by which a message is found again. */
const keyProperty = 'signalbox_key'
/** Marks what a bot wrote. Mattermost sets it when a message is posted; an edit has to send it again. */
const ofBot = { from_bot: 'true' } as const

/** Lists at most so many posts, in no order, so that one may be missing from a list this long. */
const listedMax = 1_000
/** Clocks differ: the message may be older by Mattermost's than the first try by ours, in milliseconds. */
const clockSkewMs = 60_000

const post = z.object({ id: z.string(), channel_id: z.string() })
const listed = z.object({
  posts: z.record(
    z.string(),
    z.object({
      id: z.string(),
      user_id: z.string(),
      // An earlier text of an edited post is a row of its own, with the same properties.
      original_id: z.string().default(''),
      props: z.record(z.string(), z.unknown()).nullish(),
    }),
  ),
})
const nothing = z.looseObject({})

/**
 * Creates the API of one Mattermost server, as one bot.
 *
 * @see https://developers.mattermost.com/api-documentation/
 */
export function createMattermostApi(options: MattermostApiOptions): ChatSender & ChatDirectory {
  const { baseUrl, account } = options
  const { userId } = fromAccountId(account.id)
  const ask = createAsk(options)
  return {
    capabilities: mattermostCapabilities,
    budgetsOf,
    async post(message, { channelId, key, thread, broadcast = false }) {
      const { id, channel_id } = await ask({
        path: '/posts',
        json: {
          channel_id: channelId,
          message: '',
          // A reply in a thread is shown to those who follow the thread. What everybody is to see stands by itself.
          root_id: broadcast ? '' : (thread?.messageId ?? ''),
          pending_post_id: key,
          props: { ...renderMessage(message), [keyProperty]: key },
        },
        answer: post,
      })
      return { channelId: channel_id, messageId: id }
    },
    async update({ messageId }, message) {
      const path = `/posts/${encodeURIComponent(messageId)}`
      try {
        // The properties that are sent replace all there are. The text, which is empty, stays.
        const json = { props: { ...renderMessage(message), ...ofBot } }
        await ask({ method: 'PUT', path: `${path}/patch`, json, answer: nothing })
      } catch (error) {
        throw await explainRejection(error, () => ask({ path, answer: nothing }))
      }
    },
    async find({ channelId, key, since }) {
      const query = `since=${since.getTime() - clockSkewMs}&skipFetchThreads=true`
      const path = `/channels/${encodeURIComponent(channelId)}/posts?${query}`
      const posts = Object.values((await ask({ path, answer: listed })).posts)
      const ours = posts.find(
        ({ original_id, user_id, props }) =>
          original_id === '' && user_id === userId && props?.[keyProperty] === key,
      )
      // One that a person has deleted is there as well: the next edit says so.
      if (ours !== undefined) return { channelId, messageId: ours.id }
      if (posts.length >= listedMax) {
        const { provider } = options.call
        throw new ProviderError({ provider, failure: 'unavailable', code: tooManyPosts })
      }
      return undefined
    },
    findUrl: ({ messageId }) =>
      Promise.resolve(`${baseUrl}/_redirect/pl/${encodeURIComponent(messageId)}`),
    async join(channelId) {
      const path = `/channels/${encodeURIComponent(channelId)}/members`
      await ask({ path, json: { user_id: userId }, answer: nothing })
    },
    ...createDirectory(ask),
  }
}

/** The token is sent to the server that it is of, and to no other one. */
function createAsk({
  call,
  baseUrl,
  account,
  withAccessToken,
}: MattermostApiOptions): AskMattermost {
  return async (request) => {
    if (fromAccountId(account.id).baseUrl !== baseUrl) {
      const { provider } = call
      throw new ProviderError({ provider, failure: 'unauthorized', code: serverChanged })
    }
    return withAccessToken((accessToken) => callMattermost({ call, baseUrl, accessToken }, request))
  }
}

/** Mattermost says of a deleted message as well that the bot may not edit it. Whether it is there says which it is. */
async function explainRejection(error: unknown, read: () => Promise<unknown>): Promise<unknown> {
  if (!(error instanceof ProviderError) || error.code !== noPermission) return error
  try {
    await read()
    return error
  } catch (missing) {
    return missing instanceof ProviderError && missing.code === deletedPost ? missing : error
  }
}
