import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, inject, it } from 'vitest'
import { natsMissing } from '../../packages/server/src/nats/testing/nats-server.ts'
import { until } from '../testing/proof-service.ts'
import { endLeases, endRunSearches, hurryMessages } from '../testing/hurry-jobs.ts'
import { liftChatPace } from '../testing/lift-chat-pace.ts'
import { readVersion, startDayLoad, type DayLoad } from '../testing/nats/day-load.ts'
import { planDay, runDay } from '../testing/nats/day-plan.ts'
import { openDayWorld, type DayWorld } from '../testing/nats/day-world.ts'

/** Each fault once in the check; `--scale 60` takes about ten minutes. */
const rounds = inject('scale')
const seed = Number(process.env['DAY_SEED'] ?? 20_261_130)
const patienceMs = 60_000

let world: DayWorld | undefined
afterEach(async () => {
  await world?.close()
  world = undefined
})

/** Lists what the delivery nodes lack of the acknowledged writes. */
async function listMissing({ edges, place }: DayWorld, load: DayLoad): Promise<string[]> {
  const missing: string[] = []
  for (const edge of edges) {
    for (const [environmentId, version] of load.acknowledged) {
      const path = `/snapshots/${place.schemaId}/${environmentId}`
      const served = await readVersion(edge, path, place.browserKey)
      if ((served ?? 0) < version) missing.push(`${edge.configUrl} ${environmentId} ${served}`)
    }
  }
  return missing
}

/** Lists the deployments that do not have one message which says that they ended well. */
function listUntold({ shop }: DayWorld, { deployed }: DayLoad): string[] {
  const messages = shop.sandbox.slack.messages('deployments').map((one) => JSON.stringify(one))
  return deployed.filter((environment) => {
    const about = messages.filter((text) => new RegExp(`${environment}\\b`).test(text))
    return about.length !== 1 || !about[0]?.includes(`Deployed to ${environment}`)
  })
}

/** Repeats a look until it finds nothing, or no less for a minute: what has piled up takes its time. Returns what it found last. */
async function untilNone(
  look: () => Promise<string[]> | string[],
  hurry: () => Promise<unknown> = () => Promise.resolve(),
): Promise<string[]> {
  let least = Infinity
  let deadline = 0
  for (;;) {
    await hurry()
    const found = await look()
    if (found.length < least) deadline = performance.now() + patienceMs
    least = Math.min(least, found.length)
    if (found.length === 0 || performance.now() > deadline) return found
    await delay(200)
  }
}

describe.skipIf(natsMissing !== '')(`a day in minutes${natsMissing}`, () => {
  it('loses no acknowledged write, goes back nowhere, and tells of each deployment once, whatever fails in turn', async () => {
    const open = (world = await openDayWorld({ edges: 2 }))
    const { shop } = open
    await liftChatPace(shop)
    const load = startDayLoad(open)
    const plan = planDay(seed, rounds)
    await runDay(open, plan)
    await load.stop()
    await endLeases(shop)
    await endRunSearches(shop)
    expect(await untilNone(() => listMissing(open, load))).toEqual([])
    const hurry = () => hurryMessages(shop)
    expect(await untilNone(() => listUntold(open, load), hurry)).toEqual([])
    expect(load.stepsBack).toEqual([])
    expect(open.marks.listStepsBack()).toEqual([])
    console.log(
      `day: seed ${seed}, ${plan.length} faults, ${open.database.failovers} failovers, ${open.cluster.replaced} disks of NATS replaced, ${load.writes} writes, ${load.reads} reads, ` +
        `${load.deployed.length} deployments`,
    )
  })

  it.runIf(rounds > 1)(
    'control: goes back where a delivery node believes what is older',
    async () => {
      const edgeOptions = [
        '--import',
        join(import.meta.dirname, '../testing/nats/believe-older.ts'),
      ]
      const open = (world = await openDayWorld({ edges: 1, edgeOptions }))
      const load = startDayLoad(open)
      const fault = 'put an old mark back'
      await runDay(open, [
        { fault, which: 0, forMs: 3_000 },
        { fault, which: 0, forMs: 3_000 },
      ])
      await load.stop()
      expect(load.stepsBack).not.toEqual([])
    },
  )

  it.runIf(rounds > 1)(
    'control: a mark replaces a newer one where publishers store it whatever is there',
    async () => {
      const shopOptions = ['--import', join(import.meta.dirname, '../testing/nats/put-blindly.ts')]
      const open = (world = await openDayWorld({ edges: 0, shopOptions }))
      const load = startDayLoad(open)
      const hasStepped = () => open.marks.listStepsBack().length > 0
      // Of two marks that are stored within the same five milliseconds only one is seen.
      await until(hasStepped, 'a mark that replaces a newer one', 180_000)
      await load.stop()
      expect(open.marks.listStepsBack()).not.toEqual([])
    },
  )
})
