import { until } from '../proof-service.ts'
import type { BalancedLoad } from './balanced-load.ts'
import type { BalancedNodes, ReplaceNodes } from './balanced-nodes.ts'

/** Waits until the load has got further, so that a node that is new has served some of it. */
export async function goOn({ answered }: BalancedLoad): Promise<void> {
  const { reads, writes } = answered
  await until(() => answered.reads > reads + 200 && answered.writes > writes + 10, 'more answers')
}

/** Replaces pairs of nodes one after the other under load. */
export async function roll(
  { pairs }: BalancedNodes,
  load: BalancedLoad,
  steps: readonly (readonly [pair: number, by: ReplaceNodes])[],
): Promise<void> {
  await goOn(load)
  for (const [pair, by] of steps) {
    await pairs[pair]?.replace(by)
    await goOn(load)
  }
}
