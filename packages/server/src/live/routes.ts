import { liveEndpoints as endpoints } from '@signalbox/contract/rest'
import type { Router } from '../http/router.ts'
import type { LiveStreams } from './live-streams.ts'

export interface LiveDeps {
  readonly streams: Pick<LiveStreams, 'open'>
}

/** Mounts the stream of hints that dashboards read. */
export function mountLive(router: Router, { streams }: LiveDeps): void {
  router.addStream(endpoints.streamEvents, (request, begin) => {
    const { actor, organization, query, header } = request
    // EventSource sends the header when it comes back; the parameter is for the first connection of any client.
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
            // nginx would hold events back until its buffer is full.
            'X-Accel-Buffering': 'no',
            Connection: 'close',
          },
          { framed: false },
        ),
    })
  })
}
