import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Actor } from '../http/admission/actor.ts'
import { createTestRouter } from '../http/testing/test-router.ts'
import { createJobs } from '../jobs/create-jobs.ts'
import type { FailedJob, Jobs } from '../jobs/jobs.ts'
import { openTestStore, type TestStore } from '../store/testing/test-database.ts'
import { createLog, type Log } from '../telemetry/log.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { newId } from '../crypto/ids.ts'
import { recordFailedJob } from './record-failed-job.ts'
import { mountFailedJobs } from './routes.ts'
import { toTestApp } from '../http/testing/test-app.ts'

interface Answer {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly body: any
}

const now = () => new Date('2026-11-22T00:00:00.000Z')
const metrics = createMetrics({ version: '1.2.3' })
const lines: string[] = []
const write = (line: string) => void lines.push(line)
const log: Log = createLog({ level: 'info', destination: { write } })
let test: TestStore
let jobs: Jobs<string>
let orgId: string
let foreignId: string
let ask: (request: string, as?: string) => Promise<Answer>

/** Ada has a role in both organizations, one after the name; the operator is whoever has the bootstrap token. */
const people: Readonly<Record<string, Actor>> = {
  developer: person('developer'),
  viewer: person('viewer'),
  operator: { type: 'bootstrap', credentialId: 'bootstrap' },
}

function person(name: string): Actor {
  const userId = `usr_${name}`
  const email = 'ada@example.com'
  return { type: 'user', userId, name: 'Ada', email, via: 'token', credentialId: `key_${name}` }
}

beforeAll(async () => {
  test = await openTestStore()
  const { store } = test
  const queues = [{ name: 'shop.bake', order: 'latest' }] as const
  jobs = await createJobs({ target: store.target, queues, log, worker: false })
  ;[orgId, foreignId] = [newId('org', now()), newId('org', now())]
  for (const id of [orgId, foreignId]) {
    await test.asOwner('insert into organizations (id, slug, name) values ($1, lower($1), $1)', [
      id,
    ])
  }
  const router = createTestRouter({
    authenticate: ({ authorization }) =>
      Promise.resolve(people[authorization?.replace('Bearer ', '') ?? '']),
    resolveOrganization: (actor, ref) =>
      Promise.resolve({
        organization: { id: ref, slug: ref, name: 'Acme' },
        role:
          actor.type === 'user'
            ? actor.userId === 'usr_viewer'
              ? 'viewer'
              : 'developer'
            : undefined,
      }),
    isOperator: () => Promise.resolve(false),
  })
  mountFailedJobs(router, { store, jobs, now: () => new Date() })
  const app = toTestApp(router.build())
  ask = async (request, as = 'developer') => {
    const [method = '', path = ''] = request.split(' ')
    const headers = { authorization: `Bearer ${as}` }
    const answer = await app.request(path, { method, headers })
    return { status: answer.status, body: await answer.json() }
  }
})
beforeEach(async () => {
  lines.length = 0
  await test.asOwner('delete from failed_jobs; delete from pgboss.job')
})
afterAll(async () => {
  await jobs.close(1_000)
  await test.close()
})

let failed = 0
const failedJob = (overrides: Partial<FailedJob> = {}): FailedJob => ({
  id: crypto.randomUUID(),
  queue: 'shop.bake',
  key: 'dep_1',
  data: { orgId, id: newId('dep', now()) },
  attempts: 12,
  cause: 'failed',
  reason: 'jira: unavailable (503)',
  ...overrides,
})

/** Each a second after the one before. */
const record = (job: FailedJob) =>
  recordFailedJob(
    { store: test.store, log, metrics, now: () => new Date(now().getTime() + ++failed * 1_000) },
    job,
  )

const list = (as?: string) => ask(`GET /organizations/${orgId}/failed-jobs`, as)
const waiting = () =>
  test.asOwner(`select name, data, singleton_key as key from pgboss.job where name = 'shop.bake'`)

