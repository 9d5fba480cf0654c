import { isProtected, limits, Problem } from '@signalbox/contract'
import { findEnvironmentRow } from '../configs/environments/environment-rows.ts'
import { lockNamedRepository } from '../deployments/codehost/repository-rows.ts'
import { findInstance } from '../deployments/reports/create-deployment.ts'
import { listRepositoryFacts } from '../read-models/gates/fact-rows.ts'
import type { Tx } from '../store/store.ts'
import { findPipelineRepository } from '../test-runs/reports/authorize-sender.ts'
import { isPullRequestOfFork } from '../deployments/pull-requests/pull-request-rows.ts'
import { foreignRepository, type AuthorizedAsk } from './authorize-ask.ts'
import { addDecision, judgeRows, newDecision } from './decide.ts'
import { countWaiting, lockAsked, lockDecisionsOfRun, updateDecision } from './decision-rows.ts'
import { endEarlierAttempts } from './end-attempts.ts'
import type { GateDeps } from './gate-deps.ts'

const heardEveryMs = 5 * 60_000

/**
 * Answers a pipeline that asks whether it may go on, and returns the id of the decision. The first call makes it, and a later one
 * of the same run and environment finds it as it stands then.
 *
 * @throws {Problem} `invalid_credentials`, `key_scope_forbidden`, `conflict`, `quota_exceeded`
 */
export async function askGate(deps: GateDeps, ask: AuthorizedAsk): Promise<string> {
  const { orgId, sha, runId, attempt, environment: hostEnvironment } = ask
  return deps.store.transaction(ask.scope, async (tx) => {
    const now = deps.now()
    const repositoryId = await findRepository(tx, ask)
    const attemptOf = { repositoryId, runId, attempt, hostEnvironment }
    await lockAsked(tx, orgId, attemptOf)
    const known = await lockDecisionsOfRun(tx, orgId, attemptOf)
    const existing = known.find((row) => row.attempt === attempt)
    if (existing !== undefined) {
      if (existing.sha !== sha) throw otherCommit()
      await requireEnvironment(tx, ask, existing.environmentId)
      if (now.getTime() - existing.heardAt.getTime() > heardEveryMs)
        await updateDecision(tx, orgId, { ...existing, heardAt: now })
      return existing.id
    }
    if (known.some((row) => row.attempt > attempt)) throw laterAttempt()
    const row = newDecision(
      {
        ...attemptOf,
        sha,
        ref: ask.ref,
        isFork: await isOfFork(tx, ask, repositoryId),
        runUrl: ask.url,
        hostDeploymentId: null,
        via: 'step',
      },
      now,
    )
    const [judged = row] = await judgeRows(deps, tx, orgId, [row])
    await requireEnvironment(tx, ask, judged.environmentId)
    if (judged.state === 'waiting') await requireCapacity(tx, orgId)
    await endEarlierAttempts(deps, tx, orgId, known)
    await addDecision(deps, tx, orgId, judged)
    return judged.id
  })
}

async function findRepository(tx: Tx, { orgId, repository }: AuthorizedAsk): Promise<string> {
  if ('fullName' in repository) {
    const instance = await findInstance(tx, orgId)
    return (await lockNamedRepository(tx, orgId, { fullName: repository.fullName, instance })).id
  }
  const { pipeline, name } = repository
  const id = await findPipelineRepository(tx, orgId, pipeline)
  if (id === undefined) throw foreignRepository()
  const [stored] = name === undefined ? [] : await listRepositoryFacts(tx, orgId, [id])
  if (stored !== undefined && stored.fullName.toLowerCase() !== name?.toLowerCase()) {
    const detail = `The token belongs to another repository than ${name}. Leave repository out.`
    throw new Problem('invalid_credentials', detail)
  }
  return id
}

/** Returns whether the run is of a pull request that comes from a fork. One that nobody has reported may come from one. */
async function isOfFork(
  tx: Tx,
  { orgId, pullRequest }: AuthorizedAsk,
  repositoryId: string,
): Promise<boolean> {
  if (pullRequest === undefined) return false
  return (await isPullRequestOfFork(tx, orgId, { repositoryId, number: pullRequest })) ?? true
}

async function requireEnvironment(
  tx: Tx,
  { orgId, checkEnvironment }: AuthorizedAsk,
  id: string | null,
): Promise<void> {
  const environment = id === null ? undefined : await findEnvironmentRow(tx, orgId, id)
  checkEnvironment({
    id,
    isProtected: environment !== undefined && isProtected(environment.protection),
  })
}

async function requireCapacity(tx: Tx, orgId: string): Promise<void> {
  const max = limits.gateDecisionsWaiting
  if ((await countWaiting(tx, orgId)) < max) return
  const detail = `${max} deployments of the organization wait already. Let some of them go on, or refuse them.`
  throw new Problem('quota_exceeded', detail)
}

function otherCommit(): Problem {
  const detail =
    'The run has asked for another commit in this environment. Give each deployment a run of its own.'
  return new Problem('conflict', detail)
}

function laterAttempt(): Problem {
  const detail = 'A later attempt of the run has asked, so this one is over.'
  return new Problem('conflict', detail)
}
