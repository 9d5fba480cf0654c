import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import type { CodehostEvent } from '../../providers/codehosts/event.ts'
import { recordCodehostEvent } from '../reports/record-codehost-event.ts'
import { beginSync } from './start-sync.ts'
import type { Sync, SyncDepth } from './sync.ts'
import { hostFailure, type FakeRepository } from '../testing/fake-codehost.ts'
import {
  at,
  buildDeployment,
  buildStatus,
  created,
  reported,
  shop,
  type TestOrganization,
} from '../testing/open-deployments.ts'
import { Killed, openSyncs, type TestSyncs } from '../testing/open-syncs.ts'
import { readRecords } from '../testing/read-records.ts'

let app: TestSyncs
let organization: TestOrganization

beforeAll(async () => {
  app = await openSyncs(50)
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.test.asOwner('delete from pending_jobs')
  organization = await addOrganization()
  app.clock = at(100_000)
  app.deploymentsKeptMs = undefined
  app.emitted.length = 0
  app.dead.length = 0
  app.host.repositories = [
    buildRepository('1', 'acme/shop', 12),
    buildRepository('2', 'acme/api', 3),
  ]
  Object.assign(app.host, { left: undefined, beforeCall: () => undefined })
  app.host.calls.length = 0
})

async function addOrganization(connectedAt = at(90_000)): Promise<TestOrganization> {
  const added = await app.addOrganization()
  await app.test.asOwner('update integrations set connected_at = $2 where org_id = $1', [
    added.orgId,
    connectedAt,
  ])
  return added
}

/** A repository with deployments that began and ended, one after the other. */
function buildRepository(externalId: string, fullName: string, count: number): FakeRepository {
  const first = Number(externalId) * 10_000
  return {
    ...shop,
    externalId,
    fullName,
    environments: ['production', 'staging'],
    deployments: Array.from({ length: count }, (_, index) => {
      const number = first + index
      const environment = index % 3 === 0 ? 'staging' : 'production'
      const deployment = buildDeployment(number, { environment, createdAt: at(index * 100) })
      const end = index % 5 === 4 ? 'failure' : 'success'
      const statuses = [
        buildStatus(first * 10 + index * 10, 'in_progress', { at: at(index * 100 + 5) }),
        buildStatus(first * 10 + index * 10 + 1, end, { at: at(index * 100 + 10) }),
      ]
      return { deployment, statuses }
    }),
  }
}

function eventsOf(repository: FakeRepository): CodehostEvent[] {
  const { environments: _e, deployments, ...of } = repository
  return deployments.flatMap(({ deployment, statuses }) => [
    created(deployment, of),
    ...statuses.map((status) => reported(deployment, status, of)),
  ])
}

async function begin(depth: SyncDepth = 'full', orgId = organization.orgId): Promise<Sync> {
  return app.work.store.transaction({ orgId }, (tx) => beginSync(app.work, tx, orgId, depth))
}

async function stored(id: string): Promise<Record<string, unknown>> {
  const [row] = await app.test.asOwner('select * from syncs where id = $1', [id])
  return row ?? {}
}

async function sync(depth: SyncDepth = 'full', orgId = organization.orgId) {
  app.clock = new Date(app.clock.getTime() + 1)
  const { id } = await begin(depth, orgId)
  await app.doJobs()
  return stored(id)
}

const environments = () =>
  app.test.asOwner(
    `select r.full_name as repository, h.name, h.removed_at is not null as removed from host_environments h
      join repositories r on r.org_id = h.org_id and r.id = h.repository_id
      where h.org_id = $1 order by 1, 2`,
    [organization.orgId],
  )

/** Says how far a sync is when the host is asked for this, and wants a pause. */
async function progressAt(asked: string, nth = 1): Promise<Record<string, unknown>> {
  const { id } = await begin()
  let count = 0
  app.host.beforeCall = (call) => {
    if (call.startsWith(asked) && ++count >= nth) throw hostFailure('rateLimited', at(200_000))
  }
  await app.doJobs()
  return stored(id)
}

const statusCalls = () => app.host.calls.filter((call) => call.startsWith('listStatuses'))

