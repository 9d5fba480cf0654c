import { z } from 'zod/v4'
import { org, viewer } from './access.ts'
import { endpoint } from './endpoint.ts'
import { liveTopics } from './topics.ts'

/** Describes the `data` of an event. Without an id: any number of that topic. The reader reads anew what it shows of it. */
export const liveEvent = z
  .object({ topic: z.enum(liveTopics), id: z.string().optional() })
  .meta({ id: 'LiveEvent' })

export type LiveEvent = z.infer<typeof liveEvent>

const overviewTag = { tag: 'Overview' } as const

/** Declares the endpoints of live changes. */
export const liveEndpoints = {
  streamEvents: endpoint({
    ...overviewTag,
    rateClass: 'stream',
    operationId: 'streamEvents',
    method: 'GET',
    path: `${org}/events`,
    summary: 'Server-sent events that say what has changed: a topic and an id, for reading anew.',
    description:
      'Each event has the form `LiveEvent`. Its `id` is what `Last-Event-ID` is to be, and `GET /me` says with which one to begin; where the server does not remember as far back, one event of the topic `all` comes instead of what was missed. The stream ends with the session or token, the membership and the organization.',
    access: viewer,
    /** Replaces the header for the first connection of a client that had one before. */
    query: z.strictObject({ lastEventId: z.string().max(30).optional() }),
    response: { status: 200, contentType: 'text/event-stream' },
    // The stream itself announces the topics.
    topics: [],
    problems: ['too_many_streams', 'overloaded', 'draining'],
  }),
} as const
