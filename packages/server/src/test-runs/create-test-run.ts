import { Problem } from '@signalbox/contract'
import { newId } from '../crypto/ids.ts'
import { notFound } from '../http/problem-response.ts'
import type { Tx } from '../store/store.ts'
import { requireEnvironment, type EnvironmentCaller } from '../integrations/environment-caller.ts'
import { findEnvironmentId, findTestedDeployment } from './deployment-rows.ts'
import { insertRun, lockRunByExternalId } from './run-rows.ts'
import type { TestRunDeps } from './test-run-deps.ts'
import { newTestRun, ranks, type TestRun } from './test-run.ts'

export interface CreateTestRun {
  readonly deploymentId?: string | undefined
  readonly environment?: string | undefined
  readonly sha?: string | undefined
  readonly name: string
  /** Names the run in repeats. */
  readonly externalId?: string | undefined
  readonly url?: string | undefined
}

/**
 * Records a run that a pipeline makes by itself. A repeat with the same `externalId` answers with the first.
 *
 * @throws {Problem} `not_found`, `validation_failed`, `key_scope_forbidden`
 */
export async function createTestRun(
  deps: TestRunDeps,
  caller: EnvironmentCaller,
  given: CreateTestRun,
): Promise<TestRun> {
  const { orgId } = caller
  return deps.store.transaction(caller.scope, async (tx) => {
    const place = await findPlace(tx, caller, given)
    requireEnvironment(caller, place.environmentId)
    const createdAt = deps.now()
    const run = newTestRun({
      ...place,
      id: newId('run', createdAt),
      name: given.name,
      externalId: given.externalId ?? null,
      url: given.url ?? null,
      state: 'queued',
      stateRank: ranks.queued,
      testedSha: given.sha ?? null,
      createdAt,
    })
    const deadlineAt = new Date(createdAt.getTime() + run.deadlineMinutes * 60_000)
    if (await insertRun(tx, orgId, { ...run, deadlineAt })) {
      await deps.emit(tx, 'testRun.changed', { orgId, id: run.id })
      return { ...run, deadlineAt }
    }
    const { repositoryId, externalId } = run
    const first =
      externalId === null
        ? undefined
        : await lockRunByExternalId(tx, orgId, { repositoryId, externalId })
    if (first === undefined) throw new Error('A test run was neither added nor there')
    requireEnvironment(caller, first.environmentId)
    return first
  })
}

async function findPlace(tx: Tx, { orgId }: EnvironmentCaller, given: CreateTestRun) {
  if (given.deploymentId !== undefined) {
    const deployment = await findTestedDeployment(tx, orgId, given.deploymentId)
    if (deployment === undefined) throw notFound()
    const { id: deploymentId, environmentId, repositoryId, sha: deployedSha } = deployment
    return { deploymentId, environmentId, repositoryId, deployedSha }
  }
  if (given.environment === undefined) return { environmentId: null }
  const environmentId = await findEnvironmentId(tx, orgId, given.environment)
  if (environmentId !== undefined) return { environmentId }
  const detail = 'There is no environment of this name. Create it, or leave it out.'
  throw new Problem('validation_failed', detail, {
    errors: [{ pointer: '/environment', code: 'validation_failed', detail }],
  })
}
