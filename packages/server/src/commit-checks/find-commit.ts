import { Problem, type ProblemCode } from '@signalbox/contract'
import { findNamedRepositoryId } from '../deployments/codehost/repository-rows.ts'
import { findExternalId } from '../deployments/codehost/tracked-repository-rows.ts'
import { savePullRequestRow } from '../deployments/pull-requests/pull-request-rows.ts'
import type { CodehostPullRequest } from '../providers/codehosts/pull-request.ts'
import { ProviderError } from '../providers/provider-error.ts'
import type { CodehostApi } from '../providers/codehost.ts'
import type { Tx } from '../store/store.ts'
import { findPipelineRepository } from '../test-runs/reports/authorize-sender.ts'
import type { VerifiedPipeline } from '../test-runs/reports/verify-pipeline-token.ts'
import type { CheckDeps } from './check-deps.ts'

/** Names a commit as its uploader does. With the token of a pipeline, the token decides. */
export interface NamedCommit {
  readonly repository?: string | undefined
  readonly sha?: string | undefined
  readonly ref?: string | undefined
}

/** Names a commit that is known to be of a repository of the organization. */
export interface KnownCommit {
  readonly repositoryId: string
  readonly sha: string
  readonly ref: string | null
  readonly pullRequest: number | null
  readonly isFork: boolean
  /** Holds the pull request as the code host has just said it is. */
  readonly reported: CodehostPullRequest | undefined
}

const wholeSha = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/**
 * Finds the commit that a pipeline was started for. The token names it; of a pull request, the token names the merge that the code
 * host has made of it, so the commit is that of its parents which the body names and which is not the branch that it is merged into.
 *
 * @throws {Problem} `invalid_credentials`, `validation_failed`, `provider_error`
 */
export async function findPipelineCommit(
  deps: CheckDeps,
  orgId: string,
  pipeline: VerifiedPipeline,
  named: NamedCommit,
): Promise<KnownCommit> {
  const repositoryId = await deps.store.transaction({ orgId }, async (tx) => {
    const id = await findPipelineRepository(tx, orgId, pipeline)
    if (id === undefined) throw foreignRepository()
    const other = named.repository
    if (other !== undefined && (await findNamedRepositoryId(tx, orgId, other)) !== id)
      throw refuse(
        '/repository',
        'The token of the pipeline is of another repository. Leave it out.',
      )
    return id
  })
  const { sha, pullRequest } = pipeline
  if (sha === undefined) {
    const detail =
      'The token of this pipeline names no commit of its own. Upload from a run of a push or of a pull request.'
    throw new Problem('invalid_credentials', detail)
  }
  if (pullRequest !== undefined)
    return findProposedCommit(deps, orgId, { pipeline, repositoryId, sha, pullRequest, named })
  if (named.sha !== undefined && named.sha !== sha)
    throw refuse('/sha', 'The token of the pipeline is of another commit. Leave it out.')
  const ref = toBranch(pipeline.ref ?? named.ref)
  return { repositoryId, sha, ref, pullRequest: null, isFork: false, reported: undefined }
}

interface Proposed {
  readonly pipeline: VerifiedPipeline
  readonly repositoryId: string
  /** The host's own merge of the pull request. */
  readonly sha: string
  readonly pullRequest: number
  readonly named: NamedCommit
}

async function findProposedCommit(
  deps: CheckDeps,
  orgId: string,
  { pipeline, repositoryId, sha: merge, pullRequest: number, named }: Proposed,
): Promise<KnownCommit> {
  const { sha } = named
  if (sha === undefined || !wholeSha.test(sha))
    throw refuse('/sha', 'Name the whole hash of the newest commit of the pull request.')
  const { repositoryExternalId } = pipeline
  const { commit, reported } = await callHost(deps, orgId, async (api) => ({
    commit: await api.commits.get(repositoryExternalId, merge),
    reported: await api.pullRequests.find(repositoryExternalId, number),
  }))
  // The first parent is the branch that it is to be merged into, for which a proposal does not speak.
  if (merge !== sha && !commit.parents.slice(1).includes(sha))
    throw refuse('/sha', 'The pipeline was started for another commit of the pull request.')
  return {
    repositoryId,
    sha,
    ref: reported?.headRef ?? toBranch(named.ref),
    pullRequest: number,
    isFork: reported?.isFork ?? true,
    reported,
  }
}

