import { parseProposedRef } from '@signalbox/contract'
import { z } from 'zod'
import type { OutboundAnswer } from '../../egress/create-egress.ts'
import { readProviderJson } from '../call-provider.ts'
import {
  variablesForbidden,
  variablesOnly,
  type StartErrorCode,
  type WorkflowInterface,
  type WorkflowRequest,
  type WorkflowStart,
} from '../codehosts/workflow.ts'
import type { CodehostWorkflows } from '../codehosts/workflow.ts'
import type { CodehostRun, RequestedRuns } from '../codehosts/run.ts'
import { ProviderError } from '../provider-error.ts'
import { getPage, readAnswer, type GitlabRequests } from './api-request.ts'
import type { CiFile } from './ci-file.ts'
import { readCorrelation } from '../codehosts/correlation.ts'
import type { ReadPage } from '../codehosts/read-answer.ts'
import { gitlabRun, pipelineWorkflowId } from './run-shape.ts'
import { externalId, list, textOrNull } from '../codehosts/fields.ts'
import { moment } from './shapes.ts'
import { inputsVersion, isAtLeast, readVersion } from './version.ts'

const defaultCiFile = '.gitlab-ci.yml'
const projectOptions = z.object({ ci_config_path: textOrNull, default_branch: textOrNull })
const file = z.object({ content: z.string() })
const started = z.object({ id: externalId, web_url: z.string().catch('') })
const mergeRequest = z.object({
  source_branch: z.string().min(1),
  source_project_id: externalId.nullish().catch(null),
  target_project_id: externalId,
})
const rejection = z.object({ message: z.unknown() })
const created = z.object({ created_at: moment.nullish().catch(null) })
/** A pipeline with its time, by which a list ends. */
const datedRun = z.unknown().transform((value, context) => {
  const run = gitlabRun.safeParse(value)
  if (run.success) return { run: run.data, createdAt: created.safeParse(value).data?.created_at }
  context.addIssue('No pipeline')
  return z.NEVER
})
const runPagesMax = 5
/** Limits the pipelines whose variables are asked for at the same time: there may be hundreds. */
const marksAtOnce = 10
const listedVariables = z.array(z.object({ value: z.string().catch('') }))

interface Project {
  readonly at: (repositoryId: string) => string
  /** True: the access may start pipelines. */
  readonly isFull: boolean
}

/**
 * Creates the calls of pipelines. A project has one CI file, so it has one workflow, which is started with the inputs that the
 * file declares.
 *
 * @see https://docs.gitlab.com/api/pipelines/
 */
export function createPipelineCalls(
  requests: GitlabRequests,
  { at, isFull }: Project,
): CodehostWorkflows {
  let version: Promise<string | null> | undefined
  // One who opens the connection to read hundreds of files asks for it once. A start asks anew: the instance may have been upgraded.
  const findVersion = () =>
    (version ??= readVersion(requests).catch((error: unknown) => {
      version = undefined
      throw error
    }))
  return {
    async list(repositoryId) {
      const { path } = await findCiFile(requests, at(repositoryId))
      // A file of another project or server cannot be read here, and is started all the same.
      const state = isFull ? 'active' : 'read_only'
      return [{ externalId: pipelineWorkflowId, name: 'Pipeline', path, state }]
    },
    readInterface: (repositoryId, { ref }) =>
      readInterface({ ...requests, findVersion }, at(repositoryId), { ref, isFull }),
    start: async (repositoryId, request) =>
      isFull
        ? startPipeline(requests, at(repositoryId), request)
        : refuse('forbidden', 'forbidden'),
    async listRequestedRuns(repositoryId, { from, to }) {
      const { runs, isComplete } = await listOfTime(requests, at(repositoryId), { from, to })
      const marked: CodehostRun[] = []
      for (let first = 0; first < runs.length; first += marksAtOnce) {
        const some = runs.slice(first, first + marksAtOnce)
        marked.push(
          ...(await Promise.all(some.map((run) => readMark(requests, at(repositoryId), run)))),
        )
      }
      return { runs: marked, isComplete }
    },
    async findRun(repositoryId, runId) {
      const path = `${at(repositoryId)}/pipelines/${encodeURIComponent(runId)}`
      const answer = await requests.get(path, { accept: [404] })
      return answer.status === 404 ? undefined : readAnswer(answer, gitlabRun)
    },
  }
}

