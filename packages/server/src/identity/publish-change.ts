import { settleWithin } from '../store/follow/settle-within.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import type { ApiKeyFeed } from './key-cache/api-key-feed.ts'

/** Announces a committed change: this node applies it before the answer, the others within two seconds. */
export type PublishChange = () => Promise<void>

/** Limits the wait. The answer to a request waits some more, and says whether the change was read back. */
const limitMs = 500

/** Creates the function that use cases call after their transaction. */
export function createPublishChange({
  store,
  feed,
  log,
}: {
  readonly store: Pick<Store, 'announce'>
  readonly feed: Pick<ApiKeyFeed, 'settled'>
  readonly log: Pick<Log, 'warn'>
}): PublishChange {
  return async () => {
    store.announce('credentials')
    // The change is committed. The feed keeps polling, so that the change arrives once the database answers again.
    if (!(await settleWithin([feed], limitMs)))
      log.warn('This node has stored a change but does not serve it yet')
  }
}