describe('a sync', () => {
  it('shows how far it is while it goes on, and how much there is as far as the host says', async () => {
    app.host.repositories = Array.from({ length: 60 }, (_, index) =>
      buildRepository(String(index + 1), `acme/${index}`, index < 2 ? 3 : 0),
    )
    const unknown = { done: 0, total: null }
    expect(await progressAt('listRepositories 1')).toMatchObject({
      progress: {
        repositories: { done: 50, total: 60 },
        environments: unknown,
        deployments: unknown,
      },
    })
    await app.test.asOwner('delete from syncs')
    expect(await progressAt('listEnvironments', 3)).toMatchObject({
      progress: { repositories: { done: 60, total: 60 }, environments: { done: 4, total: null } },
    })
    await app.test.asOwner('delete from syncs')
    expect(await progressAt('listStatuses', 3)).toMatchObject({
      progress: { environments: { done: 120, total: 120 }, deployments: { done: 2, total: 6 } },
    })
  })

  it('records what the host has, and says how much that was', async () => {
    expect(await sync()).toMatchObject({
      state: 'done',
      detail: null,
      progress: {
        repositories: { done: 2, total: 2 },
        environments: { done: 4, total: 4 },
        deployments: { done: 15, total: 15 },
        missedWebhooks: 0,
      },
    })
    const told = await addOrganization()
    for (const event of app.host.repositories.flatMap(eventsOf)) {
      await recordCodehostEvent(app.deps, { orgId: told.orgId, event, source: 'webhook' })
    }
    const records = await readRecords(app.test, organization.orgId)
    expect(records).toHaveLength(15)
    const withoutRelation = ({ relation: _compared, ...record }: Record<string, unknown>) => record
    expect(records.map(withoutRelation)).toEqual(
      (await readRecords(app.test, told.orgId)).map(withoutRelation),
    )
  })

  it('tells nobody of what was deployed before the connection, and still asks for its commits', async () => {
    await sync()
    expect(app.emitted).toEqual([])
    expect(app.host.calls.filter((call) => /^(compare|getCommit)/.test(call))).toHaveLength(15)
  })

  it('announces a deployment of the second of the connection, which the host names without its fraction', async () => {
    const { orgId } = await addOrganization(at(89_950.4))
    app.host.repositories[0]?.deployments.push({
      deployment: buildDeployment(10_099, { createdAt: at(89_950) }),
      statuses: [buildStatus(999_999, 'success', { at: at(89_951) })],
    })
    await sync('full', orgId)
    expect(app.emitted.filter(({ event }) => event === 'deployment.succeeded')).toHaveLength(1)
  })

  it('tells of what no webhook told of since the connection, and counts it', async () => {
    const { orgId } = await addOrganization(at(1_050))
    const [repository] = app.host.repositories
    const events = eventsOf(repository ?? buildRepository('1', 'acme/shop', 0))
    // The last but one was told of.
    for (const event of events.slice(-3)) {
      await recordCodehostEvent(app.deps, { orgId, event, source: 'webhook' })
    }
    app.host.repositories[0]?.deployments.push({
      deployment: buildDeployment(10_099, { createdAt: at(50_000) }),
      statuses: [buildStatus(999_999, 'success', { at: at(50_000) })],
    })
    app.emitted.length = 0
    expect(await sync('full', orgId)).toMatchObject({ progress: { missedWebhooks: 1 } })
    expect(app.emitted.map(({ event }) => event)).toContain('deployment.succeeded')
  })

  it('follows what is renamed and what is removed', async () => {
    await sync()
    app.clock = at(100_100)
    app.host.repositories = [
      { ...buildRepository('1', 'acme/store', 12), environments: ['production', 'preview'] },
    ]
    await sync('newest')
    expect(
      await app.test.asOwner(
        'select full_name, removed_at is not null as removed from repositories where org_id = $1 order by 1',
        [organization.orgId],
      ),
    ).toEqual([
      { full_name: 'acme/api', removed: true },
      { full_name: 'acme/store', removed: false },
    ])
    expect(await environments()).toEqual([
      { repository: 'acme/api', name: 'production', removed: false },
      { repository: 'acme/api', name: 'staging', removed: false },
      { repository: 'acme/store', name: 'preview', removed: false },
      { repository: 'acme/store', name: 'production', removed: false },
      { repository: 'acme/store', name: 'staging', removed: true },
    ])
  })

  it('finds an environment again that was removed, and none again by a deployment from before', async () => {
    const [repository] = app.host.repositories
    if (repository === undefined) throw new Error('There is one')
    await sync()
    repository.environments = ['production']
    await sync('newest')
    await sync()
    const staging = { repository: 'acme/shop', name: 'staging' }
    expect(await environments()).toContainEqual({ ...staging, removed: true })
    const late = created(buildDeployment(77, { environment: 'staging', createdAt: at(50) }))
    const of = { orgId: organization.orgId, source: 'webhook' } as const
    await recordCodehostEvent(app.work, { ...of, event: { ...late, repository } as CodehostEvent })
    expect(await environments()).toContainEqual({ ...staging, removed: true })
    repository.environments = ['production', 'staging']
    await sync('newest')
    expect(await environments()).toContainEqual({ ...staging, removed: false })
  })

  it('asks again for no deployment that has ended, when it looks at the newest page', async () => {
    await sync()
    app.host.calls.length = 0
    app.host.repositories[0]?.deployments.push({
      deployment: buildDeployment(10_099, { createdAt: at(99_000) }),
      statuses: [],
    })
    await sync('newest')
    expect(statusCalls()).toEqual(['listStatuses 1 11099'])
  })

  it.each(['full', 'newest'] as const)(
    'that is %s neither asks for deployments that are older than they are kept, nor stores them',
    async (depth) => {
      app.deploymentsKeptMs = 99_550_000
      expect(await sync(depth)).toMatchObject({ state: 'done' })
      const rows = await app.test.asOwner(
        'select external_id from deployments where org_id = $1 and created_at < $2',
        [organization.orgId, at(450)],
      )
      expect(rows).toEqual([])
      expect(statusCalls()).toHaveLength(7)
    },
  )

  it('leaves out what it may not read, says so, and reads the rest', async () => {
    app.host.beforeCall = (call) => {
      if (call === 'listEnvironments 1') throw hostFailure('forbidden')
      if (call.startsWith('listDeployments 2')) throw hostFailure('notFound')
    }
    const done = await sync()
    expect(done).toMatchObject({ state: 'done', progress: { deployments: { done: 12 } } })
    expect(done['detail']).toMatch(/couldn’t read .*acme\/shop.*couldn’t read .*acme\/api/)
  })

  it('does not begin a second time while it is under way, and goes on although its job was lost', async () => {
    const first = await begin()
    await app.test.asOwner('delete from pending_jobs')
    expect((await begin()).id).toBe(first.id)
    await app.doJobs()
    expect(await stored(first.id)).toMatchObject({ state: 'done' })
    expect((await begin()).id).not.toBe(first.id)
  })

  it('begins anew where another code host is connected while one is under way', async () => {
    const former = await begin()
    app.clock = new Date(app.clock.getTime() + 1)
    await app.test.asOwner('update integrations set connected_at = $2 where org_id = $1', [
      organization.orgId,
      app.clock,
    ])
    const { id } = await begin()
    expect(id).not.toBe(former.id)
    expect((await begin()).id).toBe(id)
    await app.doJobs()
    expect(await stored(id)).toMatchObject({ state: 'done' })
    expect(await stored(former.id)).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('was replaced'),
    })
  })

  it('is tried again after a fault of the host, and says what to do when that does not help', async () => {
    let faults = 3
    app.host.beforeCall = () => {
      faults -= 1
      if (faults >= 0) throw hostFailure('unavailable')
    }
    expect(await sync()).toMatchObject({ state: 'done' })
    app.host.beforeCall = () => {
      throw hostFailure('unavailable')
    }
    const failed = await sync()
    expect(failed).toMatchObject({ state: 'failed', progress: { deployments: { done: 0 } } })
    expect(failed['detail']).toMatch(/Try again later.*start the sync again/)
    expect(app.dead).toEqual([])
  })

  it('waits as long as the host asks, which is no failed try', async () => {
    let isAsked = false
    app.host.beforeCall = (call) => {
      if (isAsked || !call.startsWith('listStatuses')) return
      isAsked = true
      throw hostFailure('rateLimited', at(101_000))
    }
    expect(await sync()).toMatchObject({
      state: 'running',
      detail: expect.stringMatching(
        /^Waiting until \d{4}-\d\d-\d\d [\d:]{8} UTC: GitHub asks for a pause\.$/,
      ),
    })
    expect(await app.waiting()).toEqual([{ queue: 'deployments.runSync', startAfter: at(101_000) }])
    app.clock = at(101_001)
    await app.doJobs()
    expect(
      await app.test.asOwner('select state, detail from syncs where org_id = $1', [
        organization.orgId,
      ]),
    ).toEqual([{ state: 'done', detail: null }])
    expect(new Set(statusCalls()).size + 1).toBe(statusCalls().length)
  })
})

