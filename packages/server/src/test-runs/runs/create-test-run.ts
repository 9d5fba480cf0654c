import { requireEnvironment, type RestrictedCaller } from '../../audit/caller.ts'
import { Problem } from '@signalbox/contract'
import { listEnvironmentRows } from '../../configs/environments/environment-rows.ts'
import { newId } from '../../crypto/ids.ts'
import { notFound } from '../../http/answers/problem-response.ts'
import type { Tx } from '../../store/store.ts'
import { findTestedDeployment } from './tested-deployment.ts'
import { insertRun, lockRunByExternalId } from './run-rows.ts'
import type { TestRunDeps } from '../test-run-deps.ts'
import { newTestRun, ranks, type TestRun } from './test-run.ts'

/** Describes a run that a pipeline makes by itself. */
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
 * Records a run that a pipeline makes by itself; returns the first one to a repeat with the same `externalId`.
 *
 * @throws {Problem} `not_found`, `validation_failed`, `key_scope_forbidden`
 */
export async function createTestRun(
  deps: TestRunDeps,
  caller: RestrictedCaller,
  command: CreateTestRun,
): Promise<TestRun> {
  const { orgId } = caller
  return deps.store.transaction(caller.scope, async (tx) => {
    const subject = await findSubject(tx, caller, command)
    requireEnvironment(caller, subject.environmentId)
    const createdAt = deps.now()
    const run = newTestRun({
      ...subject,
      id: newId('run', createdAt),
      name: command.name,
      externalId: command.externalId ?? null,
      url: command.url ?? null,
      state: 'queued',
      stateRank: ranks.queued,
      testedSha: command.sha ?? null,
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

/** Finds the deployment or the environment that a run tests. */
async function findSubject(tx: Tx, { orgId }: RestrictedCaller, command: CreateTestRun) {
  if (command.deploymentId !== undefined) {
    const deployment = await findTestedDeployment(tx, orgId, command.deploymentId)
    if (deployment === undefined) throw notFound()
    const { id: deploymentId, environmentId, repositoryId, sha: deployedSha } = deployment
    return { deploymentId, environmentId, repositoryId, deployedSha }
  }
  if (command.environment === undefined) return { environmentId: null }
  const name = command.environment.toLowerCase()
  const environments = await listEnvironmentRows(tx, orgId)
  const environment = environments.find((row) => row.name.toLowerCase() === name)
  if (environment !== undefined) return { environmentId: environment.id }
  const detail = 'There is no environment with this name. Create it, or leave it out.'
  throw new Problem('validation_failed', detail, {
    errors: [{ pointer: '/environment', code: 'validation_failed', detail }],
  })
}
