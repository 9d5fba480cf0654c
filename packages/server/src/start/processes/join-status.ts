import type { DeliveryStatus } from '../../delivery/delivery.ts'

/** Turns the status of a process into that of its node. */
export type ShareStatus = (readOwn: () => DeliveryStatus) => () => DeliveryStatus

/** Orders where snapshots come from: what a node says is what its worst process says. */
const sources = ['nothing', 'disk', 'upstream', 'database'] as const

/** Joins the status of this process with those of the others. Its streams are already counted for the node. */
export function joinStatus(own: DeliveryStatus, others: Iterable<DeliveryStatus>): DeliveryStatus {
  let status = own
  for (const other of others) {
    status = {
      source: status.source,
      streams: status.streams,
      loadedFrom:
        sources.find((each) => [status, other].some((it) => it.loadedFrom === each)) ?? 'nothing',
      asOf: older(status.asOf, other.asOf),
      readAt: older(status.readAt, other.readAt),
      snapshots: Math.min(status.snapshots, other.snapshots),
      isOnDisk: status.isOnDisk && other.isOnDisk,
      failure: status.failure ?? other.failure,
    }
  }
  return status
}

/** Returns the older moment; `undefined` where one is unknown. */
function older(one: Date | undefined, other: Date | undefined): Date | undefined {
  if (one === undefined || other === undefined) return undefined
  return one < other ? one : other
}
