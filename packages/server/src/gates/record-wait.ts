import type { Tx } from '../store/store.ts'
import { lockHostRepository } from '../deployments/codehost/repository-rows.ts'
import { findRepositoryId } from '../deployments/codehost/tracked-repository-rows.ts'
import type { CodehostRepository } from '../providers/codehosts/repository.ts'
import type { CodehostWait } from '../providers/codehosts/wait.ts'
import { addDecision, judgeRows, newDecision, storeDecision } from './decide.ts'
import { lockAsked, lockDecisionsOfRun } from './decision-rows.ts'
import { endEarlierAttempts } from './end-attempts.ts'
import type { GateDeps } from './gate-deps.ts'
import type { DecisionRow } from './gate.ts'

/** Describes a run that waits, as its code host says now. */
export interface RecordWait {
  readonly orgId: string
  readonly repository: CodehostRepository
  readonly wait: CodehostWait & { readonly attempt: number }
}

/** Says what became of the news that a run waits. */
export type WaitOutcome = 'recorded' | 'known' | 'over'

/** Records that a run waits for an answer, and judges it. The same news again changes nothing, and that of an earlier attempt is over. */
export async function recordWait(
  deps: GateDeps,
  { orgId, repository, wait }: RecordWait,
): Promise<WaitOutcome> {
  return deps.store.transaction({ orgId }, async (tx) => {
    const repositoryId = await findRepository(deps, tx, orgId, repository)
    const { runId, attempt, environment: hostEnvironment } = wait
    const attemptOf = { repositoryId, runId, attempt, hostEnvironment }
    await lockAsked(tx, orgId, attemptOf)
    const known = await lockDecisionsOfRun(tx, orgId, attemptOf)
    if (known.some((row) => row.attempt > attempt)) return 'over'
    const existing = known.find((row) => row.attempt === attempt)
    if (existing?.via === 'rule') return 'known'
    if (existing !== undefined) {
      await joinWait(deps, tx, orgId, { existing, wait })
      return 'recorded'
    }
    const { sha, ref, isFork, url: runUrl, deploymentId: hostDeploymentId } = wait
    const of = { ...attemptOf, sha, ref, isFork, runUrl, hostDeploymentId, via: 'rule' } as const
    const row = newDecision(of, deps.now())
    const [judged = row] = await judgeRows(deps, tx, orgId, [row])
    await endEarlierAttempts(deps, tx, orgId, known)
    await addDecision(deps, tx, orgId, judged)
    return 'recorded'
  })
}

interface JoinWait {
  readonly existing: DecisionRow
  readonly wait: CodehostWait
}

/** Lets the code host have the decision that a step of the same run has asked for before. */
async function joinWait(
  deps: GateDeps,
  tx: Tx,
  orgId: string,
  { existing, wait }: JoinWait,
): Promise<void> {
  const atHost: DecisionRow = {
    ...existing,
    via: 'rule',
    hostEnvironment: wait.environment,
    hostDeploymentId: wait.deploymentId,
    runUrl: existing.runUrl ?? wait.url,
    isFork: existing.isFork || wait.isFork,
  }
  // The step may have asked for another commit with a key, or the code host knows better where the commit comes from.
  const isOther = wait.sha !== existing.sha || wait.isFork
  const isOpen = isOther || existing.state === 'waiting' || existing.state === 'expired'
  const [after = atHost] = isOpen
    ? await judgeRows(deps, tx, orgId, [
        { ...atHost, sha: wait.sha, state: 'waiting', decidedAt: null, decidedBy: null },
      ])
    : [{ ...atHost, answerState: 'waiting', fence: atHost.fence + 1 } as const]
  await storeDecision(deps, tx, orgId, { before: existing, after })
}

async function findRepository(
  { now }: Pick<GateDeps, 'now'>,
  tx: Tx,
  orgId: string,
  repository: CodehostRepository,
): Promise<string> {
  const id = await findRepositoryId(tx, orgId, repository.externalId)
  return id ?? (await lockHostRepository(tx, orgId, repository, now())).id
}
