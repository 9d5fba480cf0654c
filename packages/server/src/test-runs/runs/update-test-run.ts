import { requireEnvironment, type RestrictedCaller } from '../../audit/caller.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import { applyRunReport } from './apply-run-report.ts'
import type { RunReport } from './merge-run.ts'
import { lockRun } from './run-rows.ts'
import type { TestRunDeps } from '../test-run-deps.ts'
import type { TestRun } from './test-run.ts'

/** Describes the state of a run that a pipeline reports. */
export interface UpdateTestRun {
  readonly state?: RunReport['state']
  readonly passed?: number | undefined
  readonly failed?: number | undefined
  readonly skipped?: number | undefined
  readonly durationMs?: number | undefined
  readonly url?: string | undefined
}

/**
 * Records the state of a run that a pipeline reports. A state behind the stored one changes nothing.
 *
 * @throws {Problem} `not_found`, `key_scope_forbidden`
 */
export async function updateTestRun(
  deps: TestRunDeps,
  caller: RestrictedCaller,
  id: string,
  report: UpdateTestRun,
): Promise<TestRun> {
  const { orgId } = caller
  return deps.store.transaction(caller.scope, async (tx) => {
    const run = await lockRun(tx, orgId, id)
    if (run === undefined) throw notFound()
    requireEnvironment(caller, run.environmentId)
    return applyRunReport(
      deps,
      tx,
      { orgId, run },
      {
        source: 'api',
        state: report.state,
        at: deps.now(),
        durationMs: report.durationMs ?? null,
        url: report.url ?? null,
        counts: {
          passed: report.passed ?? null,
          failed: report.failed ?? null,
          skipped: report.skipped ?? null,
        },
      },
    )
  })
}
