import type { Proof, ProofSummary } from '@signalbox/contract/rest'
import { isReached, type ProofView, type ProofViewer } from './list-proofs.ts'
import { tallyKey } from './read-proofs.ts'
import { findStopProblem } from './stop-proof.ts'
import { testRuleKey } from './proof.ts'

/** Returns a proof as lists show it. */
export function presentProofSummary(view: ProofView, viewer: ProofViewer): ProofSummary {
  const { proof, reports, policies, schemas } = view
  const nameOf = (id: string) => policies.get(id)?.name ?? ''
  return {
    id: proof.id,
    state: proof.state,
    subject: {
      kind: 'version',
      environmentId: proof.environmentId,
      environment: nameOf(proof.environmentId),
      schemaId: proof.schemaId,
      schema: schemas.get(proof.schemaId) ?? '',
      versionId: proof.versionId,
      version: proof.version,
    },
    keys: [...proof.keys],
    terms: proof.terms,
    signals: proof.terms.signals.map((id) => {
      const signal = reports.signals.get(id)
      const tally = reports.tallies.get(tallyKey(proof.id, id))
      const { good = 0, bad = 0, none = 0 } = tally ?? {}
      const testRunId = reports.tests.get(testRuleKey(proof, id))?.runId ?? null
      const kind = signal?.spec.kind ?? 'alert'
      return { id, name: signal?.name ?? 'A deleted signal', kind, good, bad, none, testRunId }
    }),
    startedAt: proof.startedAt.toISOString(),
    until: proof.until.toISOString(),
    waitsFor: proof.waitsFor,
    endedAt: proof.endedAt?.toISOString() ?? null,
    reason: proof.reason,
    // A key may be made for the environment of the proof, and not for the one where the change was made.
    restoredVersions: (proof.restored ?? [])
      .filter(({ environmentId }) => isReached(viewer.caller, { ...proof, environmentId }))
      .map(({ keys, ...version }) => ({
        ...version,
        environment: nameOf(version.environmentId),
        keys: [...keys],
      })),
    notRestored: proof.notRestored && { ...proof.notRestored, keys: [...proof.notRestored.keys] },
    stoppedBy: proof.stopped && { name: proof.stopped.member.name, as: proof.stopped.as },
    mayStop: proof.state === 'watching' && findStopProblem(view, viewer) === undefined,
  }
}

/** Returns a proof with its newest readings. */
export function presentProof(view: ProofView, viewer: ProofViewer): Proof {
  return {
    ...presentProofSummary(view, viewer),
    readings: view.readings.map(({ signalId, at, value, verdict, detail }) => {
      return { signal: signalId, at: at.toISOString(), value, verdict, detail }
    }),
  }
}
