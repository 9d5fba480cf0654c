import { z } from 'zod/v4'
import { developerOrKey, org } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'
import { id, time } from '../shapes.ts'

/**
 * Lists the states of a message. `held`: the chat takes none of the organization's at the moment. `broken`: it waits for a person.
 * `gone`: somebody deleted it.
 */
export const messageStates = ['wanted', 'sending', 'live', 'held', 'broken', 'gone'] as const

export type MessageState = (typeof messageStates)[number]

/** Describes a message: there is one for each route that matches. */
export const shownMessage = z
  .object({
    id: id('ntf'),
    /** Names the route. Empty: the default channel. */
    routeId: z.string(),
    /** Names the channel. `null`: no route and no default uses it any more. */
    channelName: z.string().nullable(),
    state: z.enum(messageStates),
    /** Holds a code. Example: `not_in_channel`. */
    reason: z.string().nullable(),
    /** Describes the failure, in one sentence. */
    detail: z.string().nullable(),
    /** Says what to do about it, in one sentence. */
    nextStep: z.string().nullable(),
    /** Says whether a retry makes sense: it waits for a person. */
    canSendAgain: z.boolean(),
    /** Links to the message. `null`: it was not posted, or the provider returned no address. */
    url: z.string().nullable(),
    /** Counts the updates since it was posted. */
    edits: z.number().int(),
    updatedAt: time,
  })
  .meta({ id: 'ShownMessage' })

export const messageEndpoints = declareEndpoints({
  tag: 'Notifications',
  topics: ['notification', 'deployment'],
})({
  sendNotificationAgain: {
    method: 'POST',
    path: `${org}/notifications/{notification_id}/send-again`,
    summary: 'Send a failed message again.',
    access: developerOrKey,
    response: { status: 202, body: shownMessage },
    problems: ['conflict', 'integration_not_connected'],
  },
  settleNotification: {
    method: 'POST',
    path: `${org}/notifications/{notification_id}/settle`,
    summary: 'Say whether a message that may have arrived is in the channel.',
    access: developerOrKey,
    body: z.strictObject({
      /** `true`: it is in the channel, and is left as it is. `false`: it is not there, and is sent. */
      isThere: z.boolean(),
    }),
    response: { status: 202, body: shownMessage },
    problems: ['conflict', 'integration_not_connected'],
  },
})
