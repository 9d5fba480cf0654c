import type { ProofTest } from '../../configs/proofs/proof-deps.ts'
import type { Tx } from '../../store/store.ts'
import { judgeResult } from './judge-result.ts'
import { listRunsOfProofs } from './run-rows.ts'
import type { TestRun } from './test-run.ts'

/** Reads what the test runs of these rules say. One that was never planned is left out. */
export async function proofTests(
  tx: Tx,
  orgId: string,
  ruleKeys: readonly string[],
): Promise<ProofTest[]> {
  const runs = await listRunsOfProofs(tx, orgId, ruleKeys)
  return runs.map((run) => ({ ruleKey: run.ruleKey ?? '', runId: run.id, ...judge(run) }))
}

function judge(run: TestRun): Pick<ProofTest, 'outcome' | 'detail'> {
  const { state, passed, failed, finishedAt, contaminatedBy } = run
  if (judgeResult(run).isCounted) {
    const total = (passed ?? 0) + (failed ?? 0)
    if (state === 'passed') return { outcome: 'passed', detail: 'the tests passed' }
    const isCounted = failed !== null && failed > 0
    return {
      outcome: 'failed',
      detail: isCounted
        ? `${failed} of ${total} ${total === 1 ? 'test' : 'tests'} failed`
        : 'the tests failed',
    }
  }
  if (contaminatedBy !== null) {
    return { outcome: 'none', detail: 'another deployment went live while the tests ran' }
  }
  if (finishedAt === null) return { outcome: 'pending', detail: 'the tests have not ended' }
  return { outcome: 'none', detail: endings[state] ?? 'the tests ran on another commit' }
}

const endings: Readonly<Partial<Record<TestRun['state'], string>>> = {
  errored: 'the tests did not run to their end',
  cancelled: 'the tests were cancelled',
  skipped: 'the tests were skipped',
  timed_out: 'the tests took too long',
}
