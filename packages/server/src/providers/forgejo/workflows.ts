import { z } from 'zod'
import type { OutboundAnswer } from '../../egress/create-egress.ts'
import type { CodehostWorkflows } from '../codehosts/workflow.ts'
import type { CodehostRun, RequestedRuns } from '../codehosts/run.ts'
import type {
  CodehostWorkflow,
  StartErrorCode,
  WorkflowInterface,
  WorkflowRequest,
  WorkflowStart,
} from '../codehosts/workflow.ts'
import { readForeignJson } from '../../egress/foreign-json.ts'
import { ProviderError } from '../provider-error.ts'
import { requestedEvent } from '../codehosts/workflow.ts'
import { getPage, readAnswer, type ForgejoRequests } from './api-request.ts'
import { isGiteaInstance, type KnownProduct } from './instance-version.ts'
import type { RepositoryPaths } from './repository-paths.ts'
import { forgejoRun } from './run-shape.ts'
import { externalId, list } from '../codehosts/fields.ts'

/** Describes what the calls of workflows work with. */
export interface WorkflowCallsOptions {
  readonly requests: ForgejoRequests
  readonly paths: RepositoryPaths
  /** True: the access may start workflows. */
  readonly isFull: boolean
  readonly product: KnownProduct
}

const runs = z.object({ workflow_runs: list }).transform(({ workflow_runs: all }) => all)
const countOfRuns = z.object({ total_count: z.number() }).transform(({ total_count: n }) => n)
const runPagesMax = 5

/**
 * Creates the calls of workflows. A workflow is known by the name of its file. Forgejo has no call that lists them, so the folder is
 * read that the instance reads.
 *
 * @see https://forgejo.org/docs/latest/user/actions/reference/
 */
export function createWorkflowCalls(options: WorkflowCallsOptions): CodehostWorkflows {
  const { requests, paths, isFull, product } = options
  const isOfGitea = () => isGiteaInstance(requests, product)
  const files = createWorkflowFiles(requests, isOfGitea)
  return {
    list: (repositoryId) =>
      paths.with(repositoryId, async (repository) =>
        (await files.list(repository)).map(({ name, path }): CodehostWorkflow => ({
          externalId: name,
          name,
          path,
          state: isFull ? 'active' : 'read_only',
        })),
      ),
    readInterface: (repositoryId, { workflowId, ref }) =>
      paths.with(repositoryId, async (repository) => {
        const read = await files.read(repository, workflowId, ref)
        if (read === undefined) return undefined
        // Forgejo keeps the inputs of a run, whether its title shows them or not.
        const own = read.inputs.map(({ name }) => name)
        const shownInputs = (await isOfGitea()) ? read.shownInputs : own
        return { ...read, isStartable: read.isStartable && isFull, shownInputs }
      }),
    start: async (repositoryId, request) =>
      // A start is never repeated, so that no name of before may be used.
      startWorkflow({ requests, files }, await paths.current(repositoryId), request),
    listRequestedRuns: (repositoryId, of) =>
      paths.with(repositoryId, (repository) => listRequestedRuns(requests, repository, of)),
    findRun: (repositoryId, runId) =>
      paths.with(repositoryId, async (repository) => {
        const path = `${repository}/actions/runs/${encodeURIComponent(runId)}`
        const answer = await requests.get(path, { accept: [404] })
        return answer.status === 404 ? undefined : readAnswer(answer, forgejoRun).run
      }),
  }
}

interface WorkflowFile {
  readonly name: string
  readonly path: string
}

interface WorkflowFiles {
  /** Lists the workflows of the default branch. */
  list(repository: string): Promise<readonly WorkflowFile[]>
  /** Reads what a workflow declares; `undefined` where its file is not there, or not understood. */
  read(
    repository: string,
    workflowId: string,
    ref: string | undefined,
  ): Promise<WorkflowInterface | undefined>
}

/** The first of these that a repository has is the one that counts. */
const foldersOfForgejo = ['.forgejo/workflows', '.gitea/workflows', '.github/workflows']
const foldersOfGitea = foldersOfForgejo.slice(1)

const entry = z.object({ name: z.string(), path: z.string(), type: z.string() })
const content = z
  .object({
    type: z.literal('file'),
    encoding: z.literal('base64'),
    content: z.string(),
  })
  .nullable()
  .catch(null)

/** Without the right to code the answer is 403: that is no trouble of the integration. */
const accept = [403, 404]

function createWorkflowFiles(
  requests: Pick<ForgejoRequests, 'get'>,
  isOfGitea: () => Promise<boolean>,
): WorkflowFiles {
  const readContents = (repository: string, path: string, ref: string | undefined) => {
    const segments = path.split('/').map(encodeURIComponent).join('/')
    const query = ref === undefined ? '' : `?ref=${encodeURIComponent(ref)}`
    return requests.get(`${repository}/contents/${segments}${query}`, { accept })
  }
  const listFiles = async (repository: string, ref?: string): Promise<readonly WorkflowFile[]> => {
    for (const folder of (await isOfGitea()) ? foldersOfGitea : foldersOfForgejo) {
      const answer = await readContents(repository, folder, ref)
      if (answer.status !== 200) continue
      return readAnswer(answer, list).flatMap((one) => {
        const { data } = entry.safeParse(one)
        const isWorkflow = data?.type === 'file' && /\.ya?ml$/.test(data.name)
        return isWorkflow ? [{ name: data.name, path: data.path }] : []
      })
    }
    return []
  }
  return {
    list: listFiles,
    async read(repository, workflowId, ref) {
      const name = workflowId.split('/').at(-1)
      const path = workflowId.includes('/')
        ? workflowId
        : (await listFiles(repository, ref)).find((file) => file.name === name)?.path
      if (path === undefined) return undefined
      const answer = await readContents(repository, path, ref)
      if (answer.status !== 200) return undefined
      const file = readAnswer(answer, content)
      if (file === null) return undefined
      // Loaded with the first file, with the reader of YAML.
      const { parseWorkflowFile } = await import('../codehosts/workflow-file.ts')
      return parseWorkflowFile(Buffer.from(file.content, 'base64'))
    },
  }
}

