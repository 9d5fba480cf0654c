import { cutText } from '@signalbox/contract'
import { requireEnvironment, type RestrictedCaller } from '../../audit/caller.ts'
import type { deploymentEndpoints, ResponseOf } from '@signalbox/contract/rest'
import { listEnvironmentRows } from '../../configs/environments/environment-rows.ts'
import { newId } from '../../crypto/ids.ts'
import { findIntegrationRow } from '../../integrations/rows.ts'
import type { ReportedState } from '../../providers/codehosts/deployment.ts'
import { instanceOfAccount } from '../../providers/codehosts/instance-ids.ts'
import type { Tx } from '../../store/store.ts'
import { applyReport, type DeploymentReport } from './apply-report.ts'
import type { HostDeploymentDeps } from '../deployment-deps.ts'
import { emitChanges } from './emit-changes.ts'
import { findRecordedDeployment } from './deployment-rows.ts'
import { externalIdOfCall, externalIdOfPipeline } from './external-id.ts'
import { upsertHostEnvironment } from '../environments/host-environment-rows.ts'
import { readDeploymentSettings } from '../codehost/integration-settings.ts'
import { mapEnvironment } from '../environments/map-environment.ts'
import { nameHostEnvironment } from '../environments/name-host-environment.ts'
import { recordIssueKeys } from '../issues/record-issue-keys.ts'
import { classifyRef } from './ref-kind.ts'
import { lockNamedRepository, type RepositoryRow } from '../codehost/repository-rows.ts'
import { takeOverNamed } from '../codehost/take-over-named.ts'

type ListedDeployment = ResponseOf<typeof deploymentEndpoints.createDeployment>

/** Describes what recording a pipeline's deployment works with. */
export interface CreateDeploymentDeps extends HostDeploymentDeps {
  /** Reads a deployment as lists show it, in the transaction that wrote it. */
  readonly readDeployment: (
    tx: Tx,
    orgId: string,
    id: string,
  ) => Promise<ListedDeployment | undefined>
}

/** Describes a deployment as a pipeline reports it. */
export interface CreateDeployment {
  /** Example: `acme/shop`. */
  readonly repository: string
  readonly sha: string
  readonly ref: string
  readonly environment: string
  readonly state: Extract<
    ReportedState,
    'queued' | 'pending' | 'in_progress' | 'success' | 'failure' | 'error'
  >
  /** Names the deployment in repeats; left out, each call records one of its own. */
  readonly externalId?: string | undefined
  readonly commitMessages?: readonly string[] | undefined
  readonly url?: string | undefined
}

/**
 * Records a deployment, or a state of it, as a pipeline reports it. The same state again changes nothing. A pipeline reports
 * in order, so the last call counts.
 *
 * @throws {Problem} `key_scope_forbidden`
 */
export async function createDeployment(
  deps: CreateDeploymentDeps,
  caller: RestrictedCaller,
  request: CreateDeployment,
): Promise<ListedDeployment> {
  const { orgId } = caller
  return deps.store.transaction(caller.scope, async (tx) => {
    const now = deps.now()
    const repository = await lockReportedRepository(deps, tx, orgId, request.repository)
    const settings = await readDeploymentSettings(tx, orgId)
    const own = await listEnvironmentRows(tx, orgId)
    const host = { name: request.environment, repositoryId: repository.externalId }
    // A pipeline that reports a deployment wants it recorded, also where a rule ignores its environment.
    const rules = settings.rules.filter(({ environmentId }) => environmentId !== null)
    const mapping = mapEnvironment(host, rules, own)
    requireEnvironment(caller, mapping.environmentId)
    const repositoryId = repository.id
    const pipelineEnvironment = { repositoryId, name: request.environment, mapping, own }
    const name = await nameHostEnvironment(tx, orgId, pipelineEnvironment)
    const input = { ...request, environment: name }
    const sighting = { isTransient: false, seenAt: now }
    await upsertHostEnvironment(tx, orgId, { repositoryId, name, mapping, ...sighting }, now)
    const report = await toReport(tx, caller, { input, repositoryId, now })
    const { id } = await applyReport(deps, tx, orgId, report)
    const texts = (input.commitMessages ?? []).map((text) => ({
      source: 'api' as const,
      sha: null,
      text,
    }))
    const branch = report.branch === null ? [] : [report.branch]
    await recordIssueKeys(deps, tx, {
      orgId,
      id,
      texts: [...texts, ...branch.map((text) => ({ source: 'branch' as const, sha: null, text }))],
      reading: { ...settings.keys, repository },
    })
    const recorded = await deps.readDeployment(tx, orgId, id)
    if (recorded === undefined) throw new Error(`The deployment ${id} was deleted meanwhile`)
    return recorded
  })
}

