import { newId } from '../../crypto/ids.ts'
import { recordCodehostEvent } from '../../deployments/reports/record-codehost-event.ts'
import {
  at,
  buildDeployment,
  buildStatus,
  created,
  openDeployments,
  reported,
  type TestDeployments,
} from '../../deployments/testing/open-deployments.ts'
import type { CodehostDeployment, ReportedState } from '../../providers/codehosts/deployment.ts'
import { forgetOld, type ForgetOldDeps } from '../forget-old.ts'

/** Holds how long the tests keep everything. */
export const keptMs = 30 * 86_400_000

export interface OldDeployments extends TestDeployments {
  /** Records a deployment with a state, in the second of its number, as its code host reports it. */
  deploy(orgId: string, number: number, ended?: Ended): Promise<void>
  /** Deletes what is older than the second `young` of the tests. Returns whether everything was looked at. */
  forget(young: number, options?: Partial<ForgetOldDeps>, signal?: AbortSignal): Promise<boolean>
  /** Lists the numbers of the deployments that are there. */
  numbers(orgId: string): Promise<number[]>
  idOf(orgId: string, number: number): Promise<string>
  /** Adds a test run of a deployment, or of none, with a report of so many results. */
  addRun(orgId: string, run?: AddedRun): Promise<string>
}

interface Ended extends Partial<CodehostDeployment> {
  readonly state?: ReportedState
  /** The second of its status. */
  readonly endedAt?: number
}

interface AddedRun {
  readonly deploymentId?: string | null
  readonly contaminatedBy?: string | null
  /** In seconds; `null`: not finished. */
  readonly finishedAt?: number | null
  readonly createdAt?: number
  readonly receivedAt?: number
  readonly results?: number
}

/** Opens deployments that code hosts report, and what deletes them. */
export async function openOldDeployments(): Promise<OldDeployments> {
  const app = await openDeployments()
  const record = (orgId: string, event: Parameters<typeof recordCodehostEvent>[1]['event']) =>
    recordCodehostEvent(app.deps, { orgId, event, source: 'webhook' })
  return {
    ...app,
    async deploy(orgId, number, { state = 'success', endedAt = number, ...facts } = {}) {
      const deployment = buildDeployment(number, facts)
      await record(orgId, created(deployment))
      if (state !== 'pending')
        await record(orgId, reported(deployment, buildStatus(endedAt, state)))
    },
    forget(young, options = {}, signal = new AbortController().signal) {
      const now = () => new Date(at(young).getTime() + keptMs)
      const keptFor = { deploymentsMs: keptMs }
      return forgetOld({ store: app.test.store, keptFor, now, at: now(), ...options }, signal)
    },
    async numbers(orgId) {
      const rows = await app.test.asOwner<{ readonly number: number }>(
        'select external_id::int - 1000 as number from deployments where org_id = $1 order by 1',
        [orgId],
      )
      return rows.map(({ number }) => number)
    },
    async idOf(orgId, number) {
      const [row] = await app.test.asOwner<{ readonly id: string }>(
        'select id from deployments where org_id = $1 and external_id = $2',
        [orgId, String(1000 + number)],
      )
      return row?.id ?? ''
    },
    async addRun(
      orgId,
      { deploymentId = null, contaminatedBy = null, results = 0, ...times }: AddedRun = {},
    ) {
      const { createdAt = 1, finishedAt = createdAt, receivedAt = createdAt } = times
      const id = newId('run', new Date())
      await app.test.asOwner(
        `insert into test_runs (org_id, id, deployment_id, name, state, passed, contaminated_by, created_at, finished_at)
          values ($1, $2, $3, 'e2e', 'passed', $4, $5, $6, $7)`,
        [
          orgId,
          id,
          deploymentId,
          results,
          contaminatedBy,
          at(createdAt),
          finishedAt === null ? null : at(finishedAt),
        ],
      )
      await app.test.asOwner(
        `insert into test_reports (org_id, run_id, attempt, content_hash, format, summary, received_at)
          values ($1, $2, 1, '', 'ctrf', '{}', $3)`,
        [orgId, id, at(receivedAt)],
      )
      await app.test.asOwner(
        `insert into test_results (org_id, run_id, attempt, case_hash, name, status)
          select $1, $2, 1, sha256(n::text::bytea), 'test ' || n, 'passed' from generate_series(1, $3::int) n`,
        [orgId, id, results],
      )
      return id
    },
  }
}
