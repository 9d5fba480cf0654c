import type { Change } from '@signalbox/contract/rest'
import { newId } from '../../../crypto/ids.ts'
import { openOverviewApp, type OverviewApp } from '../../../overview/testing/open-overview-app.ts'
import { mountDeploymentViews } from '../../../read-models/deployments/routes.ts'
import { forgetOld, type ForgetOldDeps } from '../../forget-old.ts'

const dayMs = 86_400_000
const keptMs = 730 * dayMs

export interface ArchiveApp extends OverviewApp {
  readonly production: string
  readonly schemaId: string
  /** Names each deployment by what it is in the tests. */
  readonly deployments: Readonly<Record<'failed' | 'first' | 'second' | 'live' | 'young', string>>
  /** Reads the timeline to its end, three changes at a time. */
  timeline(query?: string): Promise<Change[]>
  /** Deletes what is older than 60 days, and archives it for two years. */
  forget(options?: Partial<ForgetOldDeps>): Promise<boolean>
  /** Returns the time so many days before the tests. */
  ago(days: number): Date
}

/** Opens the timeline and the pages of deployments, old ones with everything that belongs to them. */
export async function openArchiveApp(): Promise<ArchiveApp> {
  const app = await openOverviewApp({
    archivesVersions: true,
    mount: (router, { store, now }) =>
      mountDeploymentViews(router, { store, now, connectorOf: () => undefined }),
  })
  const ago = (days: number) => new Date(app.at.getTime() - days * dayMs)
  const production = await app.addEnvironment('production')
  const schemaId = await app.addSchema('web', {
    theme: { type: 'string', tier: 'public' },
    token: { type: 'string', tier: 'secret' },
    beta: { type: 'boolean', tier: 'featureFlags', default: false },
  })
  const deployments = await addDeployments(app, { production, ago })
  await addBelongings(app, { id: deployments.failed, production, ago })
  await addVersions(app, { production, schemaId })
  return {
    ...app,
    ago,
    production,
    schemaId,
    deployments,
    async timeline(query = '') {
      const items: Change[] = []
      let cursor = ''
      do {
        const { body } = await app.ok('viewer', `GET /changes?limit=3${query}${cursor}`)
        items.push(...body.items)
        cursor = body.nextCursor === null ? '' : `&cursor=${encodeURIComponent(body.nextCursor)}`
      } while (cursor !== '')
      return items
    },
    forget: (options = {}) =>
      forgetOld(
        {
          store: app.test.store,
          keptFor: { deploymentsMs: 60 * dayMs, archiveMs: keptMs },
          now: () => app.at,
          at: app.at,
          ...options,
        },
        new AbortController().signal,
      ),
  }
}

interface World {
  readonly production: string
  readonly ago: (days: number) => Date
}

async function addDeployments(
  app: OverviewApp,
  { production: environmentId, ago }: World,
): Promise<ArchiveApp['deployments']> {
  const add = (days: number, state: string, previousId?: string) =>
    app.addDeployment({
      environmentId,
      state,
      createdAt: ago(days),
      ...(state === 'failure' ? {} : { succeededAt: ago(days) }),
      ...(previousId !== undefined && { previousId }),
      message: `PAY-7 Round ${days} prices\n\nMore.`,
      creator: { name: 'The Octocat', login: 'octocat' },
    })
  const failed = await add(100, 'failure')
  const first = await add(99, 'superseded')
  const second = await add(98, 'superseded', first)
  await add(97, 'superseded', second)
  const live = await add(96, 'success')
  const young = await add(5, 'failure', live)
  await app.test.asOwner(
    `update deployments set reported_state = case state when 'superseded' then 'success' else state end,
      range = json_build_object('base', lpad('b', 40, 'b'), 'head', sha, 'status', 'ahead', 'total', 1, 'truncated', false,
        'comparedAt', created_at)`,
  )
  return { failed, first, second, live, young }
}

/** Adds to a deployment what its page shows, and test runs of none. */
async function addBelongings(
  app: OverviewApp,
  { id, production, ago }: World & { readonly id: string },
): Promise<void> {
  const run = (days: number, deploymentId?: string) =>
    app.addTestRun({
      environmentId: production,
      state: 'failed',
      finishedAt: ago(days),
      passed: 5,
      failed: 1,
      ...(deploymentId !== undefined && { deploymentId }),
    })
  const runs = [await run(100, id), await run(90), await run(2)]
  await app.test.asOwner(
    `update test_runs set created_at = finished_at + interval '1 microsecond' where id = any ($1)`,
    [runs],
  )
  const { orgId } = app
  await app.test.asOwner(
    `with c as (insert into deployment_commits (org_id, deployment_id, position, sha, message, at)
        select $1, $2, n, 's' || n, 'm', $4::timestamptz from generate_series(1, 51) n),
      s as (insert into deployment_statuses (org_id, deployment_id, external_id, state, at) values ($1, $2, 1, 'failure', $4)),
      i as (insert into deployment_issues (org_id, deployment_id, key, state) values ($1, $2, 'PAY-7', 'linked'))
    insert into notifications (org_id, id, subject_kind, subject_id, state, message_id, message_url, desired_rev, sent_rev)
      values ($1, $3, 'deployment', $2, 'live', 'm', 'https://chat.example/m', 2, 2)`,
    [orgId, id, newId('ntf', app.at), ago(100)],
  )
}

/** Writes versions, and then so many more that these are beyond what is kept. */
async function addVersions(
  app: OverviewApp,
  { production: environmentId, schemaId }: Pick<World, 'production'> & { schemaId: string },
): Promise<void> {
  const write = (values: object, comment?: string) =>
    app.ok('developer', 'PUT /config-values', {
      body: { schemaId, environmentId, values, comment },
    })
  await write({ theme: 'dark', token: 'hidden-value' }, 'PAY-225 night')
  await write({ beta: true })
  await app.test.asOwner(`update config_heads set version = version + 116`)
  // The 120th: one that would delete old versions.
  await write({ theme: 'light' })
}