/**
 * Finds the commit that somebody with a credential of ours names. Where a code host is connected, it has to know it.
 *
 * @throws {Problem} `validation_failed`, `provider_error`
 */
export async function findNamedCommit(
  deps: CheckDeps,
  orgId: string,
  { repository, sha, ref }: NamedCommit,
): Promise<KnownCommit> {
  if (repository === undefined)
    throw refuse('/repository', 'Name the repository, such as acme/shop.')
  if (sha === undefined || !wholeSha.test(sha))
    throw refuse('/sha', 'Name the commit by its whole hash.')
  const known = await deps.store.transaction({ orgId }, async (tx) => {
    const repositoryId = await findNamedRepositoryId(tx, orgId, repository)
    if (repositoryId === undefined) return undefined
    return { repositoryId, externalId: await findExternalId(tx, orgId, repositoryId) }
  })
  if (known === undefined) {
    const detail =
      'There is no such repository. Connect its code host on the Integrations page, or report a deployment of it first.'
    throw refuse('/repository', detail)
  }
  const { repositoryId, externalId } = known
  if (externalId !== undefined) await requireCommit(deps, orgId, externalId, sha)
  const branch = toBranch(ref)
  return { repositoryId, sha, ref: branch, pullRequest: null, isFork: false, reported: undefined }
}

async function requireCommit(
  deps: CheckDeps,
  orgId: string,
  externalId: string,
  sha: string,
): Promise<void> {
  try {
    await callHost(deps, orgId, (api) => api.commits.get(externalId, sha))
  } catch (error) {
    // Nobody is there to ask: the check is shown here, and no status is written.
    if (error instanceof Problem && unreachable.has(error.code)) return
    throw error
  }
}

const unreachable: ReadonlySet<ProblemCode> = new Set([
  'integration_not_connected',
  'reauth_required',
])

/** Asks the code host. @throws {Problem} `validation_failed` for what it does not know, `provider_error` where it does not answer */
async function callHost<T>(
  { openCodehost }: CheckDeps,
  orgId: string,
  call: (api: CodehostApi) => Promise<T>,
): Promise<T> {
  try {
    return await call(await openCodehost(orgId))
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (error.failure === 'notFound' || error.failure === 'rejected')
      throw refuse('/sha', 'The repository has no such commit.')
    const detail = error.failure === 'forbidden' ? notAllowed : notAnswered
    throw new Problem('provider_error', detail, { cause: error })
  }
}

const notAnswered = 'The commit could not be looked up. Repeat the upload in a minute.'
const notAllowed =
  'The code host does not let Signalbox read the commit and its pull request. See on the Integrations page which permission is missing, and repeat the upload.'

/** Stores the pull request as the code host has just said it is, so that the check knows of it before a webhook comes. */
export async function noteReported(
  tx: Tx,
  orgId: string,
  { repositoryId, reported }: KnownCommit,
): Promise<void> {
  if (reported !== undefined) await savePullRequestRow(tx, orgId, { ...reported, repositoryId })
}

/** Returns the name of a branch; `null` for a tag, of which no later upload is newer. Example: `refs/heads/main` is `main`. */
function toBranch(ref: string | undefined): string | null {
  if (ref === undefined || ref.startsWith('refs/tags/')) return null
  return ref.replace(/^refs\/heads\//, '')
}

function refuse(pointer: string, detail: string): Problem {
  const code = 'validation_failed'
  return new Problem(code, detail, { errors: [{ pointer, code, detail }] })
}

/** Says the same of an organization that does not exist: a pipeline learns nothing of others. */
export function foreignRepository(): Problem {
  const detail =
    'The token is of a repository that this organization does not have. Track the repository on the Integrations page.'
  return new Problem('invalid_credentials', detail)
}
