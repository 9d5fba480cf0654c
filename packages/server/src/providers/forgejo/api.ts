import type { CodehostApi } from '../codehost.ts'
import { instanceOf } from '../codehosts/instance-ids.ts'
import { createForgejoRequests, getPage, type ForgejoRequestOptions } from './api-request.ts'
import { compareCommits, getCommit } from './commits.ts'
import { createForgejoHooks } from './hooks.ts'
import { canWrite } from './oauth.ts'
import type { KnownProduct } from './instance-version.ts'
import { createRepositoryPaths, type KnownPaths } from './repository-paths.ts'
import { createPullRequestCalls } from './pull-requests.ts'
import { createStatusCalls } from './statuses.ts'
import { list } from '../codehosts/fields.ts'
import { listedRepositoryOf } from './shapes.ts'
import { createWorkflowCalls } from './workflows.ts'

/** Describes the person's access that an instance is called with. */
export interface ForgejoApiOptions extends ForgejoRequestOptions {
  readonly scopes: readonly string[]
  readonly accountId: string
  /** Holds what the calls of one process share. Left out: they share nothing. */
  readonly memory?: ForgejoMemory | undefined
}

/** Holds what was read of an instance. */
export interface ForgejoMemory {
  readonly paths: KnownPaths
  readonly product: KnownProduct
}

/** Creates a memory of nothing. */
export function createForgejoMemory(): ForgejoMemory {
  return { paths: new Map(), product: { isGitea: undefined } }
}

/**
 * Creates the API of a Forgejo or Gitea as the person who connected it sees it. It has no deployments and no environments: pipelines
 * report those.
 *
 * @see https://codeberg.org/api/swagger
 */
export function createForgejoApi(options: ForgejoApiOptions): CodehostApi {
  const requests = createForgejoRequests(options)
  const instance = instanceOf(options.webUrl)
  const { accountId, memory = createForgejoMemory(), call } = options
  const paths = createRepositoryPaths(requests, {
    instance,
    accountId,
    now: call.now,
    known: memory.paths,
  })
  const isFull = canWrite(options.scopes)
  const listed = listedRepositoryOf(instance)
  return {
    ...(isFull && { hooks: createForgejoHooks({ requests, paths }) }),
    // It has no limit of its own. One in front of it answers 429.
    budget: () => undefined,
    async listRepositories(page) {
      const read = await getPage(requests, { path: '/user/repos', page }, { list, item: listed })
      const open = read.items.filter(({ isArchived }) => !isArchived)
      return { ...read, items: open.map(({ repository }) => repository) }
    },
    commits: {
      compare: (repositoryId, base, head) =>
        paths.with(repositoryId, (path) => compareCommits(requests, path, { base, head })),
      get: (repositoryId, sha) =>
        paths.with(repositoryId, (path) => getCommit(requests, path, sha)),
    },
    pullRequests: createPullRequestCalls(requests, paths),
    statuses: createStatusCalls(requests, paths),
    workflows: createWorkflowCalls({ requests, paths, isFull, product: memory.product }),
  }
}
