import { afterEach, describe, expect, inject, it } from 'vitest'
import { findTool } from '../../scripts/tools/find-tool.ts'
import { startBalancedLoad, type BalancedLoad } from '../testing/balanced/balanced-load.ts'
import {
  openBalancedNodes,
  type BalancedNodes,
  type Release,
} from '../testing/balanced/balanced-nodes.ts'
import { until } from '../testing/proof-service.ts'

const haproxy = await findTool('haproxy')
const program = 'path' in haproxy ? haproxy.path : ''
const missing = 'reason' in haproxy ? ` (skipped: ${haproxy.reason})` : ''

let nodes: BalancedNodes | undefined
afterEach(async () => {
  await nodes?.close()
  nodes = undefined
})

/** Waits until the load has got further, so that a node that is new has served some of it. */
async function goOn({ answered }: BalancedLoad): Promise<void> {
  const { reads, writes } = answered
  await until(() => answered.reads > reads + 200 && answered.writes > writes + 10, 'more answers')
}

/** Replaces pairs of nodes one after the other under load. */
async function roll(
  { pairs }: BalancedNodes,
  load: BalancedLoad,
  steps: readonly (readonly [pair: number, release: Release])[],
): Promise<void> {
  await goOn(load)
  for (const [pair, release] of steps) {
    await pairs[pair]?.replace(release)
    await goOn(load)
  }
}

/** To the newer release and back: the database keeps what that has migrated. */
const upgradeAndBack = [
  [0, 'newer'],
  [1, 'newer'],
  [0, 'this'],
] as const

describe.skipIf(missing !== '')(`behind HAProxy, which repeats no request${missing}`, () => {
  it('an upgrade of every node and a roll back fail no read, no write and no stream', async () => {
    nodes = await openBalancedNodes(program, { drainSeconds: 2 })
    const load = startBalancedLoad(nodes)
    for (let round = 0; round < inject('scale'); round += 1) await roll(nodes, load, upgradeAndBack)
    await load.stop()
    console.log(`upgrade and back: ${JSON.stringify(load.answered)}`)
    expect(load.failures).toEqual([])
    expect(load.answered.streams).toBeGreaterThan(12)
    expect(nodes.pairs[0]?.output()).toContain('A newer release has migrated the database')
    // Each write is a version of its own, and the oldest are deleted in time.
    const [stored] = await nodes.asOwner<{ version: number }>(
      'select max(version) as version from config_versions',
    )
    expect(stored?.version).toBeGreaterThanOrEqual(load.answered.writes)
  })

  it('control: without the pause requests fail', async () => {
    nodes = await openBalancedNodes(program, { drainSeconds: 0 })
    const load = startBalancedLoad(nodes)
    await roll(nodes, load, [[0, 'this']])
    await load.stop()
    console.log(`control: ${load.failures.length} failed of ${JSON.stringify(load.answered)}`)
    expect(load.failures.length).toBeGreaterThan(0)
  })
})