async function findCiFile({ get }: Pick<GitlabRequests, 'get'>, project: string) {
  const options = readAnswer(await get(project), projectOptions)
  const path = options.ci_config_path === '' ? null : options.ci_config_path
  return { path: path ?? defaultCiFile, defaultBranch: options.default_branch ?? 'main' }
}

/** Describes calls that depend on the version of the instance. */
interface VersionedRequests extends GitlabRequests {
  readonly findVersion: () => Promise<string | null>
}

async function readInterface(
  requests: VersionedRequests,
  project: string,
  { ref, isFull }: { readonly ref?: string | undefined; readonly isFull: boolean },
): Promise<WorkflowInterface | undefined> {
  const ci = await readCiFile(requests, project, ref)
  if (ci === undefined) return undefined
  // Variables are kept with the pipeline, which shows them to the person who started it.
  const isByInputs = takesInputs(ci, await requests.findVersion())
  const shownInputs = isByInputs ? ci.namedInputs : 'all'
  return { isStartable: isFull, inputs: ci.inputs, shownInputs }
}

async function readCiFile(
  { get }: Pick<GitlabRequests, 'get'>,
  project: string,
  ref: string | undefined,
): Promise<CiFile | undefined> {
  const { path, defaultBranch } = await findCiFile({ get }, project)
  const query = new URLSearchParams({ ref: ref ?? defaultBranch })
  const url = `${project}/repository/files/${encodeURIComponent(path)}?${query.toString()}`
  const answer = await get(url, { accept: [404] })
  if (answer.status === 404) return undefined
  // Loaded with the first file, with the reader of YAML.
  const { parseCiFile } = await import('./ci-file.ts')
  return parseCiFile(Buffer.from(readAnswer(answer, file).content, 'base64'))
}

/** Returns whether a pipeline is started with inputs. Others get variables. */
function takesInputs({ inputs }: Pick<CiFile, 'inputs'>, version: string | null): boolean {
  return isAtLeast(version, inputsVersion) && inputs.length > 0
}

