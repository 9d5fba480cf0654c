import { deploymentStates } from '@signalbox/contract'
import { deploymentEndpoints, type ResponseOf } from '@signalbox/contract/rest'
import { z } from 'zod'
import { defineTool, type ToolContext } from '../tool.ts'
import { toUntrusted } from '../untrusted.ts'
import { pageInput } from './page-input.ts'
import { environmentName, findEnvironment, listEnvironments } from './find-by-name.ts'

type Deployment = ResponseOf<typeof deploymentEndpoints.listDeployments>['items'][number]

/** Lists deployments, or shows one with everything about it. */
export const deploymentsTool = defineTool({
  name: 'deployments',
  title: 'Deployments',
  description:
    'Deployments, newest first, with tests and issues. With `id` (dep_…): one deployment with its commits, issues, failing steps and the configuration versions it went live with.',
  scope: 'read',
  input: z.object({
    id: z.string().max(40).optional(),
    environment: environmentName.optional(),
    repository: z.string().max(255).optional(),
    state: z.enum(deploymentStates).optional(),
    issueKey: z.string().max(50).optional(),
    ...pageInput,
  }),
  async run(context, { id, environment, limit, ...filters }) {
    if (id !== undefined) return showDeployment(context, id)
    const environmentId =
      environment === undefined ? undefined : (await findEnvironment(context, environment)).id
    const [page, environments] = await Promise.all([
      context.call(deploymentEndpoints.listDeployments, {
        query: { ...filters, environmentId, limit: String(limit) },
      }),
      listEnvironments(context),
    ])
    const nameOf = new Map(environments.map((each) => [each.id, each.name]))
    return {
      deployments: page.items.map((each) => present(each, nameOf)),
      nextCursor: page.nextCursor,
    }
  },
})

function present(deployment: Deployment, nameOf: ReadonlyMap<string, string>) {
  const { id, repository, sha, environmentId, state, relation, tests, createdAt } = deployment
  const { finishedAt, issueKeys, messageState, commitMessage, ref, creator } = deployment
  return {
    id,
    repository,
    sha: sha.slice(0, 12),
    environment: environmentId === null ? undefined : nameOf.get(environmentId),
    state,
    relation,
    tests: tests && { state: tests.state, passed: tests.passed, failed: tests.failed },
    issues: issueKeys,
    messages: messageState,
    createdAt,
    finishedAt,
    ...toUntrusted({ commit: commitMessage, ref, by: creator?.name }),
  }
}

const mostItems = 30

async function showDeployment(context: ToolContext, id: string) {
  const [detail, environments] = await Promise.all([
    context.call(deploymentEndpoints.getDeployment, { params: { deployment_id: id } }),
    listEnvironments(context),
  ])
  const nameOf = new Map(environments.map((each) => [each.id, each.name]))
  return {
    ...present(detail, nameOf),
    previous: detail.previous && { id: detail.previous.id, sha: detail.previous.sha.slice(0, 12) },
    commits: detail.commits.slice(0, mostItems).map(({ sha, message, author, at }) => ({
      sha: sha.slice(0, 12),
      at,
      ...toUntrusted({ message, by: author?.name }),
    })),
    moreCommits: Math.max(0, detail.commits.length - mostItems),
    issueDetails: detail.issues.slice(0, mostItems).map(({ key, state, status, title }) => ({
      key,
      state,
      ...toUntrusted({ title, status }),
    })),
    configVersions: detail.configVersions.map(
      ({ schema, version, versionId, previousVersion, changedKeys }) => ({
        schema,
        version,
        versionId,
        previousVersion,
        changedKeys,
      }),
    ),
    notDone: detail.timeline
      .filter(({ state }) => state !== 'done')
      .slice(0, mostItems)
      .map(({ kind, state, title, detail: why, nextStep }) => ({
        kind,
        state,
        ...toUntrusted({ title, detail: why, nextStep }),
      })),
    link: context.linkTo({ page: 'deployment', params: { deploymentId: id } }),
  }
}
