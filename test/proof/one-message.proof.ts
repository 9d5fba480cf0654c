import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import {
  ageLostMessages,
  endLeases,
  endRunSearches,
  hurryJobs,
  hurryMessages,
} from '../testing/hurry-jobs.ts'
import { liftChatPace } from '../testing/lift-chat-pace.ts'
import { loseAnswers } from '../testing/lose-answers.ts'
import { until } from '../testing/proof-service.ts'
import { forgetFirstTries } from '../testing/renew-message-keys.ts'
import { openThreeChats, type ChatName, type ThreeChats } from '../testing/network/three-chats.ts'

/** The control finds messages twice in each chat after one kill, the first, which comes at the worst moment: one tells. */
const kills = inject('scale')
const killsOfControl = 1
/** Of each organization. */
const underWay = 4
/** Of each chat, at each kill. */
const lostAnswers = 2
/** Of each organization: requests to start its tests that never arrive, as when the kill comes just before them. */
const lostStarts = 1

interface DeploymentOutcome {
  readonly chat: ChatName
  readonly sha: string
  readonly messages: readonly string[]
  /** Counts the runs at the code host. */
  readonly runs: number
}

type Deployed = Pick<DeploymentOutcome, 'chat' | 'sha'>

/**
 * Deploys in all three organizations, each time to an environment of its own, and kills the service while several messages
 * are under way, each time at another point. The first time at the worst: each chat has posted messages whose answers were
 * lost, and none was sent again yet; and of each organization a request to start tests was lost. `whenKilled` is done before the service starts again.
 */
async function deployAndKill(
  service: ThreeChats,
  { name, kills }: { readonly name: string; readonly kills: number },
  whenKilled: (service: ThreeChats) => unknown,
): Promise<readonly Deployed[]> {
  const { organizations, proof, sandbox } = service
  const deployed: Deployed[] = []
  for (let round = 0; round < kills; round += 1) {
    for (const { chat } of organizations) loseAnswers(sandbox, lostAnswers, chat)
    if (round === 0) loseStarts(service)
    deployed.push(...(await deploySome(service, `${name}-${round}`)))
    await hurryMessages(proof)
    if (round === 0) await untilAllAreLost(service)
    else await delay(Math.random() * 500)
    await proof.killService()
    await whenKilled(service)
    await endRunSearches(proof)
    await proof.start()
    await endLeases(proof)
    await untilStartsAreSettled(service)
  }
  return deployed
}

function loseStarts({ organizations, sandbox }: ThreeChats): void {
  for (const { shop } of organizations) {
    const request = `POST /repositories/${shop.repository.id}/actions/workflows/`
    sandbox.faults.add({ provider: 'github', request, fault: { kind: 'drop' }, times: lostStarts })
  }
}

/** Waits until every run has been started or given up: a kill during the second start of a run, which is its last, is another case. */
async function untilStartsAreSettled({ proof }: ThreeChats): Promise<void> {
  const areSettled = async () => {
    await hurryJobs(proof)
    const open = await proof.asOwner(
      `select 1 from test_runs where state in ('planned', 'dispatching') and external_id is null`,
    )
    if (open.length > 0) await delay(100)
    return open.length === 0
  }
  await until(areSettled, 'the starts of all tests', 240_000)
}

/** Deploys in each organization, to environments of this round. */
async function deploySome(
  { organizations, sandbox }: ThreeChats,
  round: string,
): Promise<readonly Deployed[]> {
  const names = Array.from({ length: underWay }, (_, nth) => `${round}-${nth}`)
  // Webhooks are lost while the service is down: the code host repeats nothing by itself.
  sandbox.github.hooks.faults.repeatNext(2 * organizations.length)
  const deployed: Deployed[] = []
  for (const [name, { chat, shop }] of names.flatMap((each) =>
    organizations.map((organization) => [each, organization] as const),
  )) {
    shop.push(`ABC-1 Try ${name}`)
    deployed.push({ chat, sha: shop.deploy(name, ['queued', 'in_progress', 'success']) })
    await delay(Math.random() * 150)
  }
  return deployed
}

async function untilAllAreLost({ proof, sandbox }: ThreeChats): Promise<void> {
  let looks = 0
  const areLost = async () => {
    // Not each time: it connects to the database.
    if (looks % 100 === 0) await hurryMessages(proof)
    looks += 1
    return sandbox.faults.list().length === 0
  }
  await until(areLost, 'the posts whose answers are lost', 60_000)
}

/** Makes the chats forget the keys of what they were sent. */
function forgetKeys({ sandbox }: ThreeChats): void {
  sandbox.slack.clientMsgIdWindowMs = 0
  sandbox.discord.forgetNonces()
  sandbox.mattermost.forgetPending()
}

/** Makes the chats take each post for another message, whenever it comes: whether before the kill or after it. */
function knowNoKeys({ sandbox }: ThreeChats): void {
  sandbox.slack.clientMsgIdWindowMs = 0
  sandbox.discord.nonceWindowMs = 0
  // A node knows what it was sent itself, and the next request reaches another one.
  sandbox.mattermost.nodes = 1_000_000
}

/** Lets minutes pass for the chats and for what was sent to them. */
async function letMinutesPass(service: ThreeChats): Promise<void> {
  const { proof } = service
  forgetKeys(service)
  await ageLostMessages(proof)
}

