import { hostname } from 'node:os'
import type { DeliveryStatus } from '../delivery/delivery.ts'
import type { ProcessKit } from '../kit.ts'
import type { NodeReport } from '../replica/report.ts'
import { serverVersion } from '../version.ts'

/** Describes this process for the list of delivery nodes, by its machine and port. */
export function describeNode(
  { now }: Pick<ProcessKit, 'now'>,
  { asOf, snapshots, fault }: DeliveryStatus,
  { carrier, fedBy, port }: Pick<NodeReport, 'carrier' | 'fedBy'> & { readonly port: number },
): Omit<NodeReport, 'stopping' | 'agoSeconds'> {
  const ageMs = asOf && now().getTime() - asOf.getTime()
  return {
    name: `${hostname()}:${port}`.replaceAll(/\p{Cc}/gu, '-').slice(0, 100),
    version: serverVersion,
    carrier,
    fedBy,
    snapshots,
    ageSeconds: ageMs === undefined ? null : Math.max(0, ageMs / 1000),
    fault: fault ?? null,
  }
}
