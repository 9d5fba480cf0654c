import type { Feature, Kit } from '../kit.ts'
import { endStreamsInTime, type CheckLivePeople } from './end-streams.ts'
import { createLiveFeed } from './feed.ts'
import { createLiveStreams } from './live-streams.ts'
import { mountLive } from './routes.ts'

/** Describes the feature and the position of its streams. */
export interface Live extends Feature {
  /** Returns the position of the streams: an event after it is in no answer that was read before. */
  readonly position: () => string
}

/** Opens the streams of this node. Begins to read what changes when the endpoint is mounted. */
export function openLive(
  { store, metrics, log, closing }: Pick<Kit, 'store' | 'metrics' | 'log' | 'closing'>,
  { check }: { readonly check: CheckLivePeople },
): Live {
  const streams = createLiveStreams({
    onSize: (size) => metrics.setOpenStreams('dashboard', size),
  })
  return {
    position: () => streams.position(),
    mount(router) {
      const feed = createLiveFeed({ store, reader: streams, log })
      const checking = endStreamsInTime({ streams, check, log })
      feed.start()
      closing.push(async () => {
        streams.close()
        await Promise.all([checking.close(), feed.close()])
      })
      mountLive(router, { streams })
    },
    drainStreams: (overMs) => streams.drain(overMs),
    endStreams: () => streams.close(),
  }
}
