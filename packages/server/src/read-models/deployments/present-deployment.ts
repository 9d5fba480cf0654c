import type { deploymentEndpoints, ResponseOf } from '@signalbox/contract/rest'
import { buildTimeline } from './build-timeline.ts'
import type { DeploymentDetailRow, ShownIssueRow, ShownTestRunRow } from './detail-rows.ts'
import type { DoubtfulTestRow } from './doubtful-test-rows.ts'
import { toShownExternalId } from '../../deployments/reports/external-id.ts'
import type { DeploymentView } from './get-deployment.ts'
import type { DeploymentRow } from './list-rows.ts'
import { providersOfKind } from '../../providers/find-provider.ts'
import { presentDecisionView, type DecisionReader } from '../gates/present-decision.ts'
import { presentMessage } from '../notifications/present-message.ts'

type Detail = ResponseOf<typeof deploymentEndpoints.getDeployment>

/** Returns a deployment as lists show it. */
export function presentDeployment(
  row: DeploymentRow,
): ResponseOf<typeof deploymentEndpoints.createDeployment> {
  return {
    id: row.id,
    externalId: toShownExternalId(row.externalId),
    repository: row.repository,
    isOfFormerHost: row.isOfFormerHost,
    sha: row.sha,
    ref: row.ref,
    refKind: row.refKind,
    hostEnvironment: row.hostEnvironment,
    environmentId: row.environmentId,
    state: row.state,
    description: row.description,
    creator: row.creator,
    url: row.url,
    logUrl: row.logUrl,
    commitMessage: row.commitMessage,
    relation: row.relation,
    issueKeys: [...row.issueKeys],
    testState: row.tests?.state ?? null,
    tests: row.tests,
    messageState: row.messageState,
    committedAt: toTime(row.committedAt),
    createdAt: row.createdAt.toISOString(),
    startedAt: toTime(row.startedAt),
    finishedAt: toTime(row.finishedAt),
  }
}

function toTime(at: Date | null): string | null {
  return at?.toISOString() ?? null
}

/** Returns a deployment as the API shows it alone: with everything that belongs to it and its timeline. */
export function presentDetail(view: DeploymentView, reader?: DecisionReader): Detail {
  const { deployment, commits, issues, testRuns, configs } = view
  const { range } = deployment
  return {
    ...presentDeployment(deployment),
    range: range === null ? null : presentRange(range),
    commits: commits.map(({ at, ...commit }) => ({ ...commit, at: toTime(at) })),
    commitsUnread: explainUnread(view),
    issues: issues.map(presentIssue),
    testRuns: testRuns.map((row) =>
      presentTestRun(
        row,
        view.doubtfulTests.filter(({ runId }) => runId === row.id),
      ),
    ),
    messages: view.messages.map(presentMessage),
    previous: presentPrevious(deployment),
    ...presentSurroundings(view),
    configVersions: configs.map((config) => ({ ...config, changedKeys: [...config.changedKeys] })),
    configuration: presentConfiguration(deployment),
    timeline: buildTimeline(view),
    gate: view.gate === undefined ? null : presentDecisionView(view.gate, reader),
  }
}

/** Returns what the commit of a deployment needs of its environment. */
function presentConfiguration({
  check,
  environmentId,
}: DeploymentView['deployment']): Detail['configuration'] {
  const environments = check?.results.flatMap((schema) =>
    schema.environments.filter((each) => each.environmentId === environmentId),
  )
  if (check === null || environments === undefined || environments.length === 0) return null
  const missing = environments.flatMap((each) => each.missing)
  const invalid = environments.flatMap((each) => each.invalid.map(({ key }) => key))
  const isWarned = environments.some(({ breaking }) => breaking.length > 0)
  const isReady = missing.length + invalid.length === 0
  return {
    checkId: check.id,
    conclusion: isReady ? (isWarned ? 'neutral' : 'success') : 'failure',
    missing,
    invalid,
    checkedAt: new Date(check.checkedAt).toISOString(),
  }
}

/** Returns why the commits of a deployment were not read; `null` where they were, or are to be. */
function explainUnread({
  deployment: { range, commitsSkipped },
  ground,
}: Pick<DeploymentView, 'deployment' | 'ground'>): string | null {
  if (range !== null) return null
  if (ground.codehost === null) {
    return 'Its commits cannot be read, because no code host is connected.'
  }
  return commitsSkipped?.reason ?? null
}

