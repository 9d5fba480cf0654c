import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openTestStore, type TestStore } from '../../store/testing/test-database.ts'
import { listDeliveryNodes } from '../../read-models/server/delivery-node-rows.ts'
import type { NodeReport } from '../../replica/report.ts'
import { createUseRecorder } from '../../identity/use-recorder.ts'
import { silentLog } from '../../telemetry/log.ts'
import { createReportRecorder } from './record-report.ts'

let test: TestStore
let reports: ReturnType<typeof createReportRecorder>

beforeAll(async () => {
  test = await openTestStore()
  await test.asOwner(`insert into organizations (id, slug, name) values ('org_1', 'acme', 'Acme');
    insert into api_keys (org_id, id, name, kind, environment_ids, created_by)
      values ('org_1', 'key_1', 'edge', 'rly', '{env_1}', '{}')`)
})
afterAll(() => test.close())
beforeEach(async () => {
  await test.asOwner('delete from delivery_nodes')
  const keys = new Map([
    ['key_2', { orgId: 'org_1', environmentIds: null }],
    ['key_3', { orgId: 'org_1', environmentIds: ['env_2'] }],
  ])
  const now = () => new Date()
  reports = createReportRecorder({ ...test, findKey: (keyId) => keys.get(keyId), now })
})

const source = {
  reporter: 'key_1',
  scope: { orgIds: new Set(['org_1']), environmentIds: new Set(['env_1']) },
}
const node: NodeReport = {
  name: 'edge-1:4401',
  version: '1.2.3',
  carrier: 'relay',
  fedBy: 'config.example.com',
  snapshots: 3,
  ageSeconds: 1,
  fault: null,
  stopping: false,
  agoSeconds: 0,
}
const record = (changes: Partial<NodeReport>, reporter = source.reporter) =>
  reports.recordReport({ nodes: [{ ...node, ...changes }], uses: [] }, { ...source, reporter })
const list = () => test.store.maintenance((tx) => listDeliveryNodes(tx))

it('lists nodes that report nothing first, then those that are behind, each with its organization', async () => {
  await record({ name: 'new' })
  await record({ name: 'old', ageSeconds: 121 })
  await record({ name: 'faulty', fault: 'It cannot be read.' })
  await record({ name: 'unknown', ageSeconds: null })
  await record({ name: 'silent', agoSeconds: 181 })
  await record({ name: 'own', carrier: 'database', fedBy: null }, 'database')
  const listed = await list()
  expect(listed.map(({ name, state }) => `${name} ${state}`)).toEqual([
    'silent silent',
    'faulty behind',
    'old behind',
    'unknown behind',
    'new ok',
    'own ok',
  ])
  expect(listed.at(-2)).toMatchObject({ organization: 'acme', version: '1.2.3', snapshots: 3 })
  expect(listed.at(-1)).toMatchObject({ organization: null, fedBy: null })
})

it('takes one row for a node, and none from a report that came later and is older', async () => {
  await record({ snapshots: 4 })
  await record({ snapshots: 3, agoSeconds: 60 })
  expect(await list()).toMatchObject([{ snapshots: 4 }])
})

it('forgets a node that stops at once, and any after a day', async () => {
  await record({ name: 'stopped' })
  await record({ name: 'stopped', stopping: true })
  await record({ name: 'gone', agoSeconds: 86_399 })
  await test.asOwner(`update delivery_nodes set reported_at = now() - interval '1 day 1 second'`)
  expect(await list()).toEqual([])
  await record({})
  expect(await test.asOwner('select name from delivery_nodes')).toEqual([{ name: node.name }])
})

it('lets nobody fill the table, nor touch what others have reported', async () => {
  await record({}, 'key_other')
  for (let part = 0; part < 3; part += 1) {
    const nodes = Array.from({ length: 100 }, (_, at) => ({ ...node, name: `${part} ${at}` }))
    await reports.recordReport({ nodes, uses: [] }, source)
  }
  await record({ stopping: true })
  const counts = await test.asOwner(
    'select reporter, count(*)::integer from delivery_nodes group by 1 order by 1',
  )
  expect(counts).toEqual([
    { reporter: 'key_1', count: 200 },
    { reporter: 'key_other', count: 1 },
  ])
})

it('hands on the newest use of each key that the reporter has, once', async () => {
  const use = (keyId: string, usedAtMs: number) => ({ orgId: 'org_1', keyId, usedAtMs })
  const uses = [use('key_2', 2_000), use('key_2', 1_000), use('key_3', 3_000), use('key_9', 4_000)]
  await reports.recordReport({ nodes: [], uses }, source)
  expect(reports.takeUses()).toEqual([{ orgId: 'org_1', keyId: 'key_2', usedAt: new Date(2_000) }])
  expect(reports.takeUses()).toEqual([])
})

it('bounds the reads that a relay reports, which would stop the counts of every organization otherwise', async () => {
  const use = { orgId: 'org_1', keyId: 'key_2', usedAtMs: Date.now(), secretReads: 1e9 }
  await reports.recordReport({ nodes: [], uses: [use, use, use] }, source)
  const recorder = createUseRecorder({ ...test, now: () => new Date(), log: silentLog })
  recorder.collectFrom(() => reports.takeUses())
  await test.asOwner(`insert into api_keys (org_id, id, name, kind, created_by)
    values ('org_1', 'key_2', 'k', 'm2m', '{}')`)
  for (let round = 0; round < 3; round++) {
    await reports.recordReport({ nodes: [], uses: [use, use, use] }, source)
    await recorder.flush()
  }
  const [row] = await test.asOwner<{ reads: string }>('select reads from api_key_secret_reads')
  expect(Number(row?.reads)).toBe(3e9)
})
