import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { integrationKinds } from '@signalbox/contract/rest'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { openFaultyProviders, type FaultyProviders } from '../testing/network/faulty-providers.ts'
import { faultModes } from '../testing/network/fault-proxy.ts'
import { byDay } from '../testing/by-day.ts'
import { hurryMessages } from '../testing/hurry-jobs.ts'
import { until } from '../testing/proof-service.ts'

/** The longest call that the product makes, and what an overloaded machine adds. */
const callLimitMs = 10_000 + 20_000
const rssGrowthMaxMiB = 256
/** Says how many deployments are told of in a minute, and for how long providers are away. */
const load = 10
const outageMs = inject('scale') > 1 ? 60_000 : 15_000

let world: FaultyProviders
let proxy: FaultyProviders['proxy']
let proof: FaultyProviders['proof']
let shop: FaultyProviders['shop']
let organization: FaultyProviders['organization']
let repositoryId: string
let reads: { readonly stop: () => Promise<Reads> }

interface Reads {
  readonly count: number
  readonly failed: number
  readonly p99Ms: number
  readonly maxMs: number
}

beforeAll(async () => {
  world = await openFaultyProviders()
  ;({ proxy, proof, shop, organization } = world)
  // Without it the list of all workflows would be asked for, which is cached.
  const isKnown = async () => (await findRepository()) !== undefined
  await until(isKnown, 'the repositories', 20_000)
  repositoryId = (await findRepository()) ?? ''
})
afterAll(() => world?.close())

/** Reads a configuration, as an application does, until it is told to stop. */
async function keepReading(): Promise<typeof reads> {
  const { ask } = organization
  const environment = await ask<{ id: string }>('POST /environments', { name: 'live' })
  const schema = await ask<{ id: string }>('POST /config-schemas', {
    name: 'web',
    schema: { theme: { type: 'string', tier: 'public', default: 'dark' } },
  })
  const key = await ask<{ secret: string }>('POST /api-keys', { name: 'web', kind: 'b2m' })
  const url = `${proof.current().configUrl}/snapshots/${schema.id}/${environment.id}?apiKey=${key.secret}`
  await until(async () => (await fetch(url)).ok, 'the first read')
  const stop = new AbortController()
  const tookMs: number[] = []
  let failed = 0
  const work = async () => {
    while (!stop.signal.aborted) {
      const startedAt = performance.now()
      const isRead = await fetch(url).then(
        async (answer) => answer.ok && (await answer.text()).includes('dark'),
        () => false,
      )
      if (!isRead) failed += 1
      tookMs.push(performance.now() - startedAt)
      await delay(25)
    }
  }
  const done = work()
  return {
    async stop() {
      stop.abort()
      await done
      const sorted = tookMs.toSorted((one, other) => one - other)
      return {
        count: sorted.length,
        failed,
        p99Ms: Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? 0),
        maxMs: Math.round(sorted.at(-1) ?? 0),
      }
    },
  }
}

async function findRepository(): Promise<string | undefined> {
  const { repositories } = await organization.ask<{ repositories: { id: string }[] }>(
    'GET /integrations/codehost',
  )
  return repositories[0]?.id
}

