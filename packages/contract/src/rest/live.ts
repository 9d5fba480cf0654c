import { z } from 'zod/v4'
import { org, viewer } from './access.ts'
import { declareEndpoints } from './endpoint.ts'
import { liveTopics } from './topics.ts'

/** Describes the `data` of an event. Without an id: any number of that topic. The reader reads again what it shows of it. */
export const liveEvent = z
  .object({ topic: z.enum(liveTopics), id: z.string().optional() })
  .meta({ id: 'LiveEvent' })

export type LiveEvent = z.infer<typeof liveEvent>

const overviewTag = { tag: 'Overview' } as const

/** Declares the endpoints of live changes. */
export const liveEndpoints = declareEndpoints(overviewTag)({
  streamEvents: {
    rateClass: 'stream',
    method: 'GET',
    path: `${org}/events`,
    summary:
      'Server-sent events for each change: a topic and an id, so that the client reads it again.',
    description:
      'Each event has the form `LiveEvent`. Send its `id` as `Last-Event-ID`; `GET /me` has the first one. If the server no longer has the missed events, it sends one event of the topic `all`. The stream ends with the session or token, the membership and the organization.',
    access: viewer,
    /** Replaces the header for the first connection of a client that had one before. */
    query: z.strictObject({ lastEventId: z.string().max(30).optional() }),
    response: { status: 200, contentType: 'text/event-stream' },
    // The stream itself announces the topics.
    topics: [],
    problems: ['too_many_streams', 'overloaded', 'draining'],
  },
})
