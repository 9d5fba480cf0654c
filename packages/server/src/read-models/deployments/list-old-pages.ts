import type { Tx } from '../../store/store.ts'
import { listMessagesOfDeployments } from '../notifications/shown-message-rows.ts'
import type { ArchivedPage } from './archived-page.ts'
import { findStepGround, statusesShown, testRunsShown } from './detail-rows.ts'
import type { DeploymentView } from './get-deployment.ts'
import {
  listCommitsOf,
  listConfigsOf,
  listDetailRows,
  listIssuesOf,
  listStatusesOf,
  listSurroundingsOf,
  listTestRunsOf,
  type Of,
} from './old-page-rows.ts'
import { presentDetail } from './present-deployment.ts'

/** Limits the messages of a page, of which there is one for each route. */
const messagesShown = 50

/**
 * Reads the pages of deployments that are about to be archived, by their ids, in nine statements however many they are. A page has
 * less than that of a stored deployment: the newest commits alone, not the tests that failed, whose results are deleted before, not the keys that count for
 * no issue, which follow the projects that are tracked now, and not what changed in the configuration since the deployment before,
 * which may be archived already. Its timeline offers nothing to do.
 */
export async function listOldPages(
  tx: Pick<Tx, 'query'>,
  orgId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ArchivedPage>> {
  const [deployments, ground, commits, issues, statuses, testRuns, ...rest] = await Promise.all([
    listDetailRows(tx, orgId, ids),
    findStepGround(tx, orgId),
    listCommitsOf(tx, orgId, ids),
    listIssuesOf(tx, orgId, ids),
    listStatusesOf(tx, orgId, ids),
    listTestRunsOf(tx, orgId, ids),
    listMessagesOfDeployments(tx, orgId, ids),
    listConfigsOf(tx, orgId, ids),
    listSurroundingsOf(tx, orgId, ids),
  ])
  const [messages, configs, surroundings] = rest
  const of = {
    commits: group(commits),
    issues: group(issues),
    statuses: group(statuses),
    testRuns: Map.groupBy(testRuns, ({ deploymentId }) => deploymentId ?? ''),
    messages: group(messages),
    configs: group(configs),
    surroundings: new Map(surroundings.map(({ of: id, ...row }) => [id, row])),
  }
  return new Map(
    deployments.flatMap((deployment) => {
      const { id } = deployment
      const around = of.surroundings.get(id)
      if (around === undefined) return []
      const view: DeploymentView = {
        deployment,
        ground,
        commits: of.commits.get(id) ?? [],
        issues: (of.issues.get(id) ?? []).map((issue) => ({ ...issue, cause: null })),
        statuses: (of.statuses.get(id) ?? []).slice(-statusesShown),
        testRuns: (of.testRuns.get(id) ?? []).slice(0, testRunsShown),
        doubtfulTests: [],
        messages: (of.messages.get(id) ?? []).slice(0, messagesShown),
        configs: (of.configs.get(id) ?? []).map((config) => ({ ...config, ...notCompared })),
        surroundings: around,
        workflows: [],
      }
      return [[id, toPage(view)] as const]
    }),
  )
}

const notCompared = {
  versionId: null,
  previousVersion: null,
  previousVersionId: null,
  changedKeys: [],
}

function toPage(view: DeploymentView): ArchivedPage {
  const { archivedAt: _none, ...page } = presentDetail(view)
  return {
    ...page,
    messages: page.messages.map((message) => ({ ...message, nextStep: null, canSendAgain: false })),
    timeline: page.timeline.map((entry) => ({ ...entry, nextStep: null, actions: [] })),
  }
}

function group<Row>(rows: readonly Of<Row>[]): ReadonlyMap<string, Omit<Of<Row>, 'of'>[]> {
  const groups = new Map<string, Omit<Of<Row>, 'of'>[]>()
  for (const { of, ...row } of rows) {
    const known = groups.get(of)
    if (known === undefined) groups.set(of, [row])
    else known.push(row)
  }
  return groups
}
