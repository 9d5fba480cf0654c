import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { findTool } from '../../scripts/tools/find-tool.ts'
import { silentLog } from '../../packages/server/src/store/log.ts'
import { openStore } from '../../packages/server/src/store/open-store.ts'
import {
  createTestDatabase,
  type TestDatabase,
} from '../../packages/server/src/store/testing/test-database.ts'
import { bearer, createClient } from '../testing/http.ts'
import { openService, type OpenService } from '../testing/open-service.ts'
import { createMaker } from '../testing/organization.ts'
import { openPooler, type OpenPooler, type Pooler } from '../testing/balanced/pgbouncer.ts'

const pgbouncer = await findTool('pgbouncer')
const program = 'path' in pgbouncer ? pgbouncer.path : ''
const missing = 'reason' in pgbouncer ? ` (skipped: ${pgbouncer.reason})` : ''

let database: TestDatabase
let pooler: Pooler | undefined
let service: OpenService | undefined

beforeAll(async () => {
  database = await createTestDatabase()
})
afterEach(async () => {
  await service?.close()
  await pooler?.close()
  service = pooler = undefined
})
afterAll(() => database.drop())

/** Opens the store through a pooler of these settings, and returns why it does not. */
async function rejectionOf(options: Omit<OpenPooler, 'databaseUrl'>) {
  pooler = await openPooler(program, { databaseUrl: database.databaseUrl, ...options })
  const source = { databaseUrl: database.databaseUrl, poolUrl: pooler.poolUrl }
  const opened = await openStore({ source, log: silentLog }).catch((error: unknown) => error)
  if (opened instanceof Error) return opened
  throw new Error('It was opened')
}

describe.skipIf(missing !== '')(`behind PgBouncer in transaction mode${missing}`, () => {
  it('writes, jobs and reads of eight clients share four sessions of each role', async () => {
    pooler = await openPooler(program, { databaseUrl: database.databaseUrl })
    service = await openService({ database, poolUrl: pooler.poolUrl })
    const client = createClient(service.apiUrl)
    const maker = createMaker(client, service.bootstrapToken)
    const { id: orgId } = await maker.organization('Pooled')
    const { id: environmentId } = await maker.environment(orgId, { name: 'production' })
    const open = { type: 'string', tier: 'public', default: 'nothing yet' }
    const { id: schemaId } = await maker.schema(orgId, { name: 'app', schema: { open } })
    const { secret } = await maker.key(orgId, { name: 'server', kind: 'm2m' })
    const writes = 20 * inject('scale')
    const write = async (writer: number) => {
      for (let count = 0; count < writes; count += 1) {
        const values = { open: `${writer}-${count}` }
        await maker.call(`PUT /organizations/${orgId}/config-values`, {
          schemaId,
          environmentId,
          values,
        })
        await maker.call(`GET /organizations/${orgId}/audit-events`)
      }
    }
    await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)))
    const [stored] = await database.asOwner<{ version: number }>(
      'select max(version) as version from config_versions where org_id = $1',
      [orgId],
    )
    expect(stored?.version).toBeGreaterThanOrEqual(8 * writes)
    const delivered = createClient(service.configUrl)
    const snapshot = await delivered.send({
      method: 'GET',
      path: `/snapshots/${schemaId}/${environmentId}`,
      headers: bearer(secret),
    })
    expect(snapshot.status).toBe(200)
    const sessions = await database.asOwner<{ role: string; count: number }>(
      `select application_name as role, count(*)::int as count from pg_stat_activity
       where datname = current_database() and query not like 'LISTEN%' and application_name like 'signalbox_%'
       group by 1`,
    )
    console.log(`${8 * writes} writes; sessions ${JSON.stringify(sessions)}`)
    for (const { count } of sessions) expect(count).toBeLessThanOrEqual(6)
    delivered.close()
    client.close()
  })

  it('is refused with the remedy where sessions have another role, no limit, lose statements, or are another for each statement', async () => {
    const noRole = await rejectionOf({ connectQuery: () => 'set statement_timeout = 60000' })
    expect(noRole).toMatchObject({
      code: 'pooler_unfit',
      message: expect.stringMatching(/signalbox_app of SIGNALBOX_POOL_URL has the role /),
      advice: expect.stringContaining("connect_query='set role signalbox_app;"),
    })
    await pooler?.close()
    const noLimit = await rejectionOf({ connectQuery: (role) => `set role ${role}` })
    expect(noLimit.message).toContain('has no statement_timeout')
    await pooler?.close()
    const mixed = await rejectionOf({ preparedStatements: 0 })
    expect(mixed).toMatchObject({
      code: 'pooler_unfit',
      message: expect.stringContaining('mixes prepared statements up'),
    })
    await pooler?.close()
    expect(await rejectionOf({ mode: 'statement' })).toMatchObject({
      code: 'pooler_unfit',
      advice: expect.stringContaining('pool_mode = transaction'),
    })
  })

  it('is refused where nobody answers, without the password', async () => {
    const source = {
      databaseUrl: database.databaseUrl,
      poolUrl: 'postgres://signalbox:the-password@127.0.0.1:1/{role}',
    }
    const opening = openStore({ source, log: silentLog })
    await expect(opening).rejects.toMatchObject({
      code: 'pooler_unreachable',
      message: expect.not.stringContaining('the-password'),
    })
  })
})
