import { describe, expect, inject, it } from 'vitest'
import { findTool } from '../../scripts/tools/find-tool.ts'
import { keepWriting } from '../testing/database/keep-writing.ts'
import {
  findSystemPostgres,
  openPatroniCluster,
  type NodeLoss,
} from '../testing/database/patroni-cluster.ts'
import { openService, type OpenService } from '../testing/open-service.ts'
import { until } from '../testing/proof-service.ts'

/** Three nodes of PostgreSQL and the `ttl` of Patroni take most of a minute each time: too long for a check. */
const isLong = inject('scale') > 1
const nothing = { reason: 'it takes --scale 2.' }
const [patroni, etcd] = isLong
  ? [await findTool('patroni'), await findTool('etcd')]
  : [nothing, nothing]
const binDir = findSystemPostgres()
const reasons = [patroni, etcd].flatMap((tool) => ('reason' in tool ? [tool.reason] : []))
if (binDir === undefined) reasons.push('The system has no PostgreSQL with pg_basebackup.')
const missing = reasons.length === 0 ? '' : ` (skipped: ${reasons[0]})`

/** Patroni acts itself where its PostgreSQL ends, and otherwise once the leader has been silent for its `ttl`. */
const backWithinMs: Readonly<Record<NodeLoss, number>> = {
  postgres: 10_000,
  everything: 25_000,
  time: 25_000,
}

/** Takes something from a primary whose standbys are behind, and returns what became of the acknowledged writes. */
async function lose(what: NodeLoss, isSynchronous: boolean) {
  const programs = {
    patroni: 'path' in patroni ? patroni.path : '',
    etcd: 'path' in etcd ? etcd.path : '',
  }
  const cluster = await openPatroniCluster({ programs, binDir: binDir ?? '', isSynchronous })
  const asOwner: OpenService['database']['asOwner'] = (sql, values) => cluster.query(sql, values)
  const { databaseUrl } = cluster
  const service = await openService({
    database: { databaseUrl, asOwner, drop: async () => {} },
  })
  try {
    const load = keepWriting(service)
    const more = (count: number) => {
      const enough = load.acknowledged.length + count
      return () => load.acknowledged.length >= enough
    }
    await until(more(20), 'the first writes')
    await cluster.freezeReplication()
    const waiting = `select from pg_stat_activity where wait_event = 'SyncRep'`
    if (isSynchronous)
      await until(async () => (await asOwner(waiting)).length > 0, 'a write that waits')
    else await until(more(20), 'writes that no standby has')
    const lostAt = performance.now()
    await cluster.lose(what)
    const later = () => load.acknowledged.filter(({ at }) => at > lostAt + 1_000)
    await until(() => later().length > 50, 'writes after the failover', 90_000)
    await load.stop()
    const backAfterMs = (later()[0]?.at ?? 0) - lostAt
    const rows = await asOwner<{ id: string }>('select id from organizations')
    const stored = new Set(rows.map(({ id }) => id))
    const lost = load.acknowledged.filter(({ id }) => !stored.has(id))
    console.log(
      `${what}, ${isSynchronous ? '' : 'a'}synchronous: ${load.acknowledged.length} acknowledged, ${lost.length} lost, writes back after ${Math.round(backAfterMs)} ms`,
    )
    return { lost, backAfterMs }
  } finally {
    await cluster.close()
    await service.remove()
  }
}

describe.skipIf(missing !== '')(`PostgreSQL on three nodes with Patroni${missing}`, () => {
  it.each(['postgres', 'everything', 'time'] as const)(
    'loses no acknowledged write when its primary loses %s',
    async (what) => {
      const { lost, backAfterMs } = await lose(what, true)
      expect(lost).toEqual([])
      expect(backAfterMs).toBeLessThan(backWithinMs[what])
    },
    240_000,
  )

  it('control: loses acknowledged writes without synchronous_mode', async () => {
    const { lost } = await lose('postgres', false)
    expect(lost.length).toBeGreaterThan(0)
  }, 240_000)
})
