import type { RestrictedCaller } from '../../audit/caller.ts'
import type { Actor } from '../../http/admission/actor.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import { listCommitRows, type CommitRow } from '../../deployments/commits/commit-rows.ts'
import type { DeploymentDeps } from '../../deployments/deployment-deps.ts'
import {
  findDeploymentDetail,
  findStepGround,
  listLiveConfigs,
  listShownIssues,
  listShownTestRuns,
  listStatusRows,
  type DeploymentDetailRow,
  type LiveConfigRow,
  type ShownIssueRow,
  type ShownTestRunRow,
  type StatusRow,
  type StepGround,
} from './detail-rows.ts'
import { listShownMessages, type ShownMessageRow } from '../notifications/shown-message-rows.ts'
import { listDoubtfulTests, type DoubtfulTestRow } from './doubtful-test-rows.ts'
import {
  findSurroundings,
  listStartableWorkflows,
  type StartableWorkflowRow,
  type SurroundingsRow,
} from './surrounding-rows.ts'
import { findDecisionOfDeployment } from '../gates/decision-view-rows.ts'
import { viewDecisions, type DecisionView } from '../gates/present-decision.ts'
import {
  listUncountedKeys,
  type UncountedCause,
} from '../../deployments/issues/list-uncounted-keys.ts'

/** Describes an issue key of a deployment. `cause`: why it is not counted; `null` of one that is stored. */
export type ViewedIssue = ShownIssueRow & { readonly cause: UncountedCause | null }

/** Describes a deployment and everything that belongs to it. */
export interface DeploymentView {
  readonly deployment: DeploymentDetailRow
  readonly commits: readonly CommitRow[]
  /** Those that count, and keys that count for none. */
  readonly issues: readonly ViewedIssue[]
  readonly statuses: readonly StatusRow[]
  readonly testRuns: readonly ShownTestRunRow[]
  readonly doubtfulTests: readonly DoubtfulTestRow[]
  readonly messages: readonly ShownMessageRow[]
  readonly configs: readonly LiveConfigRow[]
  readonly ground: StepGround
  readonly surroundings: SurroundingsRow
  /** Those of its repository. */
  readonly workflows: readonly StartableWorkflowRow[]
  /** Left out: it did not ask whether it may go on. */
  readonly gate?: DecisionView | undefined
}

/**
 * Reads one deployment in thirteen statements, and one more where tests are in doubt or it waits, however much belongs to it. A deployment that
 * a key may not see is `not_found`, like one that is not there.
 *
 * @param actor who may approve what waits. Left out: nobody
 * @throws {Problem} `not_found`
 */
export async function getDeployment(
  { store }: Pick<DeploymentDeps, 'store'>,
  { orgId, scope, environmentIds }: Pick<RestrictedCaller, 'orgId' | 'scope' | 'environmentIds'>,
  id: string,
  actor?: Actor,
): Promise<DeploymentView> {
  return store.transaction(scope, async (tx) => {
    const [deployment, commits, issues, statuses, testRuns, ...rest] = await Promise.all([
      findDeploymentDetail(tx, orgId, id),
      listCommitRows(tx, orgId, id),
      listShownIssues(tx, orgId, id),
      listStatusRows(tx, orgId, id),
      listShownTestRuns(tx, orgId, id),
      listShownMessages(tx, orgId, id),
      listLiveConfigs(tx, orgId, id),
      findStepGround(tx, orgId),
      findSurroundings(tx, orgId, id),
      listStartableWorkflows(tx, orgId, id),
      findDecisionOfDeployment(tx, orgId, id),
    ])
    const [messages, configs, ground, surroundings, workflows, decision] = rest
    if (deployment === undefined || surroundings === undefined) throw notFound()
    const { environmentId } = deployment
    const isInReach =
      environmentIds === null || (environmentId !== null && environmentIds.includes(environmentId))
    if (!isInReach) throw notFound()
    const doubtful = testRuns.filter(isInDoubt).map(({ id: runId }) => runId)
    const doubtfulTests =
      doubtful.length === 0
        ? []
        : await listDoubtfulTests(tx, orgId, doubtful.slice(0, doubtfulRunsMax))
    const uncounted = await listUncountedKeys(tx, {
      orgId,
      id,
      commits,
      keptCount: issues.length,
    })
    const rows = decision === undefined ? [] : [decision]
    const [gate] = await viewDecisions(tx, orgId, { rows, actor })
    const known = new Set(issues.map(({ key }) => key))
    const left = uncounted.filter(({ key }) => !known.has(key))
    return {
      deployment,
      commits,
      issues: [
        ...issues.map((issue) => ({ ...issue, cause: null })),
        ...left.map((key) => ({ ...notLookedUp, ...key })),
      ],
      statuses,
      testRuns,
      doubtfulTests,
      messages,
      configs,
      ground,
      surroundings,
      workflows,
      gate,
    }
  })
}

const notLookedUp = {
  state: 'ignored',
  issueId: null,
  currentKey: null,
  title: null,
  type: null,
  status: null,
  statusCategory: null,
  assignee: null,
  priority: null,
  url: null,
  fetchedAt: null,
  stateSince: null,
} as const

/** Each may have a hundred thousand tests: those of older runs are not read. */
const doubtfulRunsMax = 5

function isInDoubt({ failed, flaky }: ShownTestRunRow): boolean {
  return (failed ?? 0) + (flaky ?? 0) > 0
}
