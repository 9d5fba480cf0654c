import type { SignalKind } from '@signalbox/contract'
import type { Tx } from '../../store/store.ts'
import type { SignalRow } from '../signals/signal.ts'
import { listSignalRows } from '../signals/signal-rows.ts'
import type { SignalReport } from './judge-proof.ts'
import type { ProofPorts, ProofTest } from './proof-deps.ts'
import { tallyReadings, type TallyRow } from './proof-rows.ts'
import { testRuleKey, type ProofRow } from './proof.ts'

/** Holds what is known of some proofs. */
export interface ProofReports {
  readonly signals: ReadonlyMap<string, SignalRow>
  readonly tests: ReadonlyMap<string, ProofTest>
  readonly tallies: ReadonlyMap<string, TallyRow>
}

/** Reads what the signals and the test runs of proofs said so far. */
export async function readReports(
  { proofTests }: Pick<ProofPorts, 'proofTests'>,
  tx: Tx,
  orgId: string,
  proofs: readonly ProofRow[],
): Promise<ProofReports> {
  const signalIds = [...new Set(proofs.flatMap(({ terms }) => terms.signals))]
  const signals = await listSignalRows(tx, orgId, signalIds)
  const byId = new Map(signals.map((signal) => [signal.id, signal]))
  const ruleKeys = proofs.flatMap((proof) =>
    proof.terms.signals
      .filter((id) => byId.get(id)?.spec.kind === 'tests')
      .map((id) => testRuleKey(proof, id)),
  )
  const tests = ruleKeys.length === 0 ? [] : await proofTests(tx, orgId, ruleKeys)
  const ids = proofs.map(({ id }) => id)
  const tallies = await tallyReadings(tx, orgId, ids)
  return {
    signals: byId,
    tests: new Map(tests.map((test) => [test.ruleKey, test])),
    tallies: new Map(tallies.map((tally) => [tallyKey(tally.proofId, tally.signalId), tally])),
  }
}

/** Names the readings of a signal for a proof. */
export function tallyKey(proofId: string, signalId: string): string {
  return `${proofId} ${signalId}`
}

/** Returns what the signals of a proof said, as it is judged. */
export function reportsOf(
  proof: ProofRow,
  { signals, tests, tallies }: ProofReports,
): SignalReport[] {
  return proof.terms.signals.map((id) => {
    const signal = signals.get(id)
    const tally = tallies.get(tallyKey(proof.id, id))
    const kind: SignalKind = signal?.spec.kind ?? 'alert'
    const report = { id, name: signal?.name ?? 'a deleted signal', kind }
    if (kind === 'tests') {
      const test = tests.get(testRuleKey(proof, id))
      return { ...report, latest: [], isHeard: false, tests: test ?? notStarted }
    }
    return { ...report, latest: tally?.latest ?? [], isHeard: (tally?.good ?? 0) > 0 }
  })
}

/** Describes a run that is not there: it is planned a moment after the change, or never. */
const notStarted = { outcome: 'none', detail: 'no test run was started' } as const

/** Returns whether something went live in the environment of a proof since its change. */
export async function findDeployed(
  { listDeployed }: Pick<ProofPorts, 'listDeployed'>,
  tx: Tx,
  orgId: string,
  proofs: readonly ProofRow[],
): Promise<(proof: ProofRow) => boolean> {
  if (proofs.length === 0) return () => false
  const environmentIds = [...new Set(proofs.map(({ environmentId }) => environmentId))]
  const since = new Date(Math.min(...proofs.map(({ startedAt }) => startedAt.getTime())))
  const deployed = await listDeployed(tx, orgId, { environmentIds, since })
  return ({ environmentId, startedAt }) =>
    deployed.some((each) => each.environmentId === environmentId && each.at > startedAt)
}
