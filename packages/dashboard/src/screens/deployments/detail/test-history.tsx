import { Link } from '@tanstack/react-router'
import type { ItemOf } from '../../../api/routes.ts'
import { useRead } from '../../../api/use-api.ts'
import { toDuration, toExactTime } from '../../../components/time.tsx'
import { useOrganization } from '../../../session/organization.ts'
import type { Tone } from '../../../components/badge.tsx'
import { testRunVariants } from '../states.ts'

interface TestHistoryProps {
  readonly environmentId: string
  readonly repository: string
  readonly current: string | undefined
}

/** Shows the results of the latest test runs of a repository in an environment, oldest first. */
export function TestHistory({ environmentId, repository, current }: TestHistoryProps) {
  const runs = useRead('GET /organizations/{org_id}/test-runs', {
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

interface StripRun {
  readonly runId: string
  readonly deploymentId: string | null
  readonly state: keyof typeof testRunVariants
  /** Holds the tooltip, which screen readers read too. */
  readonly label: string
}

interface RunStripProps {
  readonly label: string
  /** Lists the runs, oldest first. */
  readonly runs: readonly StripRun[]
  /** Holds the id of the page's run. */
  readonly current: string | undefined
}

const tones: Readonly<Record<Tone, string>> = {
  ok: 'bg-ok-ground text-ok',
  bad: 'bg-bad-ground text-bad',
  warn: 'bg-warn-ground text-warn',
  info: 'bg-info-ground text-info',
  neutral: 'bg-raised text-muted',
}

/** Shows a block for each run, with an icon for its result besides the color. Each block links to the tested deployment. */
function RunStrip({ label, runs, current }: RunStripProps) {
  const { slug } = useOrganization()
  return (
    <ol aria-label={label} className="flex flex-wrap gap-1">
      {runs.map(({ runId, deploymentId, state, label: description }) => {
        const { icon: Icon, tone } = testRunVariants[state]
        const classes = `inline-flex size-7 items-center justify-center rounded forced-colors:border ${tones[tone]} ${runId === current ? 'outline-2 outline-accent' : ''}`
        const icon = <Icon role="img" aria-label={description} size={14} />
        return (
          <li key={runId} title={description}>
            {deploymentId === null ? (
              <span className={classes}>{icon}</span>
            ) : (
              <Link
                to="/$org/deployments/$deploymentId"
                params={{ org: slug, deploymentId }}
                className={classes}
              >
                {icon}
              </Link>
            )}
          </li>
        )
      })}
    </ol>
  )
}
