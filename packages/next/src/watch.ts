import { createConfigClient } from '@signalbox/config/client'
import { notifyOfChange } from './notify.ts'
import {
  resolveSource,
  snapshotPath,
  type ResolvedSource,
  type ConfigSource,
} from './server/config-source.ts'
import { logFailure } from './server/present-snapshot.ts'

/** Describes what is watched, and the route to notify. */
export interface WatchOptions extends ConfigSource {
  /** The route of `createRevalidateHandler` in this process. Example: `http://127.0.0.1:3000/api/config-changed`. */
  readonly url: string
  /** The secret that the route verifies with. */
  readonly secret: string
  /** Hears of every failure; all are tried again. Default: one line in the log. */
  readonly onError?: ((error: unknown) => void) | undefined
}

interface Watching extends Pick<WatchOptions, 'url' | 'secret'> {
  readonly onError: (error: unknown) => void
}

const firstWaitMs = 1_000
const longestWaitMs = 60_000

/**
 * Follows an environment for as long as the process runs and tells `url` of each change, so that pages are rendered anew
 * within a second. For `register` in `instrumentation.ts`, on servers that stay; does nothing while `next build` runs.
 * Also tells once when it starts: pages of the build may be older than that. Answers how to stop.
 *
 * Never throws, because Next.js answers nothing at all when `register` does: `onError` hears of an option that is missing.
 */
export function watchConfig(options: WatchOptions): () => void {
  if (process.env['NEXT_PHASE'] === 'phase-production-build') return () => {}
  const { onError = logFailure } = options
  try {
    return watch({ ...options, onError }, resolveSource(options, 'browser'))
  } catch (error) {
    onError(error)
    return () => {}
  }
}

function watch({ url, secret, onError }: Watching, configSource: ResolvedSource): () => void {
  const { orgId, environment } = configSource
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false

  const notify = async (waitMs = firstWaitMs): Promise<void> => {
    clearTimeout(timer)
    try {
      await notifyOfChange({ url, secret, orgId, environment })
    } catch (error) {
      if (stopped) return
      onError(error)
      // Later changes begin anew, and one message is enough for all of them.
      clearTimeout(timer)
      timer = setTimeout(() => void notify(Math.min(waitMs * 2, longestWaitMs)), waitMs)
    }
  }

  const client = createConfigClient({
    serverUrl: configSource.baseUrl,
    token: configSource.apiKey,
    path: snapshotPath(configSource),
    onError,
    onChange: () => void notify(),
  })
  return () => {
    stopped = true
    clearTimeout(timer)
    client.close()
  }
}