/** Returns the neighbours of a deployment, and what its code host can show and do. */
function presentSurroundings({
  deployment,
  surroundings,
  workflows,
}: DeploymentView): Pick<
  Detail,
  | 'older'
  | 'newer'
  | 'compareUrl'
  | 'codehostRepositoryId'
  | 'madeBy'
  | 'deployWorkflow'
  | 'canRunWorkflows'
> {
  const { older, newer, repositoryUrl, repositoryExternalId, provider, madeBy } = surroundings
  const { previousSha, sha, isOfFormerHost } = deployment
  // The connected one knows neither the addresses nor the workflows of the one that it has replaced.
  const host = isOfFormerHost
    ? undefined
    : providersOfKind('codehost').find(({ name }) => name === provider)
  const compareUrl =
    previousSha === null || previousSha === sha || repositoryUrl === null
      ? undefined
      : host?.toCompareUrl?.(repositoryUrl, previousSha, sha)
  const codehostRepositoryId = host === undefined ? null : repositoryExternalId
  const startable = codehostRepositoryId === null ? [] : workflows
  const canStartMaker = startable.some(({ externalId }) => externalId === madeBy?.id)
  return {
    older,
    newer,
    compareUrl: compareUrl ?? null,
    codehostRepositoryId,
    madeBy,
    deployWorkflow: canStartMaker ? madeBy : null,
    canRunWorkflows: startable.length > 0,
  }
}

function presentPrevious({ previousId, previousSha }: DeploymentDetailRow): Detail['previous'] {
  return previousId === null || previousSha === null ? null : { id: previousId, sha: previousSha }
}

function presentRange({
  base,
  head,
  status,
  total,
  truncated,
}: NonNullable<Detail['range']>): Detail['range'] {
  return { base, head, status, total, truncated }
}

const notShown = {
  currentKey: null,
  title: null,
  type: null,
  status: null,
  statusCategory: null,
  assignee: null,
  priority: null,
  url: null,
}

function presentIssue(row: ShownIssueRow): Detail['issues'][number] {
  const { key, state, reason, evidence } = row
  // An issue that the tracker no longer shows us is not shown either.
  const { currentKey, ...shown } = state === 'forbidden' ? notShown : pickShown(row)
  return {
    key: currentKey ?? key,
    formerKey: currentKey === null || currentKey === key ? null : key,
    state,
    reason,
    ...shown,
    evidence: evidence.map(({ source, sha, text, isRevert }) => ({ source, sha, text, isRevert })),
  }
}

function pickShown({
  currentKey,
  title,
  type,
  status,
  statusCategory,
  assignee,
  priority,
  url,
}: ShownIssueRow) {
  return { currentKey, title, type, status, statusCategory, assignee, priority, url }
}

/** Says why a run ended otherwise than its tests. */
function explainContradiction({ state, passed, failed }: ShownTestRunRow): string[] {
  if (state === 'passed' && (failed ?? 0) > 0)
    return ['Tests failed, but the run passed: it ignores failed tests.']
  const hasOnlyPassed = (passed ?? 0) > 0 && failed === 0
  return state === 'failed' && hasOnlyPassed
    ? ['No test failed, but the run did: another step failed, or not all tests ran.']
    : []
}

function presentTestRun(
  row: ShownTestRunRow,
  doubtful: readonly DoubtfulTestRow[],
): Detail['testRuns'][number] {
  const { deployedSha, testedSha, contaminatedBy } = row
  const isOther = deployedSha !== null && testedSha !== null && deployedSha !== testedSha
  return {
    ...row,
    doubtfulTests: doubtful.map(({ suite, name, state, message }) => ({
      suite,
      name,
      state,
      message,
    })),
    warnings: [
      ...(isOther ? ['The tests ran on another commit than the deployed one.'] : []),
      ...(contaminatedBy === null ? [] : ['Another deployment went live during the run.']),
      ...explainContradiction(row),
    ],
    createdAt: row.createdAt.toISOString(),
    startedAt: toTime(row.startedAt),
    finishedAt: toTime(row.finishedAt),
  }
}
