import { listEnvironmentRows } from '../../configs/environments/environment-rows.ts'
import type { CodehostDeployment, CodehostStatus } from '../../providers/codehosts/deployment.ts'
import type { CodehostEvent } from '../../providers/codehosts/event.ts'
import type { CodehostRepository } from '../../providers/codehosts/repository.ts'
import type { Tx } from '../../store/store.ts'
import { applyReport, type DeploymentReport, type RecordOutcome } from './apply-report.ts'
import type { HostDeploymentDeps } from '../deployment-deps.ts'
import { findRecordedDeployment, type DeploymentSource } from './deployment-rows.ts'
import { upsertHostEnvironment } from '../environments/host-environment-rows.ts'
import { readDeploymentSettings } from '../codehost/integration-settings.ts'
import type { IssueText } from '../issues/issue-keys.ts'
import { mapEnvironment } from '../environments/map-environment.ts'
import { parseStatusNumber } from './merge-status.ts'
import { recordIssueKeys } from '../issues/record-issue-keys.ts'
import { classifyRef } from './ref-kind.ts'
import { lockHostRepository } from '../codehost/repository-rows.ts'
import { takeOverNamed } from '../codehost/take-over-named.ts'
import { emitChanges } from './emit-changes.ts'

/** Describes an event of a code host that is recorded. */
export interface RecordCodehostEvent {
  readonly orgId: string
  readonly event: CodehostEvent
  /** The way in which it was reported. */
  readonly source: Extract<DeploymentSource, 'webhook' | 'sync'>
  /** No message reports a deployment of before, which a sync has found. Left out: all are reported. */
  readonly recentSince?: Date | undefined
}

/** Describes a deployment that a sync has found. */
export interface FoundDeployment {
  readonly orgId: string
  readonly repository: CodehostRepository
  readonly deployment: CodehostDeployment
  /** Oldest first. */
  readonly statuses: readonly CodehostStatus[]
  readonly recentSince: Date
}

type DeploymentEvent = Extract<CodehostEvent, { readonly type: 'deployment' | 'deploymentStatus' }>

/**
 * Records an event of a deployment, in one transaction. Events may come in any order and more than once: a status that comes
 * before its deployment creates it, and an older status changes nothing that a newer one set.
 */
export async function recordCodehostEvent(
  deps: HostDeploymentDeps,
  { orgId, event, source, recentSince }: RecordCodehostEvent,
): Promise<RecordOutcome> {
  if (event.type !== 'deployment' && event.type !== 'deploymentStatus') {
    return { outcome: 'ignored', reason: 'The webhook is not about a deployment.' }
  }
  const number = event.type === 'deployment' ? 0n : parseStatusNumber(event.status.externalId)
  if (number === undefined) {
    return {
      outcome: 'ignored',
      reason: 'The status has no number, so Signalbox doesn’t know its order.',
    }
  }
  return deps.store.transaction({ orgId }, (tx) =>
    recordDeploymentEvent(deps, tx, { orgId, event, source, recentSince, number }),
  )
}

/** Records a deployment that a sync found, and its statuses, in the transaction of the caller. */
export async function recordFoundDeployment(
  deps: HostDeploymentDeps,
  tx: Tx,
  { orgId, repository, deployment, statuses, recentSince }: FoundDeployment,
): Promise<void> {
  const origin = { orgId, source: 'sync', recentSince } as const
  const event = { type: 'deployment', repository, deployment } as const
  await recordDeploymentEvent(deps, tx, { ...origin, event, number: 0n })
  for (const status of statuses) {
    const number = parseStatusNumber(status.externalId)
    if (number === undefined) continue
    const statusEvent = { type: 'deploymentStatus', repository, deployment, status } as const
    await recordDeploymentEvent(deps, tx, { ...origin, event: statusEvent, number })
  }
}

interface NumberedEvent extends RecordCodehostEvent {
  readonly event: DeploymentEvent
  readonly number: bigint
}

