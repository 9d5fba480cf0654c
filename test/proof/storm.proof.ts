import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { openPostman, type Postman } from '../testing/postman.ts'
import { until } from '../testing/proof-service.ts'
import { openShopNodes, type ShopNodes } from '../testing/shop-nodes.ts'

/** As many as come in that time, and no more than this. There is no control that says how few would do. */
const deploymentsMax = 1_000 * inject('scale')
const lastingMs = 60_000 * inject('scale')
const lanes = 25
/** As many as are on their way at once. */
const batch = 50
const betweenKillsMs = 3_000
const states = ['queued', 'pending', 'in_progress', 'queued', 'in_progress'] as const
const webhooksEach = 1 + states.length + 1
const patienceMs = 420_000
/** Two processes and all that is connected, on a machine that is busy. */
const startsInMs = 240_000

let shop: ShopNodes
let postman: Postman
const repositories: ShopNodes['shop']['repository'][] = []
beforeAll(async () => {
  shop = await openShopNodes()
  await openLanes()
  postman = await openPostman(() =>
    shop.nodes.filter(({ isUp }) => isUp).map(({ apiUrl }) => apiUrl),
  )
  const { github } = shop.sandbox
  github.hooks.timeLimitMs = 300_000
  await github.hooks.settled()
  github.app.webhookUrl = postman.url
}, startsInMs)
afterAll(async () => {
  await shop?.close()
  await postman?.close()
})

/**
 * A repository, a branch, a channel and the route there for each lane: webhooks of a repository are done one after the other,
 * and a channel takes a message a second. How fast a workspace is written to is not asked here.
 */
async function openLanes(): Promise<void> {
  const { organization, sandbox } = shop
  await organization.ask('PATCH /integrations/chat', {
    defaultChannelId: sandbox.slack.channelId('deployments'),
  })
  await shop.asOwner(`
    create function lift_pace() returns trigger language plpgsql as $$
    begin new.paid_at = 'epoch'; new.promised_at = 'epoch'; return new; end $$;
    create trigger lift_pace before insert or update on chat_paces for each row execute function lift_pace()`)
  const [acme, ada] = [findAccount('acme'), findAccount('ada')]
  const { activity } = sandbox.github
  for (let lane = 0; lane < lanes; lane += 1) {
    const name = `lane-${lane}`
    const commits = [{ message: `Open ${name}` }]
    const repository = activity.addRepository({ owner: acme, name: `shop-${lane}` })
    activity.push(repository, { ref: name, pusher: ada, commits })
    repositories.push(repository)
    const channelId = sandbox.slack.addChannel({ name })
    sandbox.slack.invite(name)
    const match = { environmentIds: null, branches: [name], states: 'always' }
    const route = { name, channelId, match, events: ['deployment'] }
    await organization.ask('POST /notification-routes', route)
  }
}

function findAccount(login: string) {
  const account = shop.sandbox.github.state.accounts.get(login)
  if (account === undefined) throw new Error(`The seed has lost ${login}`)
  return account
}

interface Deployed {
  readonly lane: string
  readonly environment: string
  readonly state: 'success' | 'failure'
}

/** Everything that the code host tells of one deployment, at once. */
function deploy(nth: number): Deployed {
  const { activity } = shop.sandbox.github
  const creator = findAccount('ada')
  const lane = `lane-${nth % lanes}`
  const repository = repositories[nth % lanes]
  if (repository === undefined) throw new Error(`There is no ${lane}`)
  const environment = `preview-${String(nth).padStart(5, '0')}`
  const deployment = activity.deploy(repository, { ref: lane, creator, environment })
  const state = nth % 5 === 0 ? 'failure' : 'success'
  for (const to of [...states, state] as const) {
    activity.setDeploymentStatus(repository, deployment, { state: to, creator })
  }
  return { lane, environment, state }
}

