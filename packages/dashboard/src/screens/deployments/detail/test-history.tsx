import { RunStrip } from './run-strip.tsx'
import type { ItemOf } from '../../../api/routes.ts'
import { useRead } from '../../../api/use-api.ts'
import { testRunVariants } from '../states.ts'
import { toDuration, toExactTime } from '../../../components/time.tsx'
import { useOrganization } from '../../../session/organization.ts'

interface TestHistoryProps {
  readonly environmentId: string
  readonly repository: string
  readonly current: string | undefined
}

/** Shows the results of the latest test runs of a repository in an environment, oldest first. */
export function TestHistory({ environmentId, repository, current }: TestHistoryProps) {
  const { params } = useOrganization()
  const runs = useRead('GET /organizations/{org_id}/test-runs', {
    params,
    query: { environmentId, repository, limit: 40 },
  })
  const items = (runs.data?.items ?? []).toReversed()
  if (items.length < 2) return null
  return (
    <div className="flex flex-col gap-2 border-t border-line p-4">
      <h3 className="text-sm text-muted">
        The last {items.length} runs of <bdi>{repository}</bdi> in this environment
      </h3>
      <RunStrip
        label={`Test runs of ${repository} in this environment, the oldest first`}
        current={current}
        runs={items.map((run) => ({
          runId: run.id,
          deploymentId: run.deploymentId,
          state: run.state,
          label: describeRun(run),
        }))}
      />
    </div>
  )
}

function describeRun(run: ItemOf<'GET /organizations/{org_id}/test-runs'>): string {
  const { state, passed, failed, flaky, durationMs, finishedAt, createdAt } = run
  const facts = [
    testRunVariants[state].word,
    passed !== null && `${passed} passed`,
    failed !== null && failed > 0 && `${failed} failed`,
    flaky !== null && flaky > 0 && `${flaky} flaky`,
    durationMs !== null && toDuration(durationMs),
    toExactTime(finishedAt ?? createdAt),
  ]
  return facts.filter((fact) => fact !== false).join(', ')
}
