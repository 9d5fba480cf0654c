import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { endLeases, hurryJobs } from '../testing/hurry-jobs.ts'
import { liftChatPace } from '../testing/lift-chat-pace.ts'
import { loseAnswers } from '../testing/lose-answers.ts'
import { openPostman, type Postman } from '../testing/postman.ts'
import { until } from '../testing/proof-service.ts'
import { renewMessageKeys } from '../testing/renew-message-keys.ts'
import { openShopNodes, type ShopNodes } from '../testing/shop-nodes.ts'

/** The control finds a message twice for about each answer that is lost, two in a batch: one kill tells. */
const killsOfProof = inject('scale')
const killsOfControl = 1
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
 * and a channel takes a message a second.
 */
async function openLanes(): Promise<void> {
  const { organization, sandbox } = shop
  await organization.ask('PATCH /integrations/chat', {
    defaultChannelId: sandbox.slack.channelId('deployments'),
  })
  await liftChatPace(shop)
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

interface Storm {
  readonly all: readonly Deployed[]
  readonly tookMs: number
}

interface Deployed {
  readonly lane: string
  readonly environment: string
  readonly state: 'success' | 'failure'
}

/** Everything that the code host tells of one deployment, at once. */
function deploy(prefix: string, nth: number): Deployed {
  const { activity } = shop.sandbox.github
  const creator = findAccount('ada')
  const lane = `lane-${nth % lanes}`
  const repository = repositories[nth % lanes]
  if (repository === undefined) throw new Error(`There is no ${lane}`)
  const environment = `${prefix}-${String(nth).padStart(5, '0')}`
  const deployment = activity.deploy(repository, { ref: lane, creator, environment })
  const state = nth % 5 === 0 ? 'failure' : 'success'
  for (const to of [...states, state] as const) {
    activity.setDeploymentStatus(repository, deployment, { state: to, creator })
  }
  return { lane, environment, state }
}

/** Kills one node after the other, with all its connections, as long as the other is up. */
function keepKilling(): { readonly count: () => number; readonly stop: () => Promise<void> } {
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
    count: () => kills,
    async stop() {
      stopping.abort()
      await killing
      await Promise.all(starting)
    },
  }
}

async function restartAll(): Promise<void> {
  for (const node of shop.nodes) await node.kill()
  await endLeases(shop)
  await Promise.all(shop.nodes.map((node) => node.start()))
}

const messagesAbout = ({ lane, environment }: Deployed): string[] =>
  shop.sandbox.slack
    .messages(lane)
    .map((message) => JSON.stringify(message))
    .filter((text) => text.includes(environment))

/** Says what is wrong with the messages about a deployment. */
function findFault(deployed: Deployed): string | undefined {
  const { environment, state } = deployed
  const told = messagesAbout(deployed)
  const headline =
    state === 'success' ? `Deployed to ${environment}` : `Deployment to ${environment} failed`
  const [only, ...more] = told
  if (only === undefined || more.length > 0) return `${environment}: ${told.length} messages`
  return only.includes(headline) ? undefined : `${environment}: ${only}`
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return Math.round(sorted[Math.floor(sorted.length * share)] ?? 0)
}

/** Deploys in batches until enough nodes have been killed meanwhile, one after the other, and some answers lost. */
async function storm(prefix: string, kills: number): Promise<Storm> {
  const startedAt = performance.now()
  const all: Deployed[] = []
  const killing = keepKilling()
  while (killing.count() < kills) {
    loseAnswers(shop.sandbox, 2)
    for (let nth = 0; nth < batch; nth += 1) all.push(deploy(prefix, all.length))
    await until(() => postman.waiting === batch * webhooksEach, 'the webhooks of a batch')
    await postman.handOver()
  }
  const tookMs = performance.now() - startedAt
  await killing.stop()
  await restartAll()
  return { all, tookMs }
}

/** Waits until none of the deployments has a fault, or patience ends. Returns the faults. */
async function untilNone(all: readonly Deployed[], find: typeof findFault): Promise<string[]> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    await hurryJobs(shop)
    await delay(1_000)
    const faults = all.map(find).filter((fault) => fault !== undefined)
    if (faults.length === 0 || performance.now() > deadline) return faults
  }
}

describe('a storm of webhooks on two nodes (R8)', () => {
  it('ends in the right states and one message for each deployment, however nodes die', async () => {
    const { all, tookMs } = await storm('preview', killsOfProof)
    const { ackMs, lost, failed } = postman
    console.log(
      `storm: ${all.length} deployments over ${lanes} channels, ${all.length * webhooksEach} webhooks, ${lost} lost, ` +
        `${ackMs.length} answered in ${Math.round(tookMs / 1000)} s (${Math.round((ackMs.length * 1000) / tookMs)}/s), ` +
        `${failed} met a dead node, ${killsOfProof} kills; ` +
        `ack p50 ${percentile(ackMs, 0.5)} ms, p99 ${percentile(ackMs, 0.99)} ms, max ${percentile(ackMs, 1 - 1e-9)} ms`,
    )
    expect(await untilNone(all, findFault)).toEqual([])
    const stored = await shop.asOwner<{ environment: string; state: string }>(
      'select host_environment as environment, state from deployments order by 1',
    )
    expect(stored).toEqual(all.map(({ environment, state }) => ({ environment, state })))
    const messages = Array.from({ length: lanes }, (_, lane) =>
      shop.sandbox.slack.messages(`lane-${lane}`),
    ).flat()
    expect(messages).toHaveLength(all.length)
    expect(shop.sandbox.slack.messages('deployments')).toEqual([])
  })

  it('control: ends in two messages for some when a post that is repeated has a new key', async () => {
    await renewMessageKeys(shop)
    const { all } = await storm('control', killsOfControl)
    const countDoubled = () => all.filter((one) => messagesAbout(one).length > 1).length
    // A message whose answer was lost is looked for once it must have arrived, half a minute later.
    await untilNone(all.slice(0, 1), () => (countDoubled() === 0 ? 'none' : undefined))
    const doubled = countDoubled()
    console.log(
      `storm, control: ${all.length} deployments, ${killsOfControl} kill, ${doubled} doubled`,
    )
    expect(doubled).toBeGreaterThan(0)
  })
})
