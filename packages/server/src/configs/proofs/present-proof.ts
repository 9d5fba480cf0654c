import type { Proof, ProofSummary } from '@signalbox/contract/rest'
import type { Actor } from '../../http/admission/actor.ts'
import type { Caller } from '../../config-model/caller.ts'
import type { ShownProof } from './list-proofs.ts'
import { tallyKey } from './read-proofs.ts'
import { findStopProblem } from './stop-proof.ts'
import { testRuleKey } from './proof.ts'

/** Names who looks at a proof. */
export interface ProofViewer {
  readonly caller: Caller
  readonly actor: Actor
}

/** Returns a proof as lists show it. */
export function presentProofSummary(shown: ShownProof, viewer: ProofViewer): ProofSummary {
  const { proof, news, policies, schemas } = shown
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
      const signal = news.signals.get(id)
      const tally = news.tallies.get(tallyKey(proof.id, id))
      const { good = 0, bad = 0, none = 0 } = tally ?? {}
      const testRunId = news.tests.get(testRuleKey(proof, id))?.runId ?? null
      const kind = signal?.spec.kind ?? 'alert'
      return { id, name: signal?.name ?? 'A deleted signal', kind, good, bad, none, testRunId }
    }),
    startedAt: proof.startedAt.toISOString(),
    until: proof.until.toISOString(),
    waitsFor: proof.waitsFor,
    endedAt: proof.endedAt?.toISOString() ?? null,
    reason: proof.reason,
    restoredVersions: (proof.restored ?? []).map(({ keys, ...version }) => ({
      ...version,
      environment: nameOf(version.environmentId),
      keys: [...keys],
    })),
    kept: proof.kept && { ...proof.kept, keys: [...proof.kept.keys] },
    stoppedBy: proof.stopped && { name: proof.stopped.member.name, as: proof.stopped.as },
    mayStop: proof.state === 'watching' && findStopProblem(shown, viewer) === undefined,
  }
}

/** Returns a proof with its newest readings. */
export function presentProof(shown: ShownProof, viewer: ProofViewer): Proof {
  return {
    ...presentProofSummary(shown, viewer),
    readings: shown.readings.map(({ signalId, at, value, verdict, detail }) => {
      return { signal: signalId, at: at.toISOString(), value, verdict, detail }
    }),
  }
}