function tellOf(
  { organizations }: ThreeChats,
  deployed: readonly Deployed[],
): readonly DeploymentOutcome[] {
  const shown = new Map(organizations.map(({ chat, messages }) => [chat, messages()]))
  const runs = organizations.flatMap(({ shop }) => [...shop.repository.runs.values()])
  return deployed.map(({ chat, sha }) => ({
    chat,
    sha,
    messages: (shown.get(chat) ?? []).filter((text) =>
      text.includes(`\`${sha.slice(0, 8)}\` · by ada`),
    ),
    runs: runs.filter(({ inputs }) => inputs['sha'] === sha).length,
  }))
}

const patienceMs = 480_000
/** Limits the wait of the control. The control causes what it waits for, which comes within seconds or never. */
const patienceOfControlMs = 90_000

/** Waits until the deployments are told of as `holds` says, or patience ends. */
async function untilTold(
  service: ThreeChats,
  deployed: readonly Deployed[],
  holds: (told: readonly DeploymentOutcome[]) => boolean,
  patience = patienceMs,
): Promise<void> {
  const deadline = performance.now() + patience
  while (performance.now() < deadline) {
    if (holds(tellOf(service, deployed))) return
    await hurryJobs(service.proof)
    await delay(500)
  }
}

/** The tests ran once and passed: the workflow shows the id of its run, so that a start that was lost is made up for. */
const isRight = ({ chat, messages: [only = '', ...more], runs }: DeploymentOutcome) =>
  more.length === 0 &&
  only.includes('Deployed to preview') &&
  // Only the organization that is told in Slack has an issue tracker.
  (chat !== 'slack' || only.includes('The basket forgets its currency')) &&
  only.includes('passed') &&
  runs === 1

/** Lists the chats that have a message twice. */
function doubledIn(told: readonly DeploymentOutcome[]): readonly ChatName[] {
  return [
    ...new Set(told.filter(({ messages }) => messages.length > 1).map(({ chat }) => chat)),
  ].toSorted()
}

/** Lists the chats that were told that nobody knows whether tests began, which did not. */
function unstartedIn(told: readonly DeploymentOutcome[]): readonly ChatName[] {
  const unstarted = told.filter(
    ({ runs, messages }) =>
      runs === 0 && messages.some((text) => text.includes('unknown whether it started')),
  )
  return [...new Set(unstarted.map(({ chat }) => chat))].toSorted()
}

/** Takes the ids out of the titles of runs, as in a workflow without a `run-name`. */
function hideIds({ organizations }: ThreeChats): void {
  for (const { shop } of organizations) {
    for (const workflow of shop.repository.workflows.values()) {
      Object.assign(workflow, { runName: undefined })
    }
  }
}

describe('one message for each deployment, in each chat (R8)', () => {
  const count = kills * underWay
  let service: ThreeChats
  beforeAll(async () => {
    service = await openThreeChats()
    await liftChatPace(service.proof)
  })
  afterAll(() => service?.close())

  it(`with the right last text, although the service is killed while ${count} of each are under way`, async () => {
    const deployed = await deployAndKill(service, { name: 'preview', kills }, letMinutesPass)
    await untilTold(service, deployed, (told) => told.every(isRight))
    const told = tellOf(service, deployed)
    const wrong = told.filter((one) => !isRight(one))
    const looks = countLooks(service)
    console.log(
      `one message: ${kills} kills, ${deployed.length} deployments, ${wrong.length} wrong, ` +
        `${looks.discord} looks in Discord, ${looks.mattermost} in Mattermost, ${looks.slack} in Slack`,
    )
    expect(wrong).toEqual([])
    for (const { chat, messages } of service.organizations) {
      expect([chat, messages().length]).toEqual([chat, count])
    }
    // The first of two may be sent again before the kill, which Discord answers by its key.
    expect(looks.discord).toBeGreaterThan(0)
    expect(looks.mattermost).toBeGreaterThan(0)
    expect(looks.slack).toBeGreaterThan(0)
  })

  it('control: twice in chats that know no key, where nobody looks for the message, and no run where none shows its id', async () => {
    await forgetFirstTries(service.proof)
    knowNoKeys(service)
    hideIds(service)
    const asked = { name: 'control', kills: killsOfControl }
    const deployed = await deployAndKill(service, asked, () => undefined)
    const all = service.organizations.length
    await untilTold(
      service,
      deployed,
      (told) => doubledIn(told).length === all && unstartedIn(told).length === all,
      patienceOfControlMs,
    )
    const told = tellOf(service, deployed)
    const doubled = doubledIn(told)
    console.log(`one message, control: ${killsOfControl} kill, doubled in ${doubled.join(', ')}`)
    expect(doubled).toEqual(['discord', 'mattermost', 'slack'])
    expect(unstartedIn(told)).toEqual(['discord', 'mattermost', 'slack'])
  })
})

/** Counts the looks for a message that may have arrived. */
function countLooks({ sandbox }: ThreeChats): Record<ChatName, number> {
  const looks = sandbox.log.list().filter(({ method }) => method === 'GET')
  const countOf = (provider: string, path: RegExp) =>
    looks.filter((one) => one.provider === provider && path.test(one.path)).length
  return {
    discord: countOf('discord', /\/channels\/\d+\/messages/),
    mattermost: countOf('mattermost', /\/channels\/\w+\/posts/),
    slack: countOf('slack', /\/conversations\.(?:history|replies)/),
  }
}