/** Lists the pipelines of a span of time. An instance that does not know the filter by time answers with the newest of all. */
async function listOfTime(
  requests: Pick<GitlabRequests, 'get'>,
  project: string,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<RequestedRuns> {
  const query = new URLSearchParams({
    source: 'api',
    created_after: from.toISOString(),
    created_before: to.toISOString(),
  })
  const path = `${project}/pipelines?${query.toString()}`
  const runs: CodehostRun[] = []
  let unreadable = 0
  let page: string | undefined
  for (let pages = 0; pages < runPagesMax; pages += 1) {
    const read: ReadPage<z.output<typeof datedRun>> = await getPage(
      requests,
      { path, page },
      { list, item: datedRun },
    )
    runs.push(...read.items.map(({ run }) => run))
    unreadable += read.unreadable
    const oldest = read.items.at(-1)?.createdAt ?? to
    if (read.nextPage === undefined || oldest < from) {
      return { runs, isComplete: unreadable === 0 }
    }
    page = read.nextPage
  }
  return { runs, isComplete: false }
}

/** Finds our id among the variables of a pipeline that has none in its name. */
async function readMark(
  { get }: Pick<GitlabRequests, 'get'>,
  project: string,
  run: CodehostRun,
): Promise<CodehostRun> {
  if (run.correlation !== null) return run
  const answer = await get(`${project}/pipelines/${run.externalId}/variables`, {
    accept: [403, 404],
  })
  if (answer.status !== 200) return run
  const values = readAnswer(answer, listedVariables).map(({ value }) => value)
  return {
    ...run,
    correlation: values.map(readCorrelation).find((correlation) => correlation !== null) ?? null,
  }
}

/**
 * Starts a pipeline, once. A file that declares inputs gets those of them that it declares; only one that declares none gets
 * variables, which many projects refuse. An instance that is too old for inputs ignores them without a word, and gets variables too.
 *
 * @see https://docs.gitlab.com/api/pipelines/#create-a-new-pipeline
 */
async function startPipeline(
  requests: GitlabRequests,
  project: string,
  { ref: requestedRef, inputs }: WorkflowRequest,
): Promise<WorkflowStart> {
  const ref = await findBranch(requests, project, requestedRef)
  const { inputs: all = [] } = (await readCiFile(requests, project, ref)) ?? {}
  const declared = new Set(all.map(({ name }) => name))
  const version = await readVersion(requests)
  const ownInputs = Object.entries(inputs).filter(([name]) => declared.has(name))
  const variables = Object.entries(inputs).map(([name, value]) => ({
    key: name.toUpperCase(),
    value,
  }))
  const json = {
    ref,
    ...(takesInputs({ inputs: all }, version)
      ? { inputs: Object.fromEntries(ownInputs) }
      : { variables }),
  }
  try {
    const answer = await requests.send('POST', `${project}/pipeline`, { json, accept: [400, 404] })
    if (answer.status >= 400)
      return refuse('rejected', codeOf(answer, isAtLeast(version, inputsVersion)))
    const { data } = started.safeParse(readProviderJson('gitlab', answer))
    return data === undefined
      ? { outcome: 'ambiguous' }
      : { outcome: 'started', runId: data.id, runUrl: data.web_url }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (error.failure === 'ambiguous') return { outcome: 'ambiguous' }
    if (error.failure === 'forbidden') return refuse('forbidden', 'forbidden')
    if (error.failure === 'rejected') return { outcome: 'refused', error }
    throw error
  }
}

/**
 * Returns the branch of a merge request for its ref, on which no pipeline can be started. That of another project is not here, and one
 * that cannot be read is not known: the default branch then.
 *
 * @see https://docs.gitlab.com/api/merge_requests/#get-single-mr
 */
async function findBranch(
  requests: Pick<GitlabRequests, 'get'>,
  project: string,
  ref: string,
): Promise<string> {
  const proposed = parseProposedRef(ref)
  if (proposed?.kind !== 'merge request') return ref
  const path = `${project}/merge_requests/${proposed.number}`
  const answer = await requests.get(path, { accept: [403, 404] })
  if (answer.status === 200) {
    const { source_branch: branch, ...ids } = readAnswer(answer, mergeRequest)
    if (ids.source_project_id === ids.target_project_id) return branch
  }
  return (await findCiFile(requests, project)).defaultBranch
}

function refuse(failure: 'forbidden' | 'rejected', code: string): WorkflowStart {
  return { outcome: 'refused', error: new ProviderError({ provider: 'gitlab', failure, code }) }
}

const codes = [
  [/permissions to set pipeline variables/i, variablesForbidden],
  [/reference not found/i, 'ref_not_found'],
  [/input/i, 'input_required'],
  [/missing ci config|will not run|no stages|filtered out/i, 'no_dispatch_trigger'],
] as const satisfies readonly (readonly [RegExp, StartErrorCode])[]

/** GitLab says why by sentences alone. */
function codeOf(answer: OutboundAnswer, takesInputs: boolean): string {
  if (answer.status === 404) return 'not_found'
  const { data } = rejection.safeParse(readProviderJson('gitlab', answer))
  const text = JSON.stringify(data?.message ?? '')
  const code = codes.find(([pattern]) => pattern.test(text))?.[1] ?? `http_${answer.status}`
  return code === variablesForbidden && !takesInputs ? variablesOnly : code
}
