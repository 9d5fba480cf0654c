import type { CodehostApi } from '../codehost.ts'
import type { CodehostTestReports } from '../codehosts/test-report.ts'
import type {
  CodehostDeployments,
  CodehostDeploymentNow,
  CodehostStatus,
} from '../codehosts/deployment.ts'
import type { CodehostRepository } from '../codehosts/repository.ts'
import { ProviderError } from '../provider-error.ts'
import {
  createGitlabRequests,
  getPage,
  readAnswer,
  readTotal,
  type GitlabRequestOptions,
  type GitlabRequests,
} from './api-request.ts'
import { compareCommits } from './commits.ts'
import { createGitlabHooks } from './hooks.ts'
import { instanceOf, readProjectId } from './instance.ts'
import { gitlabScopes } from './oauth.ts'
import { createMergeRequestCalls } from './merge-requests.ts'
import { createPipelineCalls } from './pipelines.ts'
import { createStatusCalls } from './statuses.ts'
import { createTestReports, type TestReportLimits } from './test-report.ts'
import { list } from '../codehosts/fields.ts'
import { gitlabCommit, gitlabDeployment, gitlabEnvironment, projectOf } from './shapes.ts'

/** Describes the person's access that a GitLab is called with. */
export interface GitlabApiOptions extends GitlabRequestOptions {
  readonly scopes: readonly string[]
  /** Narrowed in tests, whose answers are smaller. */
  readonly testReportLimits?: TestReportLimits
}

/** Describes the parts that a GitLab has. */
export type GitlabApi = CodehostApi & {
  readonly deployments: Required<CodehostDeployments>
  readonly testReports: CodehostTestReports
}

/** Limits the statuses that are kept between the list of deployments and the question for each. */
const keptStatusesMax = 1_000

/**
 * Creates the API of a GitLab as the person who connected it sees it.
 *
 * @see https://docs.gitlab.com/api/rest/
 */
export function createGitlabApi(options: GitlabApiOptions): GitlabApi {
  const requests = createGitlabRequests(options)
  const instance = instanceOf(options.webUrl)
  const at = (repositoryId: string) => `/projects/${requireProject(instance, repositoryId)}`
  return {
    ...(options.scopes.includes(gitlabScopes.full) && {
      hooks: createGitlabHooks(requests, instance),
    }),
    budget: requests.budget,
    listRepositories: (page) =>
      getPage(
        requests,
        // From Reporter on, a member may read deployments and code.
        {
          path: '/projects?membership=true&min_access_level=20&archived=false&order_by=id&sort=asc',
          page,
        },
        { list, item: projectOf(instance) },
      ),
    deployments: {
      async listEnvironments(repositoryId, page) {
        const path = `${at(repositoryId)}/environments`
        const read = await getPage(requests, { path, page }, { list, item: gitlabEnvironment })
        // Review apps are stopped by the hundred and never deleted.
        return { ...read, items: read.items.filter(({ state }) => state !== 'stopped') }
      },
      ...createDeploymentCalls(requests, instance, at),
    },
    commits: {
      compare: (repositoryId, base, head) =>
        compareCommits(requests, at(repositoryId), { base, head }),
      async get(repositoryId, sha) {
        const path = `${at(repositoryId)}/repository/commits/${encodeURIComponent(sha)}`
        return readAnswer(await requests.get(path), gitlabCommit)
      },
    },
    pullRequests: createMergeRequestCalls(requests, at),
    statuses: createStatusCalls(requests, at),
    testReports: createTestReports(requests, at, options.testReportLimits),
    workflows: createPipelineCalls(requests, {
      at,
      isFull: options.scopes.includes(gitlabScopes.full),
    }),
  }
}

/** @throws {ProviderError} for a repository of another instance or host: its number is another project here. */
function requireProject(instance: string, repositoryId: string): string {
  const id = readProjectId(instance, repositoryId)
  if (id !== undefined) return id
  throw new ProviderError({ provider: 'gitlab', failure: 'notFound', code: 'other_instance' })
}

type DeploymentCalls = Omit<GitlabApi['deployments'], 'listEnvironments'>

const keyOf = (repositoryId: string, id: string) => `${repositoryId} ${id}`

function createDeploymentCalls(
  requests: GitlabRequests,
  instance: string,
  at: (repositoryId: string) => string,
): DeploymentCalls {
  // A deployment is its own status, so the list has answered the question for each.
  const listed = new Map<string, CodehostStatus>()
  const readOne = async (repositoryId: string, id: string) => {
    const path = `${at(repositoryId)}/deployments/${encodeURIComponent(id)}`
    const answer = await requests.get(path, { accept: [404] })
    return answer.status === 404 ? undefined : readAnswer(answer, gitlabDeployment)
  }
  return {
    async list(repositoryId, page, changedSince) {
      const order = changedSince === undefined ? 'id' : 'updated_at'
      const query = new URLSearchParams({
        order_by: order,
        sort: 'desc',
        ...(changedSince !== undefined && { updated_after: changedSince.toISOString() }),
      })
      const path = `${at(repositoryId)}/deployments?${query.toString()}`
      const read = await getPage(requests, { path, page }, { list, item: gitlabDeployment })
      if (listed.size > keptStatusesMax) listed.clear()
      for (const { deployment, status } of read.items)
        listed.set(keyOf(repositoryId, deployment.externalId), status)
      return { ...read, items: read.items.map(({ deployment }) => deployment) }
    },
    async count(repositoryId) {
      return readTotal(await requests.get(`${at(repositoryId)}/deployments?per_page=1`))
    },
    async listStatuses(repositoryId, deploymentId) {
      const key = keyOf(repositoryId, deploymentId)
      const known = listed.get(key)
      listed.delete(key)
      if (known !== undefined) return [known]
      const current = await readOne(repositoryId, deploymentId)
      return current === undefined ? [] : [current.status]
    },
    async read(repositoryId, deploymentId): Promise<CodehostDeploymentNow | undefined> {
      const current = await readOne(repositoryId, deploymentId)
      if (current === undefined) return undefined
      const answer = await requests.get(at(repositoryId))
      const repository: CodehostRepository = readAnswer(answer, projectOf(instance))
      const { deployment, status } = current
      return { repository, deployment, statuses: [status] }
    },
  }
}