async function rssMiB(): Promise<number> {
  const status = await readFile(`/proc/${proof.current().pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

/** Lists the requests to each provider that a person waits for. */
const questions = [
  // Of a repository that is named, because the list of all is kept for minutes.
  'GET /integrations/codehost/workflows?repositoryId=',
  'GET /integrations/tracker/projects',
  'GET /integrations/chat/channels',
]

interface Asked {
  readonly question: string
  readonly rejection: string
}

function askAll(): Promise<Asked[]> {
  return Promise.all(
    questions.map(async (question) => ({
      question,
      rejection: await organization.ask(question.replace(/=$/, `=${repositoryId}`)).then(
        () => 'answered',
        (error: unknown) => String(error),
      ),
    })),
  )
}

interface Standing {
  readonly health: { readonly lastError: { readonly nextStep: string } | null }
}

const healthOf = async () => {
  const all = await organization.ask<Record<string, Standing>>('GET /integrations')
  return integrationKinds.map((kind) => all[kind]?.health.lastError)
}

/** Asks again, because work that had begun before may have been answered since. */
async function seeTrouble(): Promise<void> {
  const askForHealth = async () => {
    await askAll()
    return healthOf()
  }
  await expect
    .poll(askForHealth)
    .toEqual(questions.map(() => expect.objectContaining({ nextStep: expect.any(String) })))
}

/** Work pauses when a provider is in trouble; the next way would not be met by all. */
async function recover(): Promise<void> {
  proxy.mode = undefined
  const rejections = async () => (await askAll()).map(({ rejection }) => rejection)
  await expect.poll(rejections, { timeout: 90_000 }).toEqual(questions.map(() => 'answered'))
}

/**
 * Shortened: each mode as long as it takes to be met by every provider, and not for sixty seconds. By day a third of them: no
 * connection, a limit of calls, an error, half of an answer, too much of one, and one that never ends.
 */
describe('a provider in trouble (R7)', () => {
  const names = byDay(Object.keys(faultModes), 3)
  const shas: string[] = []
  const unclear: Asked[] = []
  const naiveHung: string[] = []

  it(`leaves configuration alone, in each of ${names.length} ways`, async () => {
    reads = await keepReading()
    const before = await rssMiB()
    let most = before
    for (const mode of names) {
      proxy.mode = mode
      shop.push(`ABC-1 Try ${mode}`)
      shas.push(shop.deploy(`preview-${shas.length}`, ['queued', 'in_progress', 'success']))
      // Control: a client without limits is still there when the product has given up.
      const naive = fetch(`${proxy.origin}/naive`).then((answer) => answer.text())
      let isOver = false
      void naive.catch(() => '').finally(() => (isOver = true))
      const asked = await askAll()
      if (!isOver) naiveHung.push(mode)
      unclear.push(
        ...asked
          .filter(
            ({ rejection }) =>
              !/"code":"(provider_error|rate_limited|provider_[a-z_]+)"/.test(rejection),
          )
          .map((one) => ({ ...one, question: `${mode}: ${one.question}` })),
      )
      most = Math.max(most, await rssMiB())
      // Of the other two it is JSON that cannot be read, which is shown to who asks and not as their health.
      if (mode !== '200 with ok: false') await seeTrouble()
      if (mode !== names.at(-1)) await recover()
    }
    const { count, failed, p99Ms, maxMs } = await reads.stop()
    const faulty = proxy.calls.filter(
      ({ mode, provider }) => mode !== undefined && provider !== 'naive',
    )
    const isOver = () => faulty.every(({ tookMs }) => tookMs !== undefined)
    await until(isOver, 'the end of the last call', callLimitMs)
    const longest = Math.max(...faulty.map(({ tookMs = Infinity }) => tookMs))
    console.log(
      `provider faults: ${names.length} ways x 3, ${faulty.length} calls, the longest ${Math.round(longest)} ms; ` +
        `${count} reads, ${failed} failed, p99 ${p99Ms} ms, max ${maxMs} ms; RSS +${Math.round(most - before)} MiB`,
    )
    expect(unclear).toEqual([])
    expect(failed).toBe(0)
    // No read waits for a provider: the shortest limit of a call is longer.
    expect(p99Ms).toBeLessThan(5_000)
    expect(longest).toBeLessThan(callLimitMs)
    expect(most - before).toBeLessThan(rssGrowthMaxMiB)
    for (const provider of ['github', 'atlassian', 'slack']) {
      const met = new Set(
        faulty.filter((call) => call.provider === provider).map(({ mode }) => mode),
      )
      expect([provider, names.filter((name) => !met.has(name))]).toEqual([provider, []])
    }
  })

  it('control: a client without limits hangs on what never ends', () => {
    const endless = names.filter((name) => name === 'drip' || name === 'hang')
    expect(endless).toContain('drip')
    expect(naiveHung).toEqual(expect.arrayContaining(endless))
  })

  it('loses nothing: when it is over every message comes out right, and health says so', async () => {
    expect(world.isRight(shas.at(-1) ?? '')).toBe(false)
    proxy.mode = undefined
    const startedAt = performance.now()
    const isMissing = (sha: string) => !world.isRight(sha)
    for (let missing = shas.filter(isMissing); missing.length > 0;) {
      const isFewer = async () => {
        await hurryMessages(proof)
        await delay(5_000)
        return shas.filter(isMissing).length < missing.length
      }
      // Slack takes a message a second, so all of them together may take minutes where much else runs.
      await until(isFewer, `one more of the ${missing.length} messages that are missing`, 120_000)
      missing = shas.filter(isMissing)
    }
    const tookS = Math.round((performance.now() - startedAt) / 1000)
    console.log(`provider faults: ${shas.length} messages right ${tookS} s after the end`)
    expect((await askAll()).map(({ rejection }) => rejection)).toEqual(
      questions.map(() => 'answered'),
    )
    await expect.poll(healthOf).toEqual([null, null, null])
  })
})

type Calls = Readonly<Record<string, number>>
const sumOf = (calls: Calls) => Object.values(calls).reduce((sum, count) => sum + count, 0)

/** Deploys, waits as `wait` does, and answers how often each provider was called meanwhile. */
async function countCalls(
  name: string,
  wait: (shas: readonly string[]) => Promise<void>,
): Promise<Calls> {
  const { calls } = proxy
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
    shop.push(`ABC-1 Try ${name} ${nth}`)
    return shop.deploy(`${name}-${nth}`, ['queued', 'in_progress', 'success'])
  })
}

const untilRight = (shas: readonly string[]) =>
  until(() => shas.every(world.isRight), 'the messages', 60_000)

describe('an outage of all providers (R7)', () => {
  it('asks providers that are away no more than now and then', async () => {
    const well = await countCalls('well', untilRight)
    proxy.mode = '503'
    const away = await countCalls('away', () => delay(outageMs))
    const told = Object.keys(well).map((name) => `${name} ${away[name]} instead of ${well[name]}`)
    const extra = sumOf(away) / sumOf(well) - 1
    console.log(
      `provider faults: ${load} deployments while all are away for ${outageMs / 1000} s: calls to ${told.join(', ')}; ` +
        `${Math.round(extra * 100)} % extra`,
    )
    proxy.mode = undefined
    expect(sumOf(away)).toBeLessThan(1.1 * sumOf(well))
  })
})
