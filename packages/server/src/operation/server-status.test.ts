import { afterAll, beforeAll, expect, it } from 'vitest'
import { serverChain, systemAuthor } from '../audit/audit-event.ts'
import { recordMaintenanceEvent } from '../audit/record-event.ts'
import {
  openIdentityApp,
  bootstrapToken,
  type IdentityApp,
} from '../identity/testing/open-identity-app.ts'
import { installJobs } from '../jobs/install-jobs.ts'
import { silentLog } from '../telemetry/log.ts'
import { mountServerStatus } from './server-status.ts'

let app: IdentityApp

beforeAll(async () => {
  app = await openIdentityApp({
    mount: (router, { store }) =>
      mountServerStatus(router, {
        store,
        version: '1.2.3',
        startedAt: new Date('2026-11-22T06:00:00Z'),
        engine: 'postgres',
        roles: new Set(['api', 'worker'] as const),
        checks: async () => ({ storage: { ok: true, detail: 'The database answers.' } }),
        serverChain,
      }),
  })
  await installJobs(app.test.store.target, [{ name: 'work' }], { log: silentLog })
})
afterAll(() => app.close())

const read = (as: string) => app.call('GET /server/status', { as })

it('says how the server is to whoever runs it', async () => {
  // A node listens, which is how nodes are counted.
  const stop = app.test.store.onAnnounce('jobs', () => {})
  await expect.poll(async () => (await read(bootstrapToken)).body.nodes).toBe(1)
  stop()
  await app.test.asOwner(
    `insert into pgboss.job (name, state, data, policy, created_on) values
      ('work', 'created', '{}', 'standard', now() - interval '90 seconds'), ('work', 'active', '{}', 'standard', now())`,
  )
  await app.test.asOwner(
    `insert into failed_jobs (id, org_id, queue, job_id, data, data_hash, cause, reason, attempts, failed_at)
      values ('job_1', null, 'q', gen_random_uuid(), '{}', '\\x00', 'failed', 'r', 1, now())`,
  )
  const { status, body } = await read(bootstrapToken)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    version: '1.2.3',
    startedAt: '2026-11-22T06:00:00.000Z',
    storage: {
      engine: 'postgres',
      version: expect.stringMatching(/^\d+/),
      waitsForStandby: false,
    },
    roles: ['api', 'worker'],
    queues: { waiting: 1, running: 1 },
    failedJobs: 1,
    lastBackupAt: null,
    checks: { storage: { ok: true } },
  })
  expect(body.storage.sizeBytes).toBeGreaterThan(1_000_000)
  expect(body.queues.oldestWaitingSeconds).toBeGreaterThanOrEqual(90)
})

it('knows of the last backup that was made', async () => {
  await app.test.store.maintenance(async (tx) =>
    recordMaintenanceEvent(tx, {
      orgId: serverChain,
      actor: systemAuthor,
      action: 'backup.created',
      target: { type: 'backup', id: null, name: null },
    }),
  )
  expect((await read(bootstrapToken)).body.lastBackupAt).toMatch(/^\d{4}-/)
})

it('is for whoever runs the server alone', async () => {
  const orgId = await app.addOrganization('Acme')
  const { token } = await app.addPerson('owner', { [orgId]: 'owner' })
  const { secret } = await app.addKey(orgId)
  expect((await read(token)).body.code).toBe('role_forbidden')
  expect((await read(secret)).body.code).toBe('key_kind_forbidden')
})