const started = z.union([
  z.object({ id: externalId, run_number: externalId }),
  z.object({ workflow_run_id: externalId, html_url: z.string().min(1).nullable().catch(null) }),
])

/**
 * Starts a workflow, once. Forgejo and Gitea are asked for the run's number in their own ways, and each ignores the other's. Older
 * versions answer 204, and do not say as which run. What an instance would answer 500 is found out before.
 *
 * @see https://codeberg.org/api/swagger#/repository/DispatchWorkflow
 */
async function startWorkflow(
  { requests, files }: { readonly requests: ForgejoRequests; readonly files: WorkflowFiles },
  repository: string,
  { workflowId, ref, inputs }: WorkflowRequest,
): Promise<WorkflowStart> {
  const read = await files.read(repository, workflowId, ref)
  if (read === undefined) return refuse('rejected', await codeOfMissing(requests, repository, ref))
  if (!read.isStartable) return refuse('rejected', 'no_dispatch_trigger' satisfies StartErrorCode)
  const declared = new Set(read.inputs.map(({ name }) => name))
  const own = Object.entries(inputs).filter(([name]) => declared.has(name))
  const name = workflowId.split('/').at(-1) ?? workflowId
  const path = `${repository}/actions/workflows/${encodeURIComponent(name)}/dispatches`
  const json = { ref, inputs: Object.fromEntries(own), return_run_info: true }
  try {
    const answer = await requests.send('POST', `${path}?return_run_details=true`, {
      json,
      accept: [400, 404, 422],
    })
    if (answer.status >= 400) return refuse('rejected', codeOf(answer))
    return readStart(answer)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (error.failure === 'ambiguous') return { outcome: 'ambiguous' }
    if (error.failure === 'forbidden') return refuse('forbidden', 'forbidden')
    if (error.failure === 'rejected') return { outcome: 'refused', error }
    throw error
  }
}

/** Forgejo's answer has no address, and its pages count the runs of a repository, which the run itself says. */
function readStart({ body }: OutboundAnswer): WorkflowStart {
  const { data } = started.safeParse(readForeignJson(body))
  if (data === undefined) return { outcome: 'ambiguous' }
  return 'id' in data
    ? { outcome: 'started', runId: data.id, runUrl: null }
    : { outcome: 'started', runId: data.workflow_run_id, runUrl: data.html_url }
}

async function codeOfMissing(
  { get }: Pick<ForgejoRequests, 'get'>,
  repository: string,
  ref: string,
): Promise<StartErrorCode> {
  const answer = await get(
    `${repository}/git/commits/${encodeURIComponent(ref)}?stat=false&verification=false&files=false`,
    { accept: [404, 422] },
  )
  return answer.status === 200 ? 'not_found' : 'ref_not_found'
}

function refuse(failure: 'forbidden' | 'rejected', code: string): WorkflowStart {
  return { outcome: 'refused', error: new ProviderError({ provider: 'forgejo', failure, code }) }
}

const rejection = z.object({ message: z.string() })
const codes = [
  [/input/i, 'input_required'],
  [/disabled/i, 'workflow_disabled'],
  [/ref|branch/i, 'ref_not_found'],
] as const satisfies readonly (readonly [RegExp, StartErrorCode])[]

/** They say why by sentences alone. */
function codeOf({ status, body }: OutboundAnswer): string {
  if (status === 404) return 'not_found'
  const message = rejection.safeParse(readForeignJson(body)).data?.message ?? ''
  return codes.find(([pattern]) => pattern.test(message))?.[1] ?? `http_${status}`
}

type Span = { readonly from: Date; readonly to: Date }

/** Returns whether a run is of a span of time. One that has not begun has no time at Gitea: it is a new one. */
function isInTime(createdAt: Date | null, { from, to }: Span): boolean {
  return createdAt === null || (createdAt >= from && createdAt <= to)
}

/**
 * Lists runs by pages, newest first, because the API filters by neither time nor, at Gitea, workflow. A repository that starts so
 * many within the time that they fill the pages gets an answer that is not complete.
 */
async function listRequestedRuns(
  requests: Pick<ForgejoRequests, 'get'>,
  repository: string,
  of: { readonly workflowId: string } & Span,
): Promise<RequestedRuns> {
  const name = of.workflowId.split('/').at(-1)
  const path = `${repository}/actions/runs?event=${requestedEvent}`
  const matching: CodehostRun[] = []
  let unreadable = 0
  let page: string | undefined = '1'
  for (let pages = 0; page !== undefined && pages < runPagesMax; pages += 1) {
    const read: Awaited<ReturnType<typeof getPage<typeof forgejoRun>>> = await getPage(
      requests,
      { path, page },
      { list: runs, item: forgejoRun, countOf: countOfRuns },
    )
    for (const { run, createdAt } of read.items) {
      if (isInTime(createdAt, of) && run.workflowId === name && run.isRequested) matching.push(run)
    }
    unreadable += read.unreadable
    const oldest = read.items.at(-1)?.createdAt ?? null
    page = oldest !== null && oldest < of.from ? undefined : read.nextPage
  }
  return { runs: matching, isComplete: page === undefined && unreadable === 0 }
}
