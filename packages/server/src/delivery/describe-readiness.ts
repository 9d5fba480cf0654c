import type { DeliveryStatus } from './delivery.ts'

/** Describes whether a delivery can serve, for the readiness of its process. Example: `12 snapshots from disk, 3 s old`. */
export function describeReadiness(
  { loadedFrom, snapshots, asOf, failure }: DeliveryStatus,
  now: Date,
): { readonly ok: boolean; readonly detail: string } {
  const ageSeconds = asOf && Math.round((now.getTime() - asOf.getTime()) / 1000)
  const age = ageSeconds === undefined ? 'of unknown age' : `${ageSeconds} s old`
  const count = snapshots === 1 ? '1 snapshot' : `${snapshots} snapshots`
  return {
    ok: loadedFrom !== 'nothing',
    detail: `${count} from ${loadedFrom}, ${age}${failure === undefined ? '' : `; ${failure}`}`,
  }
}
