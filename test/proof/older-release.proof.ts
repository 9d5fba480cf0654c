import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { findTool } from '../../scripts/tools/find-tool.ts'
import { startBalancedLoad } from '../testing/balanced/balanced-load.ts'
import { openBalancedNodes, type BalancedNodes } from '../testing/balanced/balanced-nodes.ts'
import {
  findOlderCommit,
  unpackRelease,
  type OlderRelease,
} from '../testing/balanced/older-release.ts'
import { goOn, roll } from '../testing/balanced/roll.ts'

const haproxy = await findTool('haproxy')
const commit = await findOlderCommit()

/** Says why the proof is skipped, if it is. */
const reason =
  inject('scale') < 2
    ? 'it takes minutes: --scale 2'
    : 'reason' in haproxy
      ? haproxy.reason
      : commit === undefined
        ? 'this clone has no older release'
        : undefined

const drainSeconds = 2
const older = { release: 'older', drainSeconds } as const
const latest = { release: 'this', drainSeconds } as const

describe.skipIf(reason !== undefined)(
  `an older release of the repository${reason === undefined ? '' : ` (skipped: ${reason})`}`,
  () => {
    let release: OlderRelease
    let nodes: BalancedNodes
    beforeAll(async () => {
      release = await unpackRelease(commit ?? '')
      const program = 'path' in haproxy ? haproxy.path : ''
      nodes = await openBalancedNodes(program, { drainSeconds, older: release.root, first: older })
    })
    afterAll(async () => {
      await nodes?.close()
      await release?.close()
    })

    const countMigrations = async () => {
      const [row] = await nodes.asOwner<{ count: number }>(
        'select count(*)::int as count from signalbox_migrations',
      )
      return row?.count ?? 0
    }

    it('is replaced by this one, starts again beside it, and comes back, without a failure', async () => {
      const before = await countMigrations()
      const load = startBalancedLoad(nodes)
      await roll(nodes, load, [[0, latest]])
      expect(await countMigrations()).toBeGreaterThan(before)
      // As after a crash of the older one, while both are in use.
      await roll(nodes, load, [[1, older]])
      expect(nodes.pairs[1]?.output()).toContain('A newer release has migrated the database')
      await roll(nodes, load, [
        [1, latest],
        [0, older],
        [1, older],
      ])
      await goOn(load)
      await load.stop()
      const slowest = Math.max(...load.movedMs)
      console.log(`upgrade: ${JSON.stringify(load.answered)}, a stream moved in ${slowest} ms`)
      expect(load.failures).toEqual([])
      expect(load.answered.streams).toBeGreaterThan(12)
      const [stored] = await nodes.asOwner<{ version: number }>(
        'select max(version) as version from config_versions',
      )
      expect(stored?.version).toBeGreaterThanOrEqual(load.answered.writes)
    })
  },
)
