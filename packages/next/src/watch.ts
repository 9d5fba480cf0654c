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
  /**
   * Holds the address of the route of `createRevalidateHandler` in this process. Example:
   * `http://127.0.0.1:3000/api/config-changed`.
   */
  readonly url: string
  /** Holds the secret that the route verifies with. */
  readonly secret: string
  /** Called with every error; all are retried. Default: logs one line. */
  readonly onError?: ((error: unknown) => void) | undefined
}

interface Watching extends Pick<WatchOptions, 'url' | 'secret'> {
  readonly onError: (error: unknown) => void
}

const firstWaitMs = 1_000
const longestWaitMs = 60_000

/**
 * Follows an environment for as long as the process runs and notifies `url` of each change, so that pages are
 * rendered again within a second. Call it in `register` of `instrumentation.ts`, on servers that stay running; it does
 * nothing while `next build` runs. It also notifies once at the start, because pages of the build may be older.
 * Returns a function that stops it. It never throws, because Next.js stops answering when `register` does: `onError`
 * is called for an option that is missing.
 *
 * @example
 * ```ts
 * import { watchConfig } from '@signalbox/next/watch'
 *
 * export function register() {
 *   watchConfig({
 *     environment: 'production',
 *     url: 'http://127.0.0.1:3000/api/config-changed',
 *     secret: process.env.CONFIG_WEBHOOK_SECRET ?? '',
 *   })
 * }
 * ```
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
      // Later changes start over: one message is enough for all of them.
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
