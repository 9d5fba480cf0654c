import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { findTool } from '../../scripts/tools/find-tool.ts'
import { startBalancedLoad } from '../testing/balanced/balanced-load.ts'
import { openBalancedNodes, type BalancedNodes } from '../testing/balanced/balanced-nodes.ts'
import { goOn, roll } from '../testing/balanced/roll.ts'

const haproxy = await findTool('haproxy')
const program = 'path' in haproxy ? haproxy.path : ''
const missing = 'reason' in haproxy ? ` (skipped: ${haproxy.reason})` : ''

const drainSeconds = 2
/** To the newer release and back: the database keeps what that has migrated. */
const upgradeAndBack = [
  [0, { release: 'newer', drainSeconds }],
  [1, { release: 'newer', drainSeconds }],
  [0, { release: 'this', drainSeconds }],
  [1, { release: 'this', drainSeconds }],
] as const
/** The first nodes alone, in whose place come some that do not go on when they are stopped. */
const upgradeOne = [[0, { release: 'newer', drainSeconds: 0 }]] as const

describe.skipIf(missing !== '')(`behind HAProxy, which repeats no request${missing}`, () => {
  let nodes: BalancedNodes
  beforeAll(async () => {
    nodes = await openBalancedNodes(program, drainSeconds)
  })
  afterAll(() => nodes?.close())

  it('an upgrade fails no read, no write and no stream, nor does the way back', async () => {
    const load = startBalancedLoad(nodes)
    for (let round = 1; round < inject('scale'); round += 1) {
      await roll(nodes, load, upgradeAndBack)
      expect(nodes.pairs[0]?.output()).toContain('A newer release has migrated the database')
    }
    await roll(nodes, load, upgradeOne)
    await load.stop()
    const slowest = Math.max(...load.movedMs)
    console.log(`upgrade: ${JSON.stringify(load.answered)}, a stream moved in ${slowest} ms`)
    expect(load.failures).toEqual([])
    expect(load.answered.streams).toBeGreaterThan(12)
    const [migrated] = await nodes.asOwner<{ there: boolean }>(
      "select to_regclass('example_notes') is not null as there",
    )
    expect(migrated).toEqual({ there: true })
    // Each write is a version of its own, and the oldest are deleted in time.
    const [stored] = await nodes.asOwner<{ version: number }>(
      'select max(version) as version from config_versions',
    )
    expect(stored?.version).toBeGreaterThanOrEqual(load.answered.writes)
  })

  it('control: without the pause requests fail', async () => {
    const load = startBalancedLoad(nodes)
    await goOn(load)
    await nodes.pairs[0]?.stop()
    await goOn(load)
    await load.stop()
    console.log(`control: ${load.failures.length} failed of ${JSON.stringify(load.answered)}`)
    expect(load.failures.length).toBeGreaterThan(0)
  })
})
