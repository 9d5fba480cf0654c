import { Problem } from '@signalbox/contract'
import { createSharedPoll } from '../../store/follow/shared-poll.ts'

/** Limits what a flood of wrong keys costs the upstream, and how long a key that is unknown here waits. */
const limits = { spacingMs: 250, limitMs: 2_000 }

/**
 * Returns what brings the keys of a node without a database up to date, before it refuses one that it does not know.
 * `refresh` reads the upstream and rejects when that fails.
 *
 * @throws {Problem} `upstream_unavailable`: the key may have been made since the node could last read its upstream.
 */
export function createUpstreamKeys(refresh: () => Promise<void>): () => Promise<void> {
  return createSharedPoll(refresh, limits, (cause) => {
    const detail =
      'This node doesn’t know the credential, and can’t ask for new ones at the moment. Repeat the request.'
    return new Problem('upstream_unavailable', detail, { retryAfterSeconds: 1, cause })
  })
}
