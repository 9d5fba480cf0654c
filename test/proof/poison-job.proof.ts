import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { startService, type ServiceProcess } from '../../e2e/start-service.ts'
import { openPoisonWorld, type PoisonWorld } from '../testing/poison/poison-world.ts'
import { until } from '../testing/proof-service.ts'

const delayMaxMs = 5_000
const attempts = 12
const token = 'bootstrap-token-of-the-proof-0123456789'

let world: PoisonWorld | undefined
let service: ServiceProcess | undefined

afterEach(async () => {
  await service?.kill()
  await world?.close()
})

interface Shown {
  readonly id: string
  readonly cause: string
  readonly attempts: number
}

/** An organization, or a page of its failed jobs. */
interface Answer {
  readonly id: string
  readonly items: readonly Shown[]
}

/** Asks the service, which works on nothing itself: the worker is another process. */
async function openApi({ databaseUrl }: PoisonWorld) {
  service = await startService({
    env: {
      DATABASE_URL: databaseUrl,
      SIGNALBOX_ROLES: 'api',
      SIGNALBOX_ROOT_KEY: 'A'.repeat(43),
      SIGNALBOX_BOOTSTRAP_TOKEN: token,
      SIGNALBOX_RATE_LIMITS: 'off',
    },
  })
  const { apiUrl } = service
  return async (request: string, body?: object) => {
    const [method = '', path = ''] = request.split(' ')
    const answer = await fetch(`${apiUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as Answer }
  }
}

const seconds = (ms: number) => (ms / 1000).toFixed(1)
const slowest = (delaysMs: readonly number[]) => Math.max(...delaysMs)

describe('a job that always throws, one that never ends and one that ends its process (R19)', () => {
  it('hold nobody up, fail for good after twelve tries, and can be seen and run again', async () => {
    const opened = await openPoisonWorld({ places: 2 })
    world = opened
    const ask = await openApi(opened)
    const { body: acme } = await ask('POST /organizations', { name: 'Acme' })
    const path = `/organizations/${acme.id}/failed-jobs`
    const list = async () => (await ask(`GET ${path}`)).body.items
    const finish = opened.keepAdding(acme.id)
    for (const kind of ['throws', 'hangs', 'crashes'] as const) await opened.add(kind, acme.id)
    await until(async () => (await list()).length === 3, 'the third failed job', 300_000)
    const crashes = opened.starts - 1
    await finish()
    const { delaysMs, wholeDelaysMs, tries } = opened
    console.log(
      `poison: ${delaysMs.length} others beside them, the slowest ${seconds(slowest(delaysMs))} s ` +
        `(${seconds(slowest(wholeDelaysMs))} s with the time without a worker), ${crashes} crashes, ` +
        `tries ${JSON.stringify(Object.fromEntries(tries))}`,
    )
    const failed = await list()
    expect(failed.map((job) => job.attempts)).toEqual([attempts, attempts, attempts])
    expect(failed.map(({ cause }) => cause)).toEqual(
      expect.arrayContaining(['failed', 'process_ended']),
    )
    expect(crashes).toBe(attempts)
    expect(tries.get('crashes')).toBe(attempts)
    // A try of it may be cut off before it has said that it began.
    expect(tries.get('throws')).toBeLessThanOrEqual(attempts)
    expect(slowest(delaysMs)).toBeLessThan(delayMaxMs)
    for (const { id } of failed) expect(opened.log()).toContain(`"jobId":"${id}"`)

    // Not for ever: nothing of them is tried any more.
    const before = new Map(tries)
    await delay(5_000)
    expect(opened.starts - 1).toBe(crashes)
    for (const kind of ['throws', 'hangs', 'crashes']) {
      expect(tries.get(kind)).toBe(before.get(kind))
    }

    await opened.mend()
    for (const { id } of failed) {
      const retry = () => ask(`POST ${path}/${id}/retry`)
      const answers = await Promise.all([retry(), retry(), retry()])
      expect(answers.filter(({ status }) => status === 202)).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(2)
    }
    const isDone = async () => {
      const open = `select from pgboss.job where name = 'shop.bake' and state in ('created', 'retry', 'active')`
      return (await opened.asOwner(open)).length === 0
    }
    await until(isDone, 'the end of what was run again')
    for (const kind of ['throws', 'hangs', 'crashes']) {
      expect([kind, tries.get(kind)]).toEqual([kind, (before.get(kind) ?? 0) + 1])
    }
    expect(await list()).toEqual([])
  })

  it('control: with one place, and the patience of the product, one that never ends holds up all others', async () => {
    const opened = await openPoisonWorld({ places: 1, patient: true })
    world = opened
    await opened.add('hangs', 'org_1')
    await until(() => opened.tries.get('hangs') === 1, 'the first try')
    const finish = opened.keepAdding('org_1')
    await delay(delayMaxMs + 1_000)
    expect(opened.delaysMs).toEqual([])
    await opened.mend()
    await finish()
    expect(slowest(opened.wholeDelaysMs)).toBeGreaterThan(delayMaxMs)
  })
})
