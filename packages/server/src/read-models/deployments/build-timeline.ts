import type { deploymentEndpoints, ResponseOf } from '@signalbox/contract/rest'
import type { SkippedCommits } from '../../deployments/commits/enrich-rows.ts'
import type { DeploymentView } from './get-deployment.ts'
import { gateSteps } from './gate-steps.ts'
import { issueSteps } from './issue-steps.ts'
import { messageSteps } from './message-steps.ts'
import { testRunSteps } from './test-run-steps.ts'
import { step, type TimedStep } from './timed-step.ts'

type Entry = ResponseOf<typeof deploymentEndpoints.getDeployment>['timeline'][number]

/** Builds the timeline of a deployment, oldest first, with what was left out, why, and the next step. */
export function buildTimeline(view: DeploymentView): Entry[] {
  return [
    createdStep(view),
    ...gateSteps(view),
    ...statusSteps(view),
    ...configSteps(view),
    ...commitSteps(view),
    ...issueSteps(view),
    ...testRunSteps(view),
    ...messageSteps(view),
  ]
    .toSorted(compareSteps)
    .map(({ at, actions, ...entry }) => ({
      ...entry,
      actions: [...actions],
      at: at.toISOString(),
    }))
}

/** Orders the steps within one second, as they follow from each other. */
const ranks: Readonly<Record<TimedStep['kind'], number>> = {
  created: 0,
  gate: 0,
  status: 1,
  config_version: 2,
  commits: 3,
  issues: 4,
  test_run: 5,
  message: 6,
  skipped: 7,
}

/**
 * Compares two steps, the older one first. The code host reports whole seconds and this server milliseconds, so that within a second
 * the kind decides: otherwise a run could come before the success that it tests. The creation always comes first.
 */
export function compareSteps(a: TimedStep, b: TimedStep): number {
  return (
    Number(b.kind === 'created') - Number(a.kind === 'created') ||
    toSecond(a) - toSecond(b) ||
    ranks[a.kind] - ranks[b.kind] ||
    a.at.getTime() - b.at.getTime()
  )
}

function toSecond({ at }: TimedStep): number {
  return Math.floor(at.getTime() / 1000)
}

const sources = {
  webhook: 'A webhook reported it.',
  sync: 'A sync found it. No webhook reported it.',
  api: 'A pipeline reported it.',
}

function createdStep({ deployment }: DeploymentView): TimedStep {
  const { createdAt, hostEnvironment, source } = deployment
  const title = `Created for ${hostEnvironment}`
  return step({ at: createdAt, kind: 'created', state: 'done', title, detail: sources[source] })
}

const failures: ReadonlySet<string> = new Set(['failure', 'error'])
const underWay: ReadonlySet<string> = new Set(['waiting', 'queued', 'pending', 'in_progress'])
const titles: Readonly<Record<string, string | undefined>> = {
  waiting: 'Waiting for approval',
  queued: 'Queued',
  pending: 'Pending',
  in_progress: 'Deployment started',
  success: 'Deployed',
  failure: 'Deployment failed',
  error: 'Deployment stopped with an error',
  inactive: 'Replaced by a newer deployment',
  superseded: 'Replaced by a newer deployment',
  rolled_back: 'Rolled back',
}

/** Returns a step for each status, which names its job where several jobs of a run deployed. */
export function statusSteps({ statuses }: Pick<DeploymentView, 'statuses'>): TimedStep[] {
  const hasJobs = new Set(statuses.map(({ job }) => job)).size > 1
  // A host may make a job inactive when another one of the same deployment succeeds: nothing has replaced it.
  const reports = hasJobs ? statuses.filter(({ state }) => state !== 'inactive') : statuses
  return reports.map(({ at, job, jobName, state, description, logUrl }, index) => {
    const isLast = !reports.slice(index + 1).some((later) => later.job === job)
    const common = { at, kind: 'status', detail: description, url: logUrl } as const
    const what = titles[state] ?? `Reported as ${state.replaceAll('_', ' ')}`
    const title = hasJobs && jobName !== null ? `${jobName}: ${what}` : what
    if (failures.has(state)) {
      const nextStep = 'Check the log, then deploy again.'
      return step({ ...common, state: 'failed', title, nextStep })
    }
    return step({ ...common, state: isLast && underWay.has(state) ? 'running' : 'done', title })
  })
}

function configSteps({ deployment, configs }: DeploymentView): TimedStep[] {
  const { finishedAt } = deployment
  if (configs.length === 0 || finishedAt === null) return []
  const versions = configs.map(
    ({ schema, schemaId, version }) => `${schema ?? schemaId} version ${version}`,
  )
  const title = 'Configuration at deploy time'
  const detail = versions.join(', ')
  return [step({ at: finishedAt, kind: 'config_version', state: 'done', title, detail })]
}

const connect = { kind: 'connect', integration: 'codehost' } as const

/** Maps the cause of a missing comparison to what a person can do about it. */
const mendsOfCommits: Readonly<
  Record<SkippedCommits['cause'] & string, Pick<TimedStep, 'nextStep' | 'actions'>>
> = {
  access: {
    nextStep: 'Give Signalbox access, then sync to compare the commits again.',
    actions: [connect, { kind: 'sync' }],
  },
  head: { nextStep: 'Check which commit your pipeline reports.', actions: [] },
  base: { nextStep: null, actions: [] },
  repository: {
    nextStep: 'Connect the repository, then sync to compare the commits.',
    actions: [connect, { kind: 'sync' }],
  },
  other: { nextStep: 'Sync to compare the commits again.', actions: [{ kind: 'sync' }] },
}

function commitSteps({ deployment: { range, commitsSkipped } }: DeploymentView): TimedStep[] {
  const steps: TimedStep[] = []
  if (range !== null) {
    const title = `${range.total} ${range.total === 1 ? 'commit' : 'commits'} compared`
    const detail = range.truncated ? 'The list is incomplete.' : null
    const at = new Date(range.comparedAt)
    steps.push(step({ at, kind: 'commits', state: 'done', title, detail }))
  }
  if (commitsSkipped !== null) {
    steps.push(
      step({
        at: new Date(commitsSkipped.since ?? commitsSkipped.at),
        kind: 'skipped',
        state: 'skipped',
        title: 'Couldn’t compare commits',
        detail: commitsSkipped.reason,
        ...mendsOfCommits[commitsSkipped.cause ?? 'access'],
      }),
    )
  }
  return steps
}
