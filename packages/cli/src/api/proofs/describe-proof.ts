import { printable } from '../../terminal/printable.ts'
import type { ProofSummary } from '../operations.ts'

/** Names what a proof watches. Example: `web in production v8`. */
export function nameSubject({ subject }: Pick<ProofSummary, 'subject'>): string {
  const { schema, environment, version } = subject
  return `${printable(schema)} in ${printable(environment)} v${version}`
}

/** Says how a proof is or has ended. Examples: `Unproven, 12 min left`, `Restored because api-errors was 4.2, above 2`. */
export function describeProof(proof: ProofSummary): string {
  const { state, stoppedBy } = proof
  if (state === 'watching') return describeWatching(proof)
  if (state === 'proven') return 'Proven'
  if (state === 'stopped') return `Stopped by ${printable(stoppedBy?.name ?? 'somebody')}`
  return describeFailed(proof)
}

function describeWatching({ until, waitsFor }: ProofSummary): string {
  if (waitsFor !== null) return 'Unproven, waits for a later change to be judged'
  const minutes = Math.max(1, Math.ceil((Date.parse(until) - Date.now()) / 60_000))
  return `Unproven, ${minutes} min left`
}

function describeFailed({ state, reason, restoredVersions, notRestored }: ProofSummary): string {
  const why = reason === null ? '' : printable(reason.detail)
  if (state === 'inconclusive') return `Not proven: ${why}`
  const left = notRestored === null ? '' : printable(notRestored.detail)
  if (restoredVersions.length === 0) return `Failed, not restored: ${left}`.replace(/: $/, '')
  return `Restored because ${why}${left === '' ? '' : `. Not all of it: ${left}`}`
}
