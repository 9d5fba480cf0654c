import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFaultyProviders, type FaultyProviders } from '../testing/network/faulty-providers.ts'
import { until } from '../testing/proof-service.ts'

let world: FaultyProviders

beforeAll(async () => {
  world = await openFaultyProviders()
})
afterAll(() => world?.close())

/** Says how many deployments are told of in a minute, and for how long providers are away: as long as the facts ask. */
const load = 10
const outageMs = 60_000

type Calls = Readonly<Record<string, number>>
const sumOf = (calls: Calls) => Object.values(calls).reduce((sum, count) => sum + count, 0)

/** Deploys, waits as `wait` does, and answers how often each provider was called meanwhile. */
async function countCalls(
  name: string,
  wait: (shas: readonly string[]) => Promise<void>,
): Promise<Calls> {
  const { calls } = world.proxy
  const before = calls.length
  await wait(deploy(name, load))
  const made = calls.slice(before).map(({ provider }) => provider)
  return Object.fromEntries(
    ['github', 'atlassian', 'slack'].map((provider) => [
      provider,
      made.filter((one) => one === provider).length,
    ]),
  )
}

function deploy(name: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, nth) => {
    world.shop.push(`ABC-1 Try ${name} ${nth}`)
    return world.shop.deploy(`${name}-${nth}`, ['queued', 'in_progress', 'success'])
  })
}

const untilRight = (shas: readonly string[]) =>
  until(() => shas.every(world.isRight), 'the messages', 60_000)

describe('an outage of all providers (R7)', () => {
  it('asks providers that are away for a minute no more than now and then', async () => {
    // The provider is asked for it once; later reads have it from the store.
    await untilRight(deploy('first', 1))
    const well = await countCalls('well', untilRight)
    world.proxy.mode = '503'
    const away = await countCalls('away', () => delay(outageMs))
    const told = Object.keys(well).map((name) => `${name} ${away[name]} instead of ${well[name]}`)
    const extra = sumOf(away) / sumOf(well) - 1
    console.log(
      `provider faults: ${load} deployments while all are away for ${outageMs / 1000} s: calls to ${told.join(', ')}; ` +
        `${Math.round(extra * 100)} % extra`,
    )
    world.proxy.mode = undefined
    expect(sumOf(away)).toBeLessThan(1.1 * sumOf(well))
  })
})
