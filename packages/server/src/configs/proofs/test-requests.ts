import type { Tx } from '../../store/store.ts'
import { listSignalRows } from '../signals/signal-rows.ts'
import { findProofRow } from './proof-rows.ts'
import { testRuleKey } from './proof.ts'

/** Describes the test runs that a change starts. */
export interface TestRequests {
  readonly environmentId: string
  readonly version: number
  readonly requests: readonly {
    /** Ties the run to the proof. */
    readonly ruleKey: string
    readonly repository: string
    readonly workflow: string
    readonly deadlineMinutes: number
  }[]
}

/** Returns the test runs that a proof asks for. `undefined`: it has ended, or waits for a later change. */
export async function findTestRequests(
  tx: Tx,
  orgId: string,
  proofId: string,
): Promise<TestRequests | undefined> {
  const proof = await findProofRow(tx, orgId, proofId)
  if (proof?.state !== 'watching' || proof.waitsFor !== null) return undefined
  const signals = await listSignalRows(tx, orgId, proof.terms.signals)
  const { environmentId, version } = proof
  const requests = signals.flatMap(({ id, spec }) => {
    if (spec.kind !== 'tests') return []
    const { repository, workflow, deadlineMinutes } = spec
    return [{ ruleKey: testRuleKey(proof, id), repository, workflow, deadlineMinutes }]
  })
  return { environmentId, version, requests }
}
