import { Problem } from '@signalbox/contract'
import type { CodehostApi } from '../../providers/codehost.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import type { DeploymentDeps } from '../deployment-deps.ts'
import { displayNameOf } from '../../providers/find-provider.ts'
import {
  findEnrichedDeployment,
  writeSkippedCommits,
  type EnrichedDeployment,
  type SkippedCommits,
} from './enrich-rows.ts'
import { recordCommits, type RecordCommits } from './record-commits.ts'
import { leaveHalf, type RecordsApi } from '../sync/sync-budget.ts'

/** Describes what comparing commits works with. */
export interface CommitDeps extends DeploymentDeps {
  /** The way to what an organization has connected. @throws {Problem} `integration_not_connected`, `reauth_required` */
  readonly openCodehost: (orgId: string) => Promise<CodehostApi>
}

type Comparison = RecordCommits['comparison']

/** Describes the host's answer about commits. `note`: what is missing in it, and why. */
interface CommitsAnswer {
  readonly comparison?: Comparison
  readonly note?: Note
}

type Note = Pick<SkippedCommits, 'reason' | 'cause'>

const passesMax = 3

/**
 * Fetches the commits that a deployment brings since the last success of its environment, unless they are known. If the
 * host does not show them, it keeps the commits of the webhook, and records the reason for people.
 *
 * @throws {ProviderError} for what is to be tried again.
 * @throws {BudgetSpent} for a deployment of the past, when half of the rate limit is used.
 */
export async function enrichCommits(
  deps: CommitDeps,
  { orgId, id }: { readonly orgId: string; readonly id: string },
): Promise<void> {
  // Another success may be recorded during the call. Its own job asks again when these rounds do not suffice.
  for (let pass = 0; pass < passesMax; pass += 1) {
    const deployment = await deps.store.transaction({ orgId }, (tx) =>
      findEnrichedDeployment(tx, orgId, id),
    )
    if (deployment === undefined || isAsked(deployment, deps.now())) return
    const { comparison, note } = await askForCommits(deps, orgId, deployment)
    const baseDeploymentId = deployment.baseId
    const recorded =
      comparison &&
      (await recordCommits(deps, { orgId, deploymentId: id, baseDeploymentId, comparison }))
    if (recorded?.outcome === 'stale') continue
    if (note !== undefined) await noteSkipped(deps, { orgId, id }, deployment, note)
    return
  }
}

const askAgainMs = 10 * 60_000

function isAsked(of: EnrichedDeployment, now: Date): boolean {
  const { sha, baseSha, isBaseGone, range, skipped } = of
  if (isBaseGone) return true
  if (range !== null) return range.base === baseSha && range.head === sha
  if (skipped === null || skipped.isWantedAgain === true) return false
  const isRecent = now.getTime() - new Date(skipped.at).getTime() < askAgainMs
  return isRecent && skipped.base === baseSha
}

async function noteSkipped(
  { store, now }: CommitDeps,
  { orgId, id }: { readonly orgId: string; readonly id: string },
  { baseSha: base, skipped: before }: EnrichedDeployment,
  note: Note,
): Promise<void> {
  const at = now().toISOString()
  const since = before?.reason === note.reason ? (before.since ?? before.at) : at
  await store.transaction({ orgId }, (tx) =>
    writeSkippedCommits(tx, orgId, id, { ...note, base, at, since }),
  )
}

const unknownRepository: Note = {
  cause: 'repository',
  reason: 'Only a pipeline reports this repository, so Signalbox can’t read its commits.',
}
const fallback = 'Until it does, Signalbox uses only the deployed commit’s message.'

/** Returns why the code host did not show commits, and in the words of its failure. */
function toNote({ provider, failure, code }: ProviderError, sha: string): Note {
  const host = displayNameOf(provider)
  switch (failure) {
    case 'notFound':
      return {
        cause: 'head',
        reason: `${host} has no commit ${sha.slice(0, 7)} in this repository. A force push removed it, or somebody reported the deployment with another hash.`,
      }
    case 'forbidden':
      return {
        cause: 'access',
        reason: `${host} doesn’t let Signalbox read the repository’s contents. ${fallback} The code is ${code}.`,
      }
    case 'unauthorized':
      return {
        cause: 'access',
        reason: `${host} no longer accepts Signalbox’s access. ${fallback}`,
      }
    case 'ambiguous':
    case 'rateLimited':
    case 'rejected':
    case 'unavailable':
      return {
        cause: 'other',
        reason: `${host} refused to compare the commits. The code is ${code}.`,
      }
  }
}

function baseIsGone({ provider }: ProviderError, base: string): Note {
  return {
    cause: 'base',
    reason: `The previously deployed commit ${base.slice(0, 7)} is no longer on ${displayNameOf(provider)}, so only the deployed commit is shown.`,
  }
}

/** Fetches the comparison of a deployment with its base. A repeated commit and an unknown repository need no call. */
async function askForCommits(
  deps: CommitDeps,
  orgId: string,
  { sha, baseSha, repositoryExternalId, isHistory }: EnrichedDeployment,
): Promise<CommitsAnswer> {
  if (baseSha === sha) {
    return { comparison: { status: 'identical', commits: [], total: 0, isTruncated: false } }
  }
  if (repositoryExternalId === null) return { note: unknownRepository }
  try {
    const codehost = await deps.openCodehost(orgId)
    const api = isHistory ? leaveHalf(codehost, deps.now) : codehost
    return await compare(api, { repositoryId: repositoryExternalId, base: baseSha, head: sha })
  } catch (error) {
    if (error instanceof Problem) return { note: { cause: 'access', reason: error.message } }
    if (isFinal(error)) return { note: toNote(error, sha) }
    throw error
  }
}

async function compare(
  api: RecordsApi,
  of: { readonly repositoryId: string; readonly base: string | null; readonly head: string },
): Promise<CommitsAnswer> {
  const { repositoryId, base, head } = of
  if (base === null) return { comparison: await getSingleCommit(api, repositoryId, head) }
  try {
    return { comparison: await api.commits.compare(repositoryId, base, head) }
  } catch (error) {
    if (!(error instanceof ProviderError) || error.failure !== 'notFound') throw error
    const comparison = await getSingleCommit(api, repositoryId, head)
    return { comparison: { ...comparison, isTruncated: true }, note: baseIsGone(error, base) }
  }
}

async function getSingleCommit(
  api: RecordsApi,
  repositoryId: string,
  sha: string,
): Promise<Comparison> {
  const commit = await api.commits.get(repositoryId, sha)
  return { status: null, commits: [commit], total: 1, isTruncated: false }
}

const finalFailures: ReadonlySet<string> = new Set([
  'unauthorized',
  'forbidden',
  'notFound',
  'rejected',
])

/** Returns whether a repeat would end in the same error, until a person changes something at the host. */
export function isFinal(error: unknown): error is ProviderError {
  return error instanceof ProviderError && finalFailures.has(error.failure)
}
