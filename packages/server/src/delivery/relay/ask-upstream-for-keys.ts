import { Problem } from '@signalbox/contract'
import { createSharedPoll } from '../../store/follow/shared-poll.ts'

/** Limits what a flood of wrong keys costs the upstream. */
const spacingMs = 250

/**
 * Returns what brings the keys of a node without a database up to date, before it refuses one that it does not know. It asks
 * until the key is there, or until the publisher has signed after the question that this is all there is. An upstream that
 * answers proves nothing: what it answers may be from before the key was made.
 *
 * @throws {Problem} `upstream_unavailable`: the key may have been made since the node could last read its upstream.
 */
export function createUpstreamKeys({
  delivery,
  now,
  limitMs = 4_000,
}: {
  readonly delivery: () => {
    /** Reads the upstream, and rejects when that fails. */
    refresh(): Promise<void>
    /** Returns whether something was read that was signed after this moment. */
    hasReadSince(moment: Date): boolean
  }
  readonly now: () => Date
  /** Default 4,000. */
  readonly limitMs?: number
}): (isKnown: () => boolean) => Promise<void> {
  const poll = createSharedPoll(() => delivery().refresh(), { spacingMs, limitMs }, unavailable)
  return async (isKnown) => {
    const askedAt = now()
    const deadlineMs = performance.now() + limitMs
    while (performance.now() < deadlineMs) {
      await poll()
      if (isKnown() || delivery().hasReadSince(askedAt)) return
    }
    throw unavailable(new Error('The upstream shows nothing newer'))
  }
}

function unavailable(cause: unknown): Problem {
  const detail =
    'This node doesn’t know the credential, and can’t ask for new ones at the moment. Repeat the request.'
  return new Problem('upstream_unavailable', detail, { retryAfterSeconds: 1, cause })
}