describe('the rate limit', () => {
  /** The least that was left in any period, while a sync ran through several. */
  async function leastLeft(tell: boolean): Promise<number> {
    let [left, least] = [40, 40]
    app.host.beforeCall = () => {
      left -= 1
      least = Math.min(least, left)
      if (tell) app.host.left = { remaining: left + 1, limit: 40, resetsAt: at(103_600) }
    }
    const { id } = await begin()
    for (let period = 0; period < 20; period += 1) {
      await app.doJobs()
      if ((await stored(id))['state'] === 'done') break
      left = 40
      const resetsAt = new Date(app.clock.getTime() + 3_601_000)
      app.clock = resetsAt
      app.host.left = undefined
    }
    expect(await stored(id)).toMatchObject({ state: 'done' })
    return least
  }

  it('is never used up by more than half, however long it takes', async () => {
    expect(await leastLeft(true)).toBe(20)
  })

  it('control: a host that does not tell of its limit is asked for everything at once', async () => {
    expect(await leastLeft(false)).toBeLessThan(20)
  })
})

/** Numbers between 0 and 1 that are the same in each run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

const syncOnly = { except: ['deployments.enrich'] }

describe('a sync of many deployments that is killed', () => {
  const count = inject('scale') === 1 ? 60 : 300

  beforeEach(() => {
    app.host.repositories = [
      buildRepository('1', 'acme/shop', count - 20),
      buildRepository('2', 'acme/api', 20),
    ]
  })

  /** Kills before random calls and after random commits, and counts. */
  async function run(seed: number) {
    const { orgId } = await addOrganization()
    const { id } = await begin('full', orgId)
    app.host.calls.length = 0
    const random = createRandom(seed)
    let kills = 0
    const maybeKill = () => {
      if (seed === 0 || random() > 0.06) return
      kills += 1
      throw new Killed()
    }
    Object.assign(app, { afterCommit: maybeKill })
    Object.assign(app.host, { beforeCall: maybeKill })
    while ((await stored(id))['finished_at'] === null) await app.doJobs(syncOnly)
    Object.assign(app, { afterCommit: () => undefined })
    return { orgId, kills, calls: statusCalls(), row: await stored(id) }
  }

  it('ends with the same rows, and has asked for each about once', async () => {
    const whole = await run(0)
    const records = await readRecords(app.test, whole.orgId)
    expect(records).toHaveLength(count)
    expect(whole.calls).toHaveLength(count)
    let kills = 0
    for (const seed of [1, 2]) {
      const killed = await run(seed)
      kills += killed.kills
      expect(await readRecords(app.test, killed.orgId)).toEqual(records)
      expect(killed.row['progress']).toEqual(whole.row['progress'])
      expect(new Set(killed.calls).size).toBe(count)
      expect(killed.calls.length).toBeLessThanOrEqual(count + killed.kills)
    }
    expect(kills).toBeGreaterThan(6)
  }, 240_000)

  it('control: where it forgets how far it was, it asks for most of them again', async () => {
    app.host.repositories = [buildRepository('1', 'acme/shop', 40)]
    app.onKilled = async () => {
      await app.test.asOwner(`update syncs set cursor = '{}' where finished_at is null`)
    }
    const { calls, kills } = await run(3)
    app.onKilled = () => Promise.resolve()
    expect(kills).toBeGreaterThan(0)
    expect(calls.length).toBeGreaterThan(40 + kills)
  })
})

describe('webhooks in any order while a sync goes on', () => {
  it('end like the same webhooks alone and in order', async () => {
    app.host.repositories = [buildRepository('1', 'acme/shop', 30)]
    const events = app.host.repositories.flatMap(eventsOf)
    const record = (orgId: string, event: CodehostEvent) =>
      recordCodehostEvent(app.deps, { orgId, event, source: 'webhook' })
    const told = await addOrganization()
    for (const event of events) await record(told.orgId, event)
    const expected = await readRecords(app.test, told.orgId)
    for (const seed of [4, 5]) {
      const random = createRandom(seed)
      const { orgId } = await addOrganization()
      const arriving = [...events, ...events]
        .map((event) => ({ event, order: random() }))
        .toSorted((a, b) => a.order - b.order)
        .slice(0, events.length)
      await begin('full', orgId)
      const working = app.doJobs(syncOnly)
      for (const { event } of arriving) await record(orgId, event)
      await working
      expect(await readRecords(app.test, orgId)).toEqual(expected)
    }
  })
})
