import type { DeliveryStatus } from '../../delivery/delivery.ts'

/** Turns the status of a process into that of its node. */
export type ShareStatus = (readOwn: () => DeliveryStatus) => () => DeliveryStatus

/** Orders where snapshots come from: what a node says is what its worst process says. */
const sources = ['nothing', 'disk', 'upstream', 'database'] as const

/** Joins the status of this process with those of the others. Its streams are already counted for the node. */
export function joinStatus(own: DeliveryStatus, others: Iterable<DeliveryStatus>): DeliveryStatus {
  let joined = own
  for (const other of others) {
    joined = {
      source: joined.source,
      streams: joined.streams,
      loadedFrom:
        sources.find((each) => [joined, other].some((it) => it.loadedFrom === each)) ?? 'nothing',
      asOf: older(joined.asOf, other.asOf),
      readAt: older(joined.readAt, other.readAt),
      snapshots: Math.min(joined.snapshots, other.snapshots),
      failure: joined.failure ?? other.failure,
    }
  }
  return joined
}

/** Returns the older moment; `undefined` where one is unknown. */
function older(one: Date | undefined, other: Date | undefined): Date | undefined {
  if (one === undefined || other === undefined) return undefined
  return one < other ? one : other
}