async function recordDeploymentEvent(
  deps: HostDeploymentDeps,
  tx: Tx,
  { orgId, event, source, recentSince, number }: NumberedEvent,
): Promise<RecordOutcome> {
  const { deployment } = event
  const status = event.type === 'deployment' ? undefined : { ...event.status, number }
  const at = status?.at ?? deployment.createdAt
  const repository = await lockHostRepository(tx, orgId, event.repository, at)
  if (repository.isRenamed) {
    const ids = await takeOverNamed(deps, tx, orgId, [event.repository.externalId])
    await emitChanges(deps, tx, orgId, { event: 'deployment.changed', ids })
  }
  const obstacle = await findObstacle(deps, tx, orgId, { repository, deployment })
  if (obstacle !== undefined) return { outcome: 'ignored', reason: obstacle }
  const name = status?.environment ?? deployment.environment
  const settings = await readDeploymentSettings(tx, orgId)
  const own = await listEnvironmentRows(tx, orgId)
  const map = (of: string) =>
    mapEnvironment({ name: of, repositoryId: repository.externalId }, settings.rules, own)
  // At most two: where it was made for, and where a status moves it.
  for (const of of new Set([deployment.environment, name])) {
    const host = { repositoryId: repository.id, name: of, mapping: map(of) }
    const sighting = { isTransient: deployment.isTransient, seenAt: source === 'sync' ? null : at }
    await upsertHostEnvironment(tx, orgId, { ...host, ...sighting }, deps.now())
  }
  const mapping = map(name)
  if (mapping.ignored) {
    const reason = `The rule "${mapping.pattern}" ignores the environment "${name}".`
    return { outcome: 'ignored', reason }
  }
  const isHistory = recentSince !== undefined && deployment.createdAt < recentSince
  const report = {
    ...toReport(deployment, source),
    isHistory,
    repositoryId: repository.id,
    status,
  }
  const { id, result } = await applyReport(deps, tx, orgId, report)
  const texts = issueTextsOf(deployment, report)
  await recordIssueKeys(deps, tx, { orgId, id, texts, reading: { ...settings.keys, repository } })
  return result
}

/**
 * Returns why a deployment is not recorded. One that is so old that it was deleted, or would be within the hour, is not stored anew;
 * one that is stored still counts.
 */
async function findObstacle(
  { deploymentsKeptMs, now }: Pick<HostDeploymentDeps, 'deploymentsKeptMs' | 'now'>,
  tx: Tx,
  orgId: string,
  { repository, deployment }: Observed,
): Promise<string | undefined> {
  if (!repository.tracked) return `The repository ${repository.fullName} is not tracked.`
  const { externalId, createdAt } = deployment
  const isOld =
    deploymentsKeptMs !== undefined && createdAt.getTime() < now().getTime() - deploymentsKeptMs
  if (!isOld) return undefined
  const stored = await findRecordedDeployment(tx, orgId, {
    repositoryId: repository.id,
    externalId,
  })
  return stored === undefined
    ? 'The deployment is older than this server keeps deployments.'
    : undefined
}

interface Observed {
  readonly repository: Awaited<ReturnType<typeof lockHostRepository>>
  readonly deployment: CodehostDeployment
}

function toReport(
  deployment: CodehostDeployment,
  source: DeploymentSource,
): Omit<DeploymentReport, 'repositoryId' | 'status' | 'isHistory'> {
  const deployed = classifyRef(deployment.ref, deployment.sha)
  return {
    ...deployed,
    externalId: deployment.externalId,
    sha: deployment.sha,
    branch: deployed.refKind === 'branch' ? deployed.ref : deployment.headBranch,
    task: deployment.task,
    hostEnvironment: deployment.environment,
    description: deployment.description,
    creator: deployment.creator,
    commitMessage: deployment.headCommitMessage,
    workflowId: deployment.workflowId,
    run: deployment.run,
    source,
    createdAt: deployment.createdAt,
  }
}

/** Returns the texts with issue keys that are known before the commits are fetched. */
function issueTextsOf(
  { headCommitMessage, sha, payloadText, description }: CodehostDeployment,
  { branch }: Pick<DeploymentReport, 'branch'>,
): IssueText[] {
  const texts: IssueText[] = []
  if (headCommitMessage !== null) texts.push({ source: 'commit', sha, text: headCommitMessage })
  if (branch !== null) texts.push({ source: 'branch', sha: null, text: branch })
  texts.push({ source: 'payload', sha: null, text: payloadText })
  if (description !== null) texts.push({ source: 'payload', sha: null, text: description })
  return texts
}
