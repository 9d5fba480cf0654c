import {
  openConfigApp,
  type ConfigApp,
  type OpenConfigApp,
} from '../../configs/testing/open-config-app.ts'
import { createConfigSummarizer } from '../../configs/summarize-configs.ts'
import { newId } from '../../crypto/ids.ts'
import type { TestStore } from '../../store/testing/test-database.ts'
import { mountOverview } from '../routes.ts'

export interface AddDeployment {
  readonly orgId?: string
  readonly environmentId?: string | null
  /** Its full name; `acme/shop` left out. */
  readonly repository?: string
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

export interface OverviewApp extends Omit<ConfigApp, 'another'> {
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
  another(): Promise<OverviewApp>
}

/** Configuration and what joins it with the rest, in process and on a real database. */
export async function openOverviewApp({
  mount,
  ...options
}: OpenConfigApp = {}): Promise<OverviewApp> {
  const clock = { at: new Date() }
  const app = await openConfigApp({
    ...options,
    mount: (router, deps) => {
      const { store, schemas, keys } = deps
      const summarizer = createConfigSummarizer({ schemas, keys })
      mountOverview(router, { store, summarizer, now: () => clock.at })
      mount?.(router, deps)
    },
  })
  return addDeployments(app, clock)
}

interface Clock {
  at: Date
}

function addDeployments(app: ConfigApp, clock: Clock): OverviewApp {
  return {
    ...app,
    get at() {
      return clock.at
    },
    set at(moment) {
      clock.at = moment
    },
    addDeployment: createAddDeployment(app, clock),
    addTestRun: createAddTestRun(app, clock),
    another: async () => addDeployments(await app.another(), clock),
  }
}

function createAddDeployment(app: ConfigApp, clock: Clock): OverviewApp['addDeployment'] {
  const { test } = app
  let added = 0
  return async (of = {}) => {
    const { orgId = app.orgId, state = 'success', createdAt = clock.at } = of
    const { repository = 'acme/shop', ref = 'main' } = of
    const id = newId('dep', createdAt)
    const succeededAt = of.succeededAt ?? (state === 'success' ? createdAt : null)
    await test.asOwner(
      `insert into repositories (org_id, id, full_name) values ($1, $2, $2) on conflict do nothing`,
      [orgId, repository],
    )
    const row = {
      org_id: orgId,
      id,
      repository_id: repository,
      external_id: String((added += 1)),
      sha: of.sha ?? added.toString(16).padStart(40, 'a'),
      ref,
      ref_kind: 'branch',
      branch: ref,
      host_environment: 'live',
      environment_id: of.environmentId,
      state,
      source: 'webhook',
      created_at: createdAt,
      succeeded_at: succeededAt,
      finished_at: of.finishedAt ?? succeededAt,
      first_committed_at: of.firstCommittedAt,
      commit_message: of.message,
      previous_successful_id: of.previousId,
      creator: of.creator && JSON.stringify(of.creator),
    }
    await insert(test, 'deployments', row)
    return id
  }
}

function createAddTestRun({ orgId, test }: ConfigApp, clock: Clock): OverviewApp['addTestRun'] {
  return async (of) => {
    const id = newId('run', clock.at)
    await insert(test, 'test_runs', {
      org_id: orgId,
      id,
      name: 'e2e',
      state: of.state,
      deployment_id: of.deploymentId,
      environment_id: of.environmentId,
      passed: of.passed,
      failed: of.failed,
      flaky: of.flaky,
      duration_ms: of.durationMs,
      finished_at: of.finishedAt ?? clock.at,
      contaminated_by: of.contaminatedBy,
    })
    return id
  }
}

async function insert(
  { asOwner }: Pick<TestStore, 'asOwner'>,
  table: string,
  row: Readonly<Record<string, unknown>>,
): Promise<void> {
  const given = Object.entries(row).filter(([, value]) => value !== undefined && value !== null)
  await asOwner(
    `insert into ${table} (${given.map(([column]) => column).join()}) values (${given.map((_, at) => `$${at + 1}`).join()})`,
    given.map(([, value]) => value),
  )
}
