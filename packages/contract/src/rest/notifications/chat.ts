import { z } from 'zod/v4'
import { adminOrKey, developerOrKey, viewerOrKey } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { integrationFields, providerProblems } from '../integrations/shapes.ts'
import { page, pageQuery, time } from '../shapes.ts'

/** Describes whether messages reach a channel, and what to do if not. */
export const channelHealth = z.object({
  /**
   * `unused`: nothing was sent to the channel yet. `ok`: the last message arrived. `broken`: the last message was refused, the first
   * one would be, or the chat accepts no messages from this organization.
   */
  state: z.enum(['unused', 'ok', 'broken']),
  /** Holds the code that the chat refuses messages to this channel with. Example: `not_in_channel`. */
  code: z.string().nullable(),
  reason: z.string().nullable(),
  nextStep: z.string().nullable(),
  /** Says when a message last arrived, to the minute. `null`: none has. */
  lastDeliveredAt: time.nullable(),
})

/** Describes the state of the chat's integration. */
export const chatStatus = z
  .object({
    ...integrationFields,
    workspace: z.object({ id: z.string(), name: z.string(), url: z.string() }).nullable(),
    defaultChannelId: z.string().nullable(),
    defaultChannelName: z.string().nullable(),
    /** Holds the health of the default channel. `null`: none is chosen. */
    defaultChannelHealth: channelHealth.nullable(),
  })
  .meta({ id: 'ChatStatus' })

export const chatChannel = z
  .object({
    id: z.string(),
    name: z.string(),
    isPrivate: z.boolean(),
    isMember: z.boolean(),
    isArchived: z.boolean(),
    /** Says in a few words what keeps messages of the app out of it. `null`: nothing that the list shows. */
    obstacle: z.string().nullable(),
    /** Says in a few words that messages get to it. `null`: `isMember` and `isPrivate` say it. */
    reach: z.string().nullable(),
  })
  .meta({ id: 'ChatChannel' })

const base = '/organizations/{org_id}/integrations' as const

export const chatEndpoints = declareEndpoints({
  tag: 'Integrations',
  topics: ['integration', 'notification'],
})({
  getChat: {
    method: 'GET',
    path: `${base}/chat`,
    summary: 'The chat integration: its state, channel and next step.',
    access: viewerOrKey,
    response: { status: 200, body: chatStatus },
  },
  updateChat: {
    method: 'PATCH',
    path: `${base}/chat`,
    summary:
      'Choose the default channel for messages. The server tests the channel before it stores it.',
    access: adminOrKey,
    body: z.strictObject({
      defaultChannelId: z.string().min(1).max(50),
      defaultChannelName: z.string().max(100).optional(),
    }),
    response: { status: 200, body: chatStatus },
    problems: [...providerProblems],
  },
  listChannels: {
    method: 'GET',
    path: `${base}/chat/channels`,
    summary: 'The public channels, and the private channels with the bot in them.',
    access: viewerOrKey,
    query: z.strictObject({ ...pageQuery, query: z.string().max(100).optional() }),
    response: {
      status: 200,
      body: page(chatChannel).extend({ complete: z.boolean(), hint: z.string().optional() }),
    },
    problems: [...providerProblems, 'invalid_cursor'],
  },
  sendTestNotification: {
    method: 'POST',
    path: `${base}/chat/test`,
    summary: 'Post a test message.',
    access: developerOrKey,
    response: {
      status: 200,
      body: z.object({ channelId: z.string(), messageId: z.string(), postedAt: time }),
    },
    topics: ['integration', 'notification_route'],
    problems: [...providerProblems, 'channel_unreachable'],
  },
})
