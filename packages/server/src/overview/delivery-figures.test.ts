import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { newId } from '../crypto/ids.ts'
import { pageDeploymentRows } from '../read-models/deployments/list-rows.ts'
import { workOutFigures, type FigureDeployment } from './testing/figure-model.ts'
import { openOverviewApp, type OverviewApp } from './testing/open-overview-app.ts'

let app: OverviewApp
let production: string
let staging: string
/** The minute 0 of the test. */
const start = Date.UTC(2026, 0, 1)
const at = (minute: number) => new Date(start + minute * 60_000)

beforeAll(async () => {
  app = await openOverviewApp()
  production = await app.addEnvironment('production')
  staging = await app.addEnvironment('staging')
  await app.test.asOwner('update environments set production = true where id = $1', [production])
})
afterAll(() => app.close())

const figures = async (query: string) =>
  (await app.ok('viewer', `GET /delivery-figures${query}`)).body
const between = (from: number, to: number) =>
  `?from=${at(from).toISOString()}&to=${at(to).toISOString()}`

interface Step {
  readonly place: number
  readonly minute: number
  readonly tookMinutes: number
  readonly leadMinutes: number | null
  readonly outcome: FigureDeployment['outcome']
  readonly relation: FigureDeployment['relation']
}

const history = fc.uniqueArray(
  fc.record<Step>({
    place: fc.integer({ min: 0, max: 5 }),
    minute: fc.integer({ min: 20, max: 6_000 }),
    tookMinutes: fc.integer({ min: 0, max: 15 }),
    leadMinutes: fc.option(fc.integer({ min: -5, max: 3_000 })),
    outcome: fc.constantFrom('live', 'live', 'live', 'failure', 'error', 'running'),
    relation: fc.constantFrom('forward', 'forward', 'rollback', 'hotfix', 'same', 'unknown'),
  }),
  // Two of one moment in one place have no order that a person could tell.
  { selector: ({ place, minute }) => `${place} ${minute}`, minLength: 15, maxLength: 40 },
)

/** Two repositories; production under two names at the code host, staging, and an environment that is not mapped. */
const places = [
  { repository: 'acme/api', host: 'production' },
  { repository: 'acme/api', host: 'staging' },
  { repository: 'acme/web', host: 'prod-eu' },
  { repository: 'acme/web', host: 'Prod-US' },
  { repository: 'acme/web', host: 'staging' },
  { repository: 'acme/web', host: 'preview' },
] as const

function toDeployment(step: Step): FigureDeployment {
  const { repository, host } = places[step.place] ?? places[0]
  const isProduction = /^prod/i.test(host)
  const environmentId = isProduction ? production : host === 'staging' ? staging : null
  const { minute, tookMinutes, leadMinutes, outcome, relation } = step
  return {
    repository,
    environmentId,
    isProduction,
    hostEnvironment: host,
    createdAt: minute - tookMinutes,
    endedAt: minute,
    outcome,
    relation,
    firstCommittedAt: leadMinutes === null || outcome !== 'live' ? null : minute - leadMinutes,
  }
}

/** Stores deployments as the service leaves them once the links of each place are settled. */
async function store(deployments: readonly FigureDeployment[]): Promise<void> {
  await app.test.asOwner('delete from deployments')
  const chain = new Map<string, string>()
  const ids = deployments.map(({ createdAt }) => newId('dep', at(createdAt)))
  const rows = deployments.map((one, nth) => {
    const place = `${one.repository} ${one.hostEnvironment.toLowerCase()}`
    const isLive = one.outcome === 'live'
    const previous = chain.get(place)
    if (isLive) chain.set(place, ids[nth] ?? '')
    const next = deployments.find(
      (other, later) =>
        later > nth &&
        other.outcome === 'live' &&
        `${other.repository} ${other.hostEnvironment.toLowerCase()}` === place,
    )
    const after = next?.relation === 'rollback' ? 'rolled_back' : 'superseded'
    const own = { live: 'success', running: 'in_progress', failure: 'failure', error: 'error' }
    return {
      id: ids[nth],
      repository: one.repository,
      nth: String(nth).padStart(4, '0'),
      host: one.hostEnvironment,
      environment: one.environmentId,
      state: isLive && next !== undefined ? after : own[one.outcome],
      relation: one.relation,
      previous: previous ?? null,
      created: at(one.createdAt),
      succeeded: isLive ? at(one.endedAt) : null,
      finished: one.outcome === 'running' ? null : at(one.endedAt),
      committed: one.firstCommittedAt === null ? null : at(one.firstCommittedAt),
    }
  })
  await app.test.asOwner(
    `insert into repositories (org_id, id, full_name) select $1, n, n from unnest($2::text[]) n on conflict do nothing`,
    [app.orgId, places.map(({ repository }) => repository)],
  )
  await app.test.asOwner(
    `insert into deployments (org_id, id, repository_id, external_id, sha, ref, ref_kind, host_environment, environment_id, state,
       relation, previous_successful_id, source, created_at, succeeded_at, finished_at, first_committed_at)
     select $1, id, repository, nth, repeat('a', 40), 'main', 'branch', host, environment, state, relation, previous, 'webhook',
       created, succeeded, finished, committed
     from json_to_recordset($2) as r (id text, repository text, nth text, host text, environment text, state text, relation text,
       previous text, created timestamptz, succeeded timestamptz, finished timestamptz, committed timestamptz)`,
    [app.orgId, JSON.stringify(rows)],
  )
}

