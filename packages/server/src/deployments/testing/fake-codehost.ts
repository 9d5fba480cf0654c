import type { CodehostApi } from '../../providers/codehost.ts'
import type {
  CodehostBudget,
  CodehostPage,
  CodehostRepository,
} from '../../providers/codehosts/repository.ts'
import type { CodehostComparison } from '../../providers/codehosts/commit.ts'
import type { CommitStatus } from '../../providers/codehosts/commit-status.ts'
import type { CodehostDeployment, CodehostStatus } from '../../providers/codehosts/deployment.ts'
import type { CodehostPullRequest } from '../../providers/codehosts/pull-request.ts'
import { ProviderError, type ProviderFailure } from '../../providers/provider-error.ts'

/** A repository of the pretended host, with what it has. Tests change it as people would. */
export interface FakeRepository extends CodehostRepository {
  environments: string[]
  /** In any order. */
  deployments: { readonly deployment: CodehostDeployment; readonly statuses: CodehostStatus[] }[]
}

/** A code host in memory that counts what it is asked. */
export interface FakeCodehost extends CodehostApi {
  repositories: FakeRepository[]
  /** Each call, such as `listStatuses 1296269 1001`. */
  readonly calls: string[]
  /** Asked before each call is answered; what it throws is the answer. */
  beforeCall: (call: string) => void
  /** Holds the rest of the request budget, as the host reports it with its answers. */
  left: CodehostBudget | undefined
  /** Of commits; left out: they say nothing much. */
  readonly messages: Map<string, string>
  /** Maps a commit to its parents; left out: it has none. */
  readonly parents: Map<string, readonly string[]>
  /** Holds the pull requests, by `repository number`. */
  readonly pulls: Map<string, CodehostPullRequest>
  /** Lists what was written beside commits, oldest first. */
  readonly written: CommitStatus[]
  /** Says how commits lie to each other; left out: each is ahead of its base by itself. */
  comparison: ((base: string, head: string) => CodehostComparison) | undefined
}

/** An error as the adapter of a host throws it. */
export function hostFailure(failure: ProviderFailure, retryAt?: Date): ProviderError {
  return new ProviderError({ provider: 'github', failure, code: `test_${failure}`, retryAt })
}

/** @param pageSize how many of everything are on a page. */
export function createFakeCodehost(pageSize = 100): FakeCodehost {
  const refuse = () => Promise.reject(hostFailure('rejected'))
  const find = (id: string): FakeRepository => {
    const found = host.repositories.find(({ externalId }) => externalId === id)
    if (found === undefined) throw hostFailure('notFound')
    return found
  }
  const ask = async <Answer>(call: string, answer: () => Answer): Promise<Answer> => {
    host.calls.push(call)
    host.beforeCall(call)
    if (host.left !== undefined) host.left = { ...host.left, remaining: host.left.remaining - 1 }
    return Promise.resolve(answer())
  }
  const pageOf = <Item>(items: readonly Item[], page: string | undefined): CodehostPage<Item> => {
    const from = Number(page ?? 0) * pageSize
    const isMore = items.length > from + pageSize
    return {
      items: items.slice(from, from + pageSize),
      nextPage: isMore ? String(Number(page ?? 0) + 1) : undefined,
      total: items.length,
    }
  }
  const commitOf = (sha: string) => {
    const message = host.messages.get(sha) ?? 'Change something'
    return { sha, message, author: null, at: null, url: null, parents: host.parents.get(sha) ?? [] }
  }
  const host: FakeCodehost = {
    repositories: [],
    calls: [],
    beforeCall: () => undefined,
    left: undefined,
    messages: new Map(),
    parents: new Map(),
    pulls: new Map(),
    written: [],
    comparison: undefined,
    budget: () => host.left,
    listRepositories: (page) =>
      ask(`listRepositories ${page ?? ''}`, () => {
        const { items, ...of } = pageOf(host.repositories, page)
        return {
          ...of,
          items: items.map(({ environments: _e, deployments: _d, ...found }) => found),
        }
      }),
    deployments: {
      listEnvironments: (id, page) =>
        ask(`listEnvironments ${id}`, () =>
          pageOf(
            find(id).environments.map((name) => ({ name })),
            page,
          ),
        ),
      list: (id, page) =>
        ask(`listDeployments ${id} ${page ?? ''}`, () =>
          pageOf(
            find(id)
              .deployments.map(({ deployment }) => deployment)
              .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime()),
            page,
          ),
        ),
      count: (id) => ask(`countDeployments ${id}`, () => find(id).deployments.length),
      listStatuses: (id, deploymentId) =>
        ask(`listStatuses ${id} ${deploymentId}`, () => {
          const found = find(id).deployments.find((of) => of.deployment.externalId === deploymentId)
          if (found === undefined) throw hostFailure('notFound')
          return found.statuses.toSorted((a, b) => b.at.getTime() - a.at.getTime())
        }),
    },
    commits: {
      compare: (id, base, head) =>
        ask(`compare ${id} ${base.slice(-4)} ${head.slice(-4)}`, () => {
          const one = { commits: [commitOf(head)], total: 1, isTruncated: false }
          return host.comparison?.(base, head) ?? { status: 'ahead', ...one }
        }),
      get: (id, sha) => ask(`getCommit ${id} ${sha.slice(-4)}`, () => commitOf(sha)),
    },
    pullRequests: {
      find: (id, number) =>
        ask(`findPullRequest ${id} ${number}`, () => host.pulls.get(`${id} ${number}`)),
    },
    statuses: {
      write: (id, status) =>
        ask(`writeStatus ${id} ${status.sha.slice(-4)}`, () => {
          host.written.push(status)
          const externalId = status.externalId ?? `check-${host.written.length}`
          return { kind: 'check_run', externalId, url: null } as const
        }),
    },
    workflows: {
      list: refuse,
      start: refuse,
      listRequestedRuns: refuse,
      readInterface: refuse,
      findRun: refuse,
    },
  }
  return host
}
