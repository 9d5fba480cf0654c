import { Link } from '@tanstack/react-router'
import { ExternalLink, Repeat2, TriangleAlert, X } from 'lucide-react'
import { OutsideLink } from '../../../components/outside-link.tsx'
import { Panel } from '../../../components/panel.tsx'
import { Age, toDuration } from '../../../components/time.tsx'
import { explainLack, useCapability, useLack } from '../../../session/use-capability.ts'
import { useProviderName } from '../../../session/use-provider-name.ts'
import { useOrganization } from '../../../session/organization.ts'
import { Badge } from '../../../components/badge.tsx'
import { StateBadge } from '../badges.tsx'
import { testRunVariants } from '../states.ts'
import type { Detail, TestRun } from './detail.ts'
import { TestHistory } from './test-history.tsx'

/** Shows the test runs, the reasons to doubt them, and the results of earlier ones. */
export function TestsPanel({ detail }: { readonly detail: Detail }) {
  const { testRuns, environmentId, repository } = detail
  const [newest] = testRuns
  const lack = useLack('codehost', 'startWorkflows')
  return (
    <Panel title="Tests" flush>
      {newest === undefined ? (
        <p className="p-4 text-muted">
          {lack === undefined
            ? 'No test runs. See the timeline.'
            : `No test runs. ${explainLack(lack)}`}
        </p>
      ) : (
        <ul className="divide-y divide-line">
          {testRuns.map((run) => (
            <RunRow key={run.id} run={run} />
          ))}
        </ul>
      )}
      {environmentId !== null && (
        <TestHistory environmentId={environmentId} repository={repository} current={newest?.id} />
      )}
    </Panel>
  )
}

function RunRow({ run }: { readonly run: TestRun }) {
  const { name, url, attempt, state, finishedAt } = run
  return (
    <li className="flex flex-col gap-3 p-4">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StateBadge variant={testRunVariants[state]} />
        <bdi className="font-medium break-words">{name}</bdi>
        {attempt > 1 && <span className="text-sm text-muted">attempt {attempt}</span>}
        {finishedAt !== null && (
          <span className="text-sm text-muted">
            finished <Age at={finishedAt} />
          </span>
        )}
        {url !== null && (
          <OutsideLink href={url} className="inline-flex min-h-7 items-center gap-1">
            Open the run
            <ExternalLink aria-hidden size={13} />
          </OutsideLink>
        )}
      </p>
      <Figures run={run} />
      <Warnings run={run} />
      <DoubtfulTests tests={run.doubtfulTests} />
    </li>
  )
}

/** Shows the counts of a run, if it got that far. */
function Figures({ run }: { readonly run: TestRun }) {
  const host = useProviderName('codehost')
  const reports = useCapability('codehost', 'readTestReports')
  const { passed, failed, skipped, flaky, durationMs, finishedAt } = run
  if ([passed, failed, skipped, flaky].every((count) => count === null)) {
    if (finishedAt === null) return null
    return (
      <p className="text-sm text-muted">
        {durationMs === null || durationMs === 0 ? '' : `Took ${toDuration(durationMs)}. `}No test
        counts.{' '}
        {reports?.works === true
          ? `${host} has no test report of this run. Declare one in the pipeline, or upload a CTRF or JUnit report.`
          : 'Upload a CTRF or JUnit report to see them.'}
      </p>
    )
  }
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-5">
      <Figure name="Passed" value={passed} />
      <Figure name="Failed" value={failed} tone={failed ? 'text-bad' : ''} />
      <Figure name="Flaky" value={flaky} tone={flaky ? 'text-warn' : ''} />
      <Figure name="Skipped" value={skipped} />
      <Figure name="Duration" value={durationMs === null ? null : toDuration(durationMs)} />
    </dl>
  )
}

interface FigureProps {
  readonly name: string
  readonly value: number | string | null
  /** Holds the class of its color, if any. */
  readonly tone?: string
}

function Figure({ name, value, tone = '' }: FigureProps) {
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd className={value === null ? 'text-muted' : `text-lg font-semibold tabular-nums ${tone}`}>
        {value ?? 'Unknown'}
      </dd>
    </div>
  )
}

/** Shows the reasons to doubt the result. */
function Warnings({ run: { warnings, contaminatedBy } }: { readonly run: TestRun }) {
  const { slug } = useOrganization()
  if (warnings.length === 0) return null
  return (
    <ul className="flex flex-col gap-1">
      {warnings.map((warning) => (
        <li key={warning} className="flex items-start gap-2 text-sm text-warn">
          <TriangleAlert aria-hidden size={15} className="mt-0.5 shrink-0" />
          {warning}
        </li>
      ))}
      {contaminatedBy !== null && (
        <li className="pl-6 text-sm">
          <Link
            to="/$org/deployments/$deploymentId"
            params={{ org: slug, deploymentId: contaminatedBy }}
          >
            Open the deployment that came between
          </Link>
        </li>
      )}
    </ul>
  )
}

/** Shows the failed and flaky tests, with the first lines of each error. */
function DoubtfulTests({ tests }: { readonly tests: TestRun['doubtfulTests'] }) {
  if (tests.length === 0) return null
  return (
    <ul aria-label="Tests in doubt" className="flex flex-col gap-2">
      {tests.map(({ suite, name, state, message }) => (
        <li key={`${suite} ${name}`} className="flex min-w-0 flex-col gap-1 text-sm">
          <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
            {state === 'failed' ? (
              <Badge tone="bad" icon={X}>
                failed
              </Badge>
            ) : (
              <Badge tone="warn" icon={Repeat2}>
                flaky
              </Badge>
            )}
            <bdi className="min-w-0 font-medium break-words">{name}</bdi>
            {suite !== '' && <bdi className="min-w-0 break-words text-muted">{suite}</bdi>}
          </p>
          {message !== null && (
            <pre
              // Focusable, so that the keyboard can scroll it.
              tabIndex={0}
              role="group"
              aria-label={`What went wrong in ${name}`}
              className="max-h-40 overflow-auto rounded bg-raised px-3 py-2 font-mono text-sm break-words whitespace-pre-wrap"
            >
              {message}
            </pre>
          )}
        </li>
      ))}
    </ul>
  )
}
