import type { testRunEndpoints, ResponseOf } from '@signalbox/contract/rest'
import { judgeResult } from './judge-result.ts'
import type { TestRun } from './test-run.ts'

/** Returns a test run as the API shows it. */
export function presentRun(run: TestRun): ResponseOf<typeof testRunEndpoints.getTestRun> {
  return {
    id: run.id,
    deploymentId: run.deploymentId,
    environmentId: run.environmentId,
    name: run.name,
    externalId: run.externalId,
    url: run.url,
    attempt: run.attempt,
    state: run.state,
    stateReason: run.stateReason,
    passed: run.passed,
    failed: run.failed,
    skipped: run.skipped,
    flaky: run.flaky,
    durationMs: run.durationMs,
    deployedSha: run.deployedSha,
    testedSha: run.testedSha,
    contaminatedBy: run.contaminatedBy,
    warnings: [...judgeResult(run).warnings],
    startedAt: run.startedAt?.toISOString() ?? null,
    finishedAt: run.finishedAt?.toISOString() ?? null,
    createdAt: run.createdAt.toISOString(),
  }
}
