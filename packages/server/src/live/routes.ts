import { liveEndpoints as endpoints } from '@signalbox/contract/rest'
import type { Router } from '../http/router.ts'
import type { LiveStreams } from './live-streams.ts'

/** Lists what the routes need. */
export interface LiveDeps {
  readonly streams: Pick<LiveStreams, 'open'>
}

/** Mounts the stream of changes that dashboards read. */
export function mountLive(router: Router, { streams }: LiveDeps): void {
  router.addStream(endpoints.streamEvents, (request, begin) => {
    const { actor, organization, query, header } = request
    // EventSource sends the header when it reconnects; the parameter is for a client's first connection.
    const lastEventId = header('last-event-id') ?? query.lastEventId
    streams.open({
      orgId: organization.id,
      credentialId: actor.credentialId,
      userId: actor.type === 'user' ? actor.userId : null,
      lastEventId: lastEventId === '' ? undefined : lastEventId,
      begin: () =>
        begin(
          {
            'Content-Type': 'text/event-stream; charset=utf-8',
            'Content-Encoding': 'identity',
            'Cache-Control': 'no-store, no-transform',
            // nginx would buffer events until its buffer is full.
            'X-Accel-Buffering': 'no',
            Connection: 'close',
          },
          { framed: false },
        ),
    })
  })
}