/** Counts the deployments that the list shows for a figure. */
async function listed(
  environmentId: string,
  outcome: 'live' | 'failed',
  { from, to }: { readonly from: number; readonly to: number },
): Promise<number> {
  const { test, orgId } = app
  const filter = { environmentId, outcome, from: at(from), to: at(to), environmentIds: null }
  const rows = await test.store.transaction({ orgId }, (tx) =>
    pageDeploymentRows(tx, orgId, filter, { after: undefined, limit: 100 }),
  )
  return rows.length
}

describe('the delivery figures', () => {
  it('are what the definitions make of any history, by repository and environment and of all', async () => {
    const [from, to] = [3_000, 5_000]
    const periods = { current: { from, to }, previous: { from: 2 * from - to, to: from } }
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const deployments = steps.map(toDeployment).toSorted((a, b) => a.endedAt - b.endedAt)
        await store(deployments)
        const expected = (isCounted: (one: FigureDeployment) => boolean) => ({
          ...workOutFigures(deployments, isCounted, periods.current),
          previous: workOutFigures(deployments, isCounted, periods.previous),
        })
        const { items, total } = await figures(between(from, to))
        expect(total).toEqual(expected(({ environmentId }) => environmentId !== null))
        for (const repository of ['acme/api', 'acme/web']) {
          for (const environmentId of [production, staging]) {
            const { previous, ...current } = expected(
              (one) => one.repository === repository && one.environmentId === environmentId,
            )
            const isThere =
              current.changeFailure.deployments + previous.changeFailure.deployments > 0
            const found = items.filter(
              (item: FigureDeployment) =>
                item.repository === repository && item.environmentId === environmentId,
            )
            expect(found).toEqual(
              isThere ? [{ repository, environmentId, ...current, previous }] : [],
            )
          }
        }
        for (const environmentId of [production, staging]) {
          const { deployed, changeFailure } = expected((one) => one.environmentId === environmentId)
          expect(await listed(environmentId, 'live', { from, to })).toBe(deployed)
          expect(await listed(environmentId, 'failed', { from, to })).toBe(changeFailure.failed)
        }
      }),
      { numRuns: 60 * inject('scale'), seed: 20_261_125 },
    )
  })

  it('say nothing where nothing was deployed, and have the days of the period', async () => {
    await store([])
    app.at = at(100_000)
    const { from, to, items, hasMore, total } = await figures('')
    expect([from, to]).toEqual([at(100_000 - 30 * 1440).toISOString(), at(100_000).toISOString()])
    expect({ items, hasMore }).toEqual({ items: [], hasMore: false })
    const nothing = {
      deployed: 0,
      deploymentsPerDay: 0,
      leadTime: { medianMs: null, p90Ms: null, deployments: 0 },
      changeFailure: { rate: null, failed: 0, deployments: 0 },
      restore: { medianMs: null, restored: 0, open: 0 },
    }
    expect(total).toEqual({ ...nothing, previous: nothing })
  })

  it('are narrowed to a repository in any case, and to an environment', async () => {
    const live = (place: number, minute: number) =>
      toDeployment({
        place,
        minute,
        tookMinutes: 1,
        leadMinutes: 60,
        outcome: 'live',
        relation: 'forward',
      })
    await store([live(0, 100), live(1, 200), live(2, 300)])
    const places = async (more: string) =>
      (await figures(between(50, 400) + more)).items.map(
        ({ repository, environmentId }: FigureDeployment) => [repository, environmentId],
      )
    expect(await places('')).toEqual([
      ['acme/api', production],
      ['acme/api', staging],
      ['acme/web', production],
    ])
    expect(await places('&repository=ACME/api')).toHaveLength(2)
    expect(await places(`&environmentId=${staging}`)).toEqual([['acme/api', staging]])
    expect(await places('&repository=acme/none')).toEqual([])
  })

  it('refuse a period that ends before it begins, one of two years, and an environment of somebody else', async () => {
    for (const query of [between(5, 5), between(5, 4), between(0, 732 * 1440)]) {
      const refused = await app.call('viewer', `GET /delivery-figures${query}`)
      expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_query' } })
    }
    const absent = `GET /delivery-figures?environmentId=env_${'0'.repeat(26)}`
    expect(await app.call('viewer', absent)).toMatchObject({ status: 404 })
  })
})