/** Kills one node after the other, with all its connections, as long as the other is up. */
function keepKilling(): { readonly stop: () => Promise<number> } {
  const stopping = new AbortController()
  const { signal } = stopping
  let kills = 0
  const work = async () => {
    while (!signal.aborted) {
      await delay(betweenKillsMs, undefined, { signal }).catch(() => undefined)
      const [one, other] = kills % 2 === 0 ? shop.nodes : shop.nodes.toReversed()
      if (signal.aborted || one?.isUp !== true || other?.isUp !== true) continue
      kills += 1
      await one.kill()
      // The next one is killed three seconds from now, if this one is back.
      const started = one.start()
      started.catch(() => undefined)
      starting.push(started)
    }
  }
  const starting: Promise<void>[] = []
  const killing = work()
  return {
    async stop() {
      stopping.abort()
      await killing
      await Promise.all(starting)
      return kills
    },
  }
}

/** Shortened: whose process is dead is not waited for, and what waits for its next try is due. */
async function hurry(): Promise<void> {
  await shop.asOwner(
    `update pgboss.job set start_after = now() where state in ('created', 'retry') and start_after > now()`,
  )
}

async function restartAll(): Promise<void> {
  for (const node of shop.nodes) await node.kill()
  await shop.asOwner(`
    update pgboss.job set heartbeat_on = now() - interval '1 minute' where state = 'active';
    update notifications set lease_until = now() where lease_until > now()`)
  await Promise.all(shop.nodes.map((node) => node.start()))
}

/** What is wrong with the messages about a deployment. */
function findFault({ lane, environment, state }: Deployed): string | undefined {
  const all = shop.sandbox.slack.messages(lane).map((message) => JSON.stringify(message))
  const told = all.filter((text) => text.includes(environment))
  const headline =
    state === 'success' ? `Deployed to ${environment}` : `Deployment to ${environment} failed`
  if (told.length !== 1) return `${environment}: ${told.length} messages`
  return told[0]?.includes(headline) === true ? undefined : `${environment}: ${told[0]}`
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return Math.round(sorted[Math.floor(sorted.length * share)] ?? 0)
}

describe('a storm of webhooks on two nodes (R8)', () => {
  it('ends in the right states and one message for each deployment, however nodes die', async () => {
    const startedAt = performance.now()
    const seconds = () => Math.round((performance.now() - startedAt) / 1000)
    const all: Deployed[] = []
    const killing = keepKilling()
    while (all.length < deploymentsMax && performance.now() - startedAt < lastingMs) {
      for (let nth = 0; nth < batch; nth += 1) all.push(deploy(all.length))
      await until(() => postman.waiting === batch * webhooksEach, 'the webhooks of a batch')
      await postman.handOver()
    }
    const tookS = seconds()
    const kills = await killing.stop()
    const { ackMs, lost, failed } = postman
    await restartAll()
    console.log(
      `storm: ${all.length} deployments over ${lanes} channels, ${all.length * webhooksEach} webhooks, ${lost} lost, ` +
        `${ackMs.length} answered in ${tookS} s (${Math.round(ackMs.length / tookS)}/s), ${failed} met a dead node, ${kills} kills; ` +
        `ack p50 ${percentile(ackMs, 0.5)} ms, p99 ${percentile(ackMs, 0.99)} ms, max ${percentile(ackMs, 1 - 1e-9)} ms`,
    )
    let faults: (string | undefined)[] = []
    const deadline = performance.now() + patienceMs
    do {
      await hurry()
      await delay(1_000)
      faults = all.map(findFault).filter((fault) => fault !== undefined)
    } while (faults.length > 0 && performance.now() < deadline)
    console.log(`storm: all told after ${seconds()} s, ${faults.length} wrong`)
    expect(faults).toEqual([])
    const stored = await shop.asOwner<{ environment: string; state: string }>(
      'select host_environment as environment, state from deployments order by 1',
    )
    expect(stored).toEqual(all.map(({ environment, state }) => ({ environment, state })))
    const messages = Array.from({ length: lanes }, (_, lane) =>
      shop.sandbox.slack.messages(`lane-${lane}`),
    ).flat()
    expect(messages).toHaveLength(all.length)
    expect(shop.sandbox.slack.messages('deployments')).toEqual([])
    expect(kills).toBeGreaterThan(0)
  })
})
