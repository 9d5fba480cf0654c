import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, inject, it } from 'vitest'
import { endLeases, endRunSearches, hurryJobs } from '../testing/hurry-jobs.ts'
import { liftChatPace } from '../testing/lift-chat-pace.ts'
import { loseAnswers } from '../testing/lose-answers.ts'
import { renewMessageKeys } from '../testing/renew-message-keys.ts'
import { openShopService, type ShopService } from '../testing/shop-service.ts'

/** The control finds a message twice for about each answer that is lost, two for each kill: one kill tells, so three do. */
const kills = 3 * inject('scale')
const killsOfControl = 1
const underWay = 10

interface DeploymentOutcome {
  readonly sha: string
  readonly messages: readonly string[]
  /** Counts the runs at the code host. A start without a response is not repeated, so there may be none. */
  readonly runs: number
}

/**
 * Deploys, each time to an environment of its own, and kills the service while several deployments are under way, each
 * at another point.
 */
async function deployAndKill(
  { shop, proof, sandbox }: ShopService,
  kills: number,
): Promise<readonly string[]> {
  const { faults } = sandbox.github.hooks
  const shas: string[] = []
  for (let round = 0; round < kills; round += 1) {
    loseAnswers(sandbox, 2)
    for (let nth = 0; nth < underWay; nth += 1) {
      const name = `preview-${round}-${nth}`
      shop.push(`ABC-1 Try ${name}`)
      // Webhooks are lost while the service is down: the code host repeats nothing by itself.
      if (nth === 0) faults.repeatNext(2)
      shas.push(shop.deploy(name, ['queued', 'in_progress', 'success']))
      await delay(Math.random() * 250)
    }
    await proof.killService()
    await proof.start()
    await endLeases(proof)
  }
  await endRunSearches(proof)
  return shas
}

function tellOf(service: ShopService, shas: readonly string[]): readonly DeploymentOutcome[] {
  const messages = service.messages()
  const runs = [...service.shop.repository.runs.values()]
  return shas.map((sha) => ({
    sha,
    messages: messages.filter((text) => text.includes(`\`${sha.slice(0, 8)}\` · by ada`)),
    runs: runs.filter(({ inputs }) => inputs['sha'] === sha).length,
  }))
}

const patienceMs = 480_000

/** Waits until the deployments are told of as `holds` says, or patience ends. */
async function untilTold(
  service: ShopService,
  shas: readonly string[],
  holds: (told: readonly DeploymentOutcome[]) => boolean,
): Promise<void> {
  const deadline = performance.now() + patienceMs
  while (performance.now() < deadline) {
    if (holds(tellOf(service, shas))) return
    await hurryJobs(service.proof)
    await delay(500)
  }
}

/** The tests passed, or they were never started and the message says that nobody knows. */
const isRight = ({ messages: [only = '', ...more], runs }: DeploymentOutcome) =>
  more.length === 0 &&
  only.includes('The basket forgets its currency') &&
  only.includes(runs === 0 ? 'unknown whether it started' : 'passed') &&
  runs <= 1

const isDoubled = ({ messages }: DeploymentOutcome) => messages.length > 1

describe('one message for each deployment (R8)', () => {
  it(`with the right last text, although the service is killed while ${kills * underWay} of them are under way`, async () => {
    const service = await openShopService()
    try {
      await liftChatPace(service.proof)
      const shas = await deployAndKill(service, kills)
      await untilTold(service, shas, (told) => told.every(isRight))
      const told = tellOf(service, shas)
      const wrong = told.filter((one) => !isRight(one))
      const unstarted = told.filter(({ runs }) => runs === 0).length
      console.log(
        `one message: ${kills} kills, ${shas.length} deployments, ${wrong.length} wrong, ${unstarted} not started`,
      )
      expect(wrong).toEqual([])
      // A kill has to fall between the note that a run is being started and its request: seldom.
      expect(unstarted).toBeLessThanOrEqual(kills)
      expect(service.messages()).toHaveLength(shas.length)
    } finally {
      await service.close()
    }
  })
  it('control: with a second message for some of them when a post that is repeated has a new key', async () => {
    const service = await openShopService()
    try {
      await liftChatPace(service.proof)
      await renewMessageKeys(service.proof)
      const shas = await deployAndKill(service, killsOfControl)
      // A post whose answer was lost is repeated when its lease is over, maybe after all others were posted.
      await untilTold(service, shas, (told) => told.some(isDoubled))
      const doubled = tellOf(service, shas).filter(isDoubled).length
      console.log(
        `one message, control: ${killsOfControl} kill, ${shas.length} deployments, ${doubled} doubled`,
      )
      expect(doubled).toBeGreaterThan(0)
    } finally {
      await service.close()
    }
  })
})
