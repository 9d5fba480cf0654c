import { Problem } from '@signalbox/contract'
import { lockEnvironments } from '../configs/environments/preview-environments.ts'
import { savePullRequestRow } from '../deployments/pull-requests/pull-request-rows.ts'
import { findPreviewRepository } from '../read-models/previews/candidate-rows.ts'
import { ProviderError } from '../providers/provider-error.ts'
import type { CodehostPullRequest } from '../providers/codehosts/pull-request.ts'
import type { Tx } from '../store/store.ts'
import { asPreviews } from './as-previews.ts'
import { deletePreview, endPreview, keepPreview } from './change-preview.ts'
import type { PreviewDeps } from './preview-deps.ts'
import { listPreviewRows, takeUnread, type PreviewRow } from './preview-rows.ts'
import { readStandings, type RepositoryStanding, type Standing } from './read-standing.ts'

const dayMs = 86_400_000

/** Sets for how long an archived preview can come back, in milliseconds. */
export const archivedForMs = 7 * dayMs

/** Sets after how long the pull request of a live preview is read again, because a webhook may be lost. */
const unreadForMs = 3_600_000

interface FollowedRepository {
  readonly orgId: string
  readonly repositoryId: string
}

/**
 * Brings the previews of a repository to what is recorded of its deployments and pull requests: makes, ends, brings back and deletes
 * them. Each is changed by itself, so that one that cannot be published keeps no other from it. Safe to repeat.
 */
export async function followRepository(deps: PreviewDeps, of: FollowedRepository): Promise<void> {
  await readPullRequests(deps, of)
  const { orgId, repositoryId } = of
  const read = (tx: Tx) => readStandings(tx, orgId, { repositoryId, now: deps.now() })
  const before = await deps.store.transaction({ orgId }, read)
  const due = before?.standings.filter((one) => findStep(one, deps.now()) !== undefined) ?? []
  for (const { hostEnvironment } of due) {
    try {
      await deps.store.transaction({ orgId }, async (tx) => {
        await lockEnvironments(tx, orgId)
        const now = await read(tx)
        const standing = now?.standings.find((one) => one.hostEnvironment === hostEnvironment)
        if (now !== undefined && standing !== undefined)
          await takeStep(deps, tx, { ...of, now, standing })
      })
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error
      deps.log.warn('A preview was not changed', {
        orgId,
        reason: `${hostEnvironment}: ${error.code}`,
      })
    }
  }
}

type Step = 'keep' | 'end' | 'delete'

/** Returns what is to be done about a preview; `undefined`: it is as it should be. */
function findStep(
  { judgement, preview, rule, isDeployed, number }: Standing,
  now: Date,
): Step | undefined {
  if (preview === undefined) return judgement.isLive && isDeployed ? 'keep' : undefined
  if (!judgement.isLive) return findEndStep(preview, now)
  if (preview.state !== 'live')
    return preview.state === 'archived' || isDeployed ? 'keep' : undefined
  return preview.ruleId === rule?.id && preview.pullRequest === number ? undefined : 'keep'
}

function findEndStep({ state, endedAt }: PreviewRow, now: Date): Step | undefined {
  if (state === 'live') return 'end'
  if (state === 'deleted' || endedAt === null) return undefined
  return now.getTime() - endedAt.getTime() >= archivedForMs ? 'delete' : undefined
}

interface Taking extends FollowedRepository {
  readonly now: RepositoryStanding
  readonly standing: Standing
}

async function takeStep(
  deps: PreviewDeps,
  tx: Tx,
  { orgId, repositoryId, now, standing }: Taking,
): Promise<void> {
  const { preview, rule, judgement, hostEnvironment, number } = standing
  const caller = asPreviews(orgId)
  const step = findStep(standing, deps.now())
  if (step === 'end' && preview !== undefined && !judgement.isLive)
    await endPreview(deps, tx, caller, { preview, reason: judgement.reason })
  if (step === 'delete' && preview !== undefined)
    await deletePreview(deps, tx, caller, { preview, isDismissed: false })
  if (step !== 'keep' || rule === undefined) return
  if (preview?.state !== 'live') await requireCapacity(tx, orgId, rule)
  const { repository } = now
  const live = { repositoryId, repository, hostEnvironment, pullRequest: number, rule, preview }
  await keepPreview(deps, tx, caller, live)
}

/** Throws {Problem} `quota_exceeded` when a rule has as many live previews as it may have. */
export async function requireCapacity(
  tx: Tx,
  orgId: string,
  { id, max, pattern }: { readonly id: string; readonly max: number; readonly pattern: string },
): Promise<void> {
  const rows = await listPreviewRows(tx, orgId)
  if (rows.filter(({ ruleId, state }) => ruleId === id && state === 'live').length < max) return
  const detail = `The rule ${pattern} has ${max} previews, which is its limit. Delete one, or raise the limit.`
  throw new Problem('quota_exceeded', detail)
}

/**
 * Reads at the code host the pull requests of previews that are about to begin, and of those that were not read for an hour: a fork
 * is known before it has an environment, and a webhook that was lost ends a preview an hour late. A host that does not answer changes
 * nothing.
 */
async function readPullRequests(deps: PreviewDeps, of: FollowedRepository): Promise<void> {
  const { orgId, repositoryId } = of
  const now = deps.now()
  const { externalId, numbers } = await deps.store.transaction({ orgId }, async (tx) => {
    const repository = await findPreviewRepository(tx, orgId, repositoryId)
    const standing = await readStandings(tx, orgId, { repositoryId, now })
    const following = standing?.standings.flatMap((one) => {
      const isBegun = one.preview?.state !== 'live' && findStep(one, now) === 'keep'
      return isBegun && one.number !== null ? [one.number] : []
    })
    const before = new Date(now.getTime() - unreadForMs)
    const unread = await takeUnread(tx, orgId, { repositoryId, before, now })
    return {
      externalId: repository?.externalId ?? null,
      numbers: [...new Set([...(following ?? []), ...unread])],
    }
  })
  if (externalId === null) return
  for (const number of numbers) {
    const pull = await findAtHost(deps, orgId, { externalId, number })
    if (pull === undefined) continue
    await deps.store.transaction({ orgId }, (tx) =>
      savePullRequestRow(tx, orgId, { ...pull, repositoryId }),
    )
  }
}

/** Reads a pull request at the code host. `undefined`: there is none, or the host does not say. */
export async function findAtHost(
  { openCodehost }: Pick<PreviewDeps, 'openCodehost'>,
  orgId: string,
  { externalId, number }: { readonly externalId: string; readonly number: number },
): Promise<CodehostPullRequest | undefined> {
  try {
    const api = await openCodehost(orgId)
    return await api.pullRequests.find(externalId, number)
  } catch (error) {
    if (error instanceof ProviderError || error instanceof Problem) return undefined
    throw error
  }
}