/**
 * Locks the repository that a pipeline names. A sync that read the repository for the first time while the pipeline's report before
 * was being stored has not seen that one: it is taken over here.
 */
async function lockReportedRepository(
  deps: HostDeploymentDeps,
  tx: Tx,
  orgId: string,
  named: string,
): Promise<RepositoryRow> {
  const instance = await findInstance(tx, orgId)
  const repository = await lockNamedRepository(tx, orgId, { fullName: toFullName(named), instance })
  if (repository.externalId !== null) {
    const ids = await takeOverNamed(deps, tx, orgId, [repository.externalId])
    await emitChanges(deps, tx, orgId, { event: 'deployment.changed', ids })
  }
  return repository
}

/** Finds the instance of the code host that is connected; `undefined`: none is. Between a connection and its first sync, only it tells the hosts apart. */
export async function findInstance(tx: Tx, orgId: string): Promise<string | undefined> {
  const codehost = await findIntegrationRow(tx, { orgId, kind: 'codehost' })
  return codehost?.account ? instanceOfAccount(codehost.account.id) : undefined
}

const addressOfRepository = /^(?:[a-z][a-z+.-]*:\/\/[^/]+\/|[^/@:]+@[^/:]+:)(.+?)(?:\.git)?\/?$/i

/** Returns the name of a repository where a pipeline gives its address: `acme/shop` of `https://code.example.com/acme/shop.git`. */
function toFullName(repository: string): string {
  return addressOfRepository.exec(repository)?.[1] ?? repository
}

interface PipelineReport {
  readonly input: CreateDeployment
  readonly repositoryId: string
  readonly now: Date
}

async function toReport(
  tx: Tx,
  caller: RestrictedCaller,
  { input, repositoryId, now }: PipelineReport,
): Promise<DeploymentReport> {
  const externalId =
    input.externalId === undefined
      ? externalIdOfCall(newId('req', now))
      : externalIdOfPipeline(input.externalId)
  const before = await findRecordedDeployment(tx, caller.orgId, { repositoryId, externalId })
  // A key must not move to its environment what is another's.
  if (before !== undefined) requireEnvironment(caller, before.environmentId)
  const deployed = classifyRef(input.ref, input.sha)
  const message = input.commitMessages?.at(-1)
  const isRepeat = before?.reportedState === input.state && before.stateSeq !== '0'
  return {
    ...deployed,
    externalId,
    repositoryId,
    sha: input.sha,
    branch: deployed.refKind === 'branch' ? deployed.ref : null,
    task: 'deploy',
    hostEnvironment: input.environment,
    description: null,
    creator: { name: caller.author.name, login: null },
    commitMessage: message === undefined ? null : cutText(message, commitMessageMax),
    workflowId: null,
    run: null,
    source: 'api',
    isHistory: false,
    createdAt: now,
    status: isRepeat ? undefined : toStatus(input, before?.stateSeq, now),
  }
}

const commitMessageMax = 10_000

/** Pipelines do not count their reports, so we do: by the time, and upwards when two fall into one millisecond. */
function toStatus(
  { state, environment, url }: CreateDeployment,
  lastNumber: string | undefined,
  now: Date,
): NonNullable<DeploymentReport['status']> {
  const next = BigInt(lastNumber ?? '0') + 1n
  const byTime = BigInt(now.getTime())
  const number = next > byTime ? next : byTime
  return {
    externalId: number.toString(),
    number,
    state,
    environment,
    description: null,
    environmentUrl: url ?? null,
    logUrl: null,
    at: now,
  }
}