describe('work that failed for good', () => {
  it('is shown to the organization with ids, and with nothing else of what it held', async () => {
    const id = newId('dep', now())
    await record(failedJob({ data: { orgId, id, note: 'xoxb-secret' } }))
    const { status, body } = await list('viewer')
    expect(status).toBe(200)
    expect(body).toEqual({
      items: [
        {
          id: expect.stringMatching(/^job_/),
          kind: 'shop.bake',
          subjectId: id,
          attempts: 12,
          failures: 1,
          cause: 'failed',
          lastError: 'jira: unavailable (503)',
          failedAt: expect.any(String),
          retriedAt: null,
        },
      ],
      nextCursor: null,
    })
    const other = await ask(`GET /organizations/${foreignId}/failed-jobs`)
    expect(other.body.items).toEqual([])
  })

  it('is named once in the log and in the metrics, however often it is handed over', async () => {
    const job = failedJob()
    await record(job)
    await record(job)
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 'error', queue: 'shop.bake', code: 'failed', attempts: 12 }),
    ])
    const counted = /signalbox_failed_jobs_total\{queue="shop.bake"\} (\d+)/
    const before = Number(counted.exec(await metrics.render())?.[1])
    await record(failedJob())
    expect(Number(counted.exec(await metrics.render())?.[1])).toBe(before + 1)
  })

  it('is one entry for what is to be done, which counts how often it failed', async () => {
    const { data } = failedJob()
    for (const reason of ['first', 'second', 'third']) await record(failedJob({ data, reason }))
    const { body } = await list()
    expect(body.items).toEqual([expect.objectContaining({ failures: 3, lastError: 'third' })])
  })

  it('is listed newest first, page by page', async () => {
    for (const reason of ['1', '2', '3', '4', '5']) await record(failedJob({ reason }))
    const seen: string[] = []
    let query = '?limit=2'
    while (query !== '') {
      const { body } = await ask(`GET /organizations/${orgId}/failed-jobs${query}`)
      seen.push(...body.items.map(({ lastError }: { lastError: string }) => lastError))
      const cursor: string | null = body.nextCursor
      query = cursor === null ? '' : `?limit=2&cursor=${encodeURIComponent(cursor)}`
    }
    expect(seen).toEqual(['5', '4', '3', '2', '1'])
  })

  it('of an organization that is gone is nobody’s', async () => {
    await record(failedJob({ data: { orgId: newId('org', now()), id: 'dep_1' } }))
    expect(await test.asOwner('select from failed_jobs')).toEqual([])
  })
})

describe('running it again', () => {
  const idOf = async () => (await list()).body.items[0].id
  const retry = (id: string, as?: string) =>
    ask(`POST /organizations/${orgId}/failed-jobs/${id}/retry`, as)

  it('puts it back into its queue once, whoever asks besides, with a note in the audit log', async () => {
    const { data } = failedJob()
    await record(failedJob({ data }))
    const id = await idOf()
    const answers = await Promise.all(Array.from({ length: 5 }, () => retry(id)))
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(4)
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.body).toMatchObject({ code: 'conflict', detail: /already run this job again/ })
    expect(await waiting()).toEqual([{ name: 'shop.bake', data, key: 'dep_1' }])
    expect(
      await test.asOwner(`select actor->>'name' as name, target, detail from audit_events
        where action = 'failed_job.retried' and target->>'id' = '${id}'`),
    ).toEqual([
      {
        name: 'Ada',
        target: { type: 'failed_job', id, name: 'shop.bake' },
        detail: { attempts: 12 },
      },
    ])
    expect((await list()).body.items).toEqual([])
  })

  it('leads back to the same entry where it fails again', async () => {
    const { data } = failedJob()
    await record(failedJob({ data }))
    const id = await idOf()
    await retry(id)
    await record(failedJob({ data }))
    expect((await list()).body.items).toMatchObject([{ id, failures: 2, retriedAt: null }])
    expect((await retry(id)).status).toBe(202)
  })

  it('is refused of what is not there, and of what is another organization’s', async () => {
    await record(failedJob({ data: { orgId: foreignId, id: 'dep_1' } }))
    const [foreign] = await test.asOwner<{ id: string }>('select id from failed_jobs')
    for (const id of [foreign?.id ?? '', newId('job', now()), 'nonsense']) {
      expect(await retry(id)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
    expect(await waiting()).toEqual([])
  })

  it('is refused to who only looks', async () => {
    await record(failedJob())
    expect(await retry(await idOf(), 'viewer')).toMatchObject({
      status: 403,
      body: { code: 'role_forbidden' },
    })
  })
})

describe('work of the server itself', () => {
  it('is shown to who runs the server, and run again with a note in the chain of the server', async () => {
    await record(failedJob({ data: {}, key: undefined }))
    await record(failedJob())
    const { body } = await ask('GET /server/failed-jobs', 'operator')
    expect(body.items).toMatchObject([{ kind: 'shop.bake', subjectId: null }])
    const path = `POST /server/failed-jobs/${body.items[0].id}/retry`
    expect((await ask(path, 'operator')).status).toBe(202)
    expect((await ask(path, 'operator')).status).toBe(409)
    expect(await waiting()).toEqual([{ name: 'shop.bake', data: {}, key: null }])
    expect(
      await test.asOwner(
        `select from audit_events where action = 'failed_job.retried' and org_id = 'server'`,
      ),
    ).toHaveLength(1)
  })

  it('is nobody else’s, and what is an organization’s is not the server’s', async () => {
    await record(failedJob())
    const { id } = (await list()).body.items[0]
    expect((await ask(`POST /server/failed-jobs/${id}/retry`, 'operator')).status).toBe(404)
    expect((await ask('GET /server/failed-jobs')).body.code).toBe('role_forbidden')
  })
})
