import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { endStreamsInTime, type CheckLivePeople } from './end-streams.ts'
import { createLiveFeed } from './feed.ts'
import { createLiveStreams, type LiveStreams, type LiveStreamsOptions } from './live-streams.ts'

export interface OpenLiveDeps {
  readonly store: Pick<Store, 'delivery' | 'onAnnounce'>
  readonly check: CheckLivePeople
  readonly metrics: Pick<Metrics, 'setOpenStreams'>
  readonly log: Pick<Log, 'info' | 'warn'>
  /** For tests. */
  readonly streams?: LiveStreamsOptions
}

/** What tells dashboards that they are old. */
export interface Live {
  readonly streams: LiveStreams
  /** Ends the streams: before the server waits for its answers to finish. */
  endStreams(): void
  close(): Promise<void>
}

/** Opens the streams of this node and begins to read what changes. */
export function openLive({ store, check, metrics, log, streams: given }: OpenLiveDeps): Live {
  const streams = createLiveStreams({
    ...given,
    onSize: (size) => metrics.setOpenStreams('dashboard', size),
  })
  const feed = createLiveFeed({ store, reader: streams, log })
  const checking = endStreamsInTime({ streams, check, log })
  feed.start()
  return {
    streams,
    endStreams: () => streams.close(),
    async close() {
      streams.close()
      await Promise.all([checking.close(), feed.close()])
    },
  }
}
