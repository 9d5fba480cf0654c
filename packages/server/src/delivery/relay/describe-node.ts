import { cutText } from '@signalbox/contract'
import { hostname } from 'node:os'
import type { NodeReport } from '../../replica/report.ts'
import type { DeliveryStatus } from '../delivery.ts'

/** Describes how this process is fed, and where it serves. */
export interface NodeFacts extends Pick<NodeReport, 'carrier' | 'fedBy' | 'version'> {
  readonly port: number
  readonly now: Date
}

/** Describes this process for the list of delivery nodes, by its machine and port. */
export function describeNode(
  { asOf, snapshots, failure }: DeliveryStatus,
  { carrier, fedBy, version, port, now }: NodeFacts,
): Omit<NodeReport, 'stopping' | 'agoSeconds'> {
  const ageMs = asOf && now.getTime() - asOf.getTime()
  return {
    name: cutText(`${hostname()}:${port}`.replaceAll(/\p{Cc}/gu, '-'), 100),
    version,
    carrier,
    fedBy,
    snapshots,
    ageSeconds: ageMs === undefined ? null : Math.max(0, ageMs / 1000),
    fault: failure ?? null,
  }
}
