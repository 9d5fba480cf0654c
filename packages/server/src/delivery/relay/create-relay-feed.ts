import type { DeliveryDeps } from '../delivery-deps.ts'
import type { DeliveryCaches } from '../cache/delivery-caches.ts'
import type { KeyReader } from '../cache/reader.ts'
import type { ReplicaTarget, Upstream } from './upstream.ts'
import { createUpstreamFeed, type UpstreamFeed } from './upstream-feed.ts'

/** Creates the feed of a node that another delivery feeds. */
export function createRelayFeed(
  deps: DeliveryDeps,
  { publicKeys }: DeliveryCaches,
  { upstream, target }: { readonly upstream: Upstream; readonly target: ReplicaTarget },
): UpstreamFeed {
  const { keyCache, metrics, now, log, upstreamPollMs } = deps
  publicKeys.apply(upstream.publicKeys)
  const mayPassOnTo = (reader: KeyReader) => {
    const own = upstream.keyHandle && keyCache.findKey(upstream.keyHandle)
    if (!own || own.orgId !== reader.orgId) return false
    return (
      covers(reader.environmentIds, own.environmentIds) && covers(reader.schemaIds, own.schemaIds)
    )
  }
  return createUpstreamFeed({
    upstream,
    target,
    mayPassOnTo,
    metrics,
    now,
    log,
    intervalMs: upstreamPollMs ?? 1_000,
  })
}

/** Returns whether a restriction includes another. `null`: everything. */
function covers(wide: ReadonlySet<string> | null, narrow: readonly string[] | null): boolean {
  return wide === null || (narrow !== null && narrow.every((id) => wide.has(id)))
}
