import { z } from 'zod'
import type { CodehostApi } from '../codehost.ts'
import type { CodehostWorkflows } from '../codehosts/workflow.ts'
import { ProviderError } from '../provider-error.ts'
import { compareCommits, githubCommit } from './api-compare.ts'
import { createPullRequestCalls } from './checks/api-pull-requests.ts'
import { createStatusCalls } from './checks/api-statuses.ts'
import { createWaitCalls } from './checks/api-waits.ts'
import {
  createGithubRequests,
  lastPageOf,
  nextLink,
  readAnswer,
  type GithubApiOptions,
  type GithubRequests,
} from './api-request.ts'
import { readWorkflowInterface } from './workflows/api-read-workflow.ts'
import { startWorkflow } from './workflows/api-start-workflow.ts'
import { keepReadable, type ReadPage } from '../codehosts/read-answer.ts'
import { requestedEvent } from '../codehosts/workflow.ts'
import { githubRun } from './run-shape.ts'
import { externalId, list } from '../codehosts/fields.ts'
import { githubDeployment, githubRepository, githubStatus } from './shapes.ts'

const repositories = { field: 'repositories', item: githubRepository }
const environments = { field: 'environments', item: z.object({ name: z.string() }) }
const deployments = { item: githubDeployment }
const workflows = {
  field: 'workflows',
  item: z
    .object({ id: externalId, name: z.string(), path: z.string(), state: z.string() })
    .transform(({ id, ...found }) => ({ externalId: id, ...found })),
}
const runs = { field: 'workflow_runs', item: githubRun }

/** Describes the parts that GitHub has. */
type GithubApi = CodehostApi & Required<Pick<CodehostApi, 'deployments' | 'waits'>>

const pageItems = 100
/** Limits the pages of a list: GitHub lists a thousand runs of a filter at most, and no repository has more workflows. */
const pagesMax = 10

/**
 * Creates the API of GitHub as an installation sees it. It addresses a repository by its number, which a rename does not change.
 *
 * @see https://docs.github.com/en/rest
 */
export function createGithubApi({
  scopes,
  ...options
}: GithubApiOptions & { readonly scopes: readonly string[] }): GithubApi {
  const requests = createGithubRequests(options)
  return {
    listRepositories: (page) =>
      getPage(requests, { path: '/installation/repositories', page }, repositories),
    deployments: {
      listEnvironments: (repositoryId, page) =>
        getPage(requests, { path: `${at(repositoryId)}/environments`, page }, environments),
      list: (repositoryId, page) =>
        getPage(requests, { path: `${at(repositoryId)}/deployments`, page }, deployments),
      async count(repositoryId) {
        const answer = await requests.get(`${at(repositoryId)}/deployments?per_page=1`)
        return lastPageOf(answer) ?? readAnswer(answer, list).length
      },
      async listStatuses(repositoryId, deploymentId) {
        const path = `${at(repositoryId)}/deployments/${encodeURIComponent(deploymentId)}/statuses`
        return (await getPage(requests, { path }, { item: githubStatus })).items
      },
    },
    commits: {
      compare: (repositoryId, base, head) =>
        compareCommits(requests, at(repositoryId), { base, head }),
      async get(repositoryId, sha) {
        // The page is one of the files that were changed, which are not needed.
        const path = `${at(repositoryId)}/commits/${encodeURIComponent(sha)}?per_page=1`
        const answer = await requests.get(path, { accept: [422] })
        if (answer.status === 422) throw noSuch('commit')
        return readAnswer(answer, githubCommit)
      },
    },
    workflows: createWorkflows(requests),
    pullRequests: createPullRequestCalls(requests, at),
    statuses: createStatusCalls(requests, { at, scopes }),
    waits: createWaitCalls(requests, at),
    budget: requests.budget,
  }
}

function createWorkflows(requests: GithubRequests): CodehostWorkflows {
  return {
    async list(repositoryId) {
      return (await getAll(requests, `${at(repositoryId)}/actions/workflows`, workflows)).items
    },
    readInterface: (repositoryId, of) => readWorkflowInterface(requests, at(repositoryId), of),
    start: (repositoryId, of) => startWorkflow(requests, at(repositoryId), of),
    async listRequestedRuns(repositoryId, { workflowId, from, to }) {
      const created = `${toSecond(from, Math.floor)}..${toSecond(to, Math.ceil)}`
      const query = new URLSearchParams({ event: requestedEvent, created })
      const path = `${at(repositoryId)}/actions/workflows/${encodeURIComponent(workflowId)}/runs`
      const { items, isComplete } = await getAll(requests, `${path}?${query.toString()}`, runs)
      return { runs: items, isComplete }
    },
    async findRun(repositoryId, runId) {
      const path = `${at(repositoryId)}/actions/runs/${encodeURIComponent(runId)}`
      const answer = await requests.get(path, { accept: [404] })
      return answer.status === 404 ? undefined : readAnswer(answer, githubRun)
    },
  }
}

function at(repositoryId: string): string {
  return `/repositories/${encodeURIComponent(repositoryId)}`
}

function noSuch(what: string): ProviderError {
  return new ProviderError({ provider: 'github', failure: 'notFound', code: `no_such_${what}` })
}

/** A search of GitHub knows seconds. */
function toSecond(moment: Date, toInteger: (seconds: number) => number): string {
  const seconds = toInteger(moment.getTime() / 1000)
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
}

/** Where the items of a list stand in an answer, and what one looks like. */
interface ListOf<Item extends z.ZodType> {
  /** Left out: the answer is the list. */
  readonly field?: string
  readonly item: Item
}

const counted = z.object({
  total_count: z.number().int().nonnegative().optional().catch(undefined),
})
const listIn = (field: string) =>
  z
    .record(z.string(), z.unknown())
    .transform((answer) => answer[field])
    .pipe(list)

async function getPage<Item extends z.ZodType>(
  { get }: GithubRequests,
  { path, page = '1' }: { readonly path: string; readonly page?: string | undefined },
  { field, item }: ListOf<Item>,
): Promise<ReadPage<z.output<Item>>> {
  const number = Number(page)
  if (!Number.isSafeInteger(number) || number < 1) throw new RangeError(`No page: ${page}`)
  const sign = path.includes('?') ? '&' : '?'
  const answer = await get(`${path}${sign}per_page=${pageItems}&page=${number}`)
  const listed = readAnswer(answer, field === undefined ? list : listIn(field))
  const nextPage = nextLink(answer) === undefined ? undefined : String(number + 1)
  const total = field === undefined ? undefined : readAnswer(answer, counted).total_count
  return { ...keepReadable(listed, item), nextPage, total }
}

/** Reads the pages of a list. The last that may be read names no next one, whatever GitHub has, so with it a list is not complete. */
async function getAll<Item extends z.ZodType>(
  requests: GithubRequests,
  path: string,
  of: ListOf<Item>,
): Promise<{ readonly items: z.output<Item>[]; readonly isComplete: boolean }> {
  const items: z.output<Item>[] = []
  let page: string | undefined = '1'
  let pages = 0
  let unreadable = 0
  for (; page !== undefined && pages < pagesMax; pages += 1) {
    const read: ReadPage<z.output<Item>> = await getPage(requests, { path, page }, of)
    items.push(...read.items)
    unreadable += read.unreadable
    page = read.nextPage
  }
  return { items, isComplete: pages < pagesMax && unreadable === 0 }
}
