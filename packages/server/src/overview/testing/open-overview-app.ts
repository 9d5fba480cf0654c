import { openConfigApp, type ConfigApp } from '../../configs/testing/open-config-app.ts'
import { createConfigSummarizer } from '../../configs/summarize-configs.ts'
import { newId } from '../../crypto/ids.ts'
import { mountOverview } from '../routes.ts'

export interface AddDeployment {
  readonly orgId?: string
  readonly environmentId?: string | null
  readonly state?: string
  readonly sha?: string
  readonly ref?: string
  readonly message?: string
  readonly createdAt?: Date
  /** Left out: now, when the state is that of a success. */
  readonly succeededAt?: Date
  readonly finishedAt?: Date
  readonly firstCommittedAt?: Date
  readonly previousId?: string
  readonly creator?: object
}

export interface OverviewApp extends ConfigApp {
  /** Moves the clock of what is tested. */
  at: Date
  addDeployment(of?: AddDeployment): Promise<string>
  addTestRun(of: {
    readonly deploymentId?: string
    readonly environmentId?: string
    readonly state: string
    readonly finishedAt?: Date
    readonly passed?: number
    readonly failed?: number
    readonly flaky?: number
    readonly durationMs?: number
    readonly contaminatedBy?: string
  }): Promise<string>
}

/** Configuration and what joins it with the rest, in process and on a real database. */
export async function openOverviewApp(): Promise<OverviewApp> {
  const clock = { at: new Date() }
  const app = await openConfigApp({
    mount: (router, { store, schemas }) =>
      mountOverview(router, {
        store,
        summarizer: createConfigSummarizer({ schemas }),
        now: () => clock.at,
      }),
  })
  const { test } = app
  const repositories = new Map<string, string>()
  const repositoryOf = async (orgId: string) => {
    const known = repositories.get(orgId)
    if (known !== undefined) return known
    const id = `rep_${orgId.slice(4)}`
    const sql = `insert into repositories (org_id, id, full_name) values ($1, $2, 'acme/shop')`
    await test.asOwner(sql, [orgId, id])
    repositories.set(orgId, id)
    return id
  }
  let added = 0
  return {
    ...app,
    get at() {
      return clock.at
    },
    set at(moment) {
      clock.at = moment
    },
    async addDeployment(of = {}) {
      const { orgId = app.orgId, state = 'success', createdAt = clock.at } = of
      const id = newId('dep', createdAt)
      const succeededAt = of.succeededAt ?? (state === 'success' ? createdAt : null)
      await test.asOwner(
        `insert into deployments (org_id, id, repository_id, external_id, sha, ref, ref_kind, branch, host_environment,
          environment_id, state, source, created_at, succeeded_at, finished_at, first_committed_at, commit_message,
          previous_successful_id, creator)
        values ($1, $2, $3, $4, $5, $6, 'branch', $6, 'live', $7, $8, 'webhook', $9, $10, $11, $12, $13, $14, $15)`,
        [
          orgId,
          id,
          await repositoryOf(orgId),
          String((added += 1)),
          of.sha ?? added.toString(16).padStart(40, 'a'),
          of.ref ?? 'main',
          of.environmentId ?? null,
          state,
          createdAt,
          succeededAt,
          of.finishedAt ?? succeededAt,
          of.firstCommittedAt ?? null,
          of.message ?? null,
          of.previousId ?? null,
          of.creator === undefined ? null : JSON.stringify(of.creator),
        ],
      )
      return id
    },
    async addTestRun(of) {
      const id = newId('run', clock.at)
      await test.asOwner(
        `insert into test_runs (org_id, id, deployment_id, environment_id, name, state, passed, failed, flaky, duration_ms,
          finished_at, contaminated_by) values ($1, $2, $3, $4, 'e2e', $5, $6, $7, $8, $9, $10, $11)`,
        [
          app.orgId,
          id,
          of.deploymentId ?? null,
          of.environmentId ?? null,
          of.state,
          of.passed ?? null,
          of.failed ?? null,
          of.flaky ?? null,
          of.durationMs ?? null,
          of.finishedAt ?? clock.at,
          of.contaminatedBy ?? null,
        ],
      )
      return id
    },
  }
}
