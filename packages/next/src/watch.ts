import { createConfigClient } from '@signalbox/config/client'
import { notifyOfChange } from './notify.ts'
import { completePlace, snapshotAddress, type ConfigPlace } from './server/config-place.ts'
import { logFailure } from './server/present-found.ts'

export interface WatchOptions extends ConfigPlace {
  /** The route of `createRevalidateHandler` in this process. Example: `http://127.0.0.1:3000/api/config-changed`. */
  readonly url: string
  /** The secret that the route verifies with. */
  readonly secret: string
  /** Hears of every failure; all are tried again. Default: one line in the log. */
  readonly onError?: ((error: unknown) => void) | undefined
}

const firstWaitMs = 1_000
const longestWaitMs = 60_000

/**
 * Follows an environment for as long as the process runs and tells `url` of each change, so that pages are rendered anew
 * within a second. For `register` in `instrumentation.ts`, on servers that stay; does nothing while `next build` runs.
 * Also tells once when it starts: pages of the build may be older than that. Answers how to stop.
 *
 * @throws {ConfigError} `invalid` for an option that is missing or of the wrong form.
 */
export function watchConfig(options: WatchOptions): () => void {
  if (process.env['NEXT_PHASE'] === 'phase-production-build') return () => {}
  const { url, secret, onError = logFailure } = options
  const place = completePlace(options, 'browser')
  const { orgId, environment } = place
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false

  const tell = async (waitMs = firstWaitMs): Promise<void> => {
    clearTimeout(timer)
    try {
      await notifyOfChange({ url, secret, orgId, environment })
    } catch (error) {
      onError(error)
      if (stopped) return
      // Later changes begin anew, and one message is enough for all of them.
      timer = setTimeout(() => void tell(Math.min(waitMs * 2, longestWaitMs)), waitMs)
    }
  }

  const client = createConfigClient({
    serverUrl: place.baseUrl,
    token: place.apiKey,
    url: snapshotAddress(place),
    onError,
    onChange: () => void tell(),
  })
  return () => {
    stopped = true
    clearTimeout(timer)
    client.close()
  }
}
