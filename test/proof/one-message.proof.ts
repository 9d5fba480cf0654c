import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { until } from '../testing/proof-service.ts'
import { openShopService, type ShopService } from '../testing/shop-service.ts'

const kills = 100

interface Told {
  readonly sha: string
  readonly messages: readonly string[]
}

/** Deploys, each time to an environment of its own, while the service is killed again and again. */
async function deployAndKill(
  { shop, proof, sandbox }: ShopService,
  times: number,
): Promise<readonly string[]> {
  const { faults } = sandbox.github.hooks
  const shas: string[] = []
  for (let round = 0; round < times; round += 1) {
    shop.push(`ABC-1 Try ${round}`)
    // What is told while nobody listens is lost on the way: the code host repeats nothing by itself.
    if (round % 3 === 0) faults.repeatNext(2)
    shas.push(shop.deploy(`preview-${round}`, ['queued', 'in_progress', 'success']))
    await delay(Math.random() * 1_500)
    await proof.killService()
    await proof.start()
  }
  return shas
}

function tellOf(service: ShopService, shas: readonly string[]): readonly Told[] {
  const messages = service.messages()
  return shas.map((sha) => ({
    sha,
    messages: messages.filter((text) => text.includes(`\`${sha.slice(0, 8)}\` · by ada`)),
  }))
}

const isRight = ({ messages: [only = '', ...more] }: Told) =>
  more.length === 0 && only.includes('passed') && only.includes('The basket forgets its currency')

describe('one message for each deployment (R8)', () => {
  it(`with the right last text, although the service is killed ${kills} times`, async () => {
    const service = await openShopService()
    try {
      const shas = await deployAndKill(service, kills)
      await until(
        () => tellOf(service, shas).every(isRight),
        'each message to say how the tests went',
        300_000,
      ).catch(() => undefined)
      const wrong = tellOf(service, shas).filter((told) => !isRight(told))
      console.log(`one message: ${kills} kills, ${shas.length} deployments, ${wrong.length} wrong`)
      expect(wrong).toEqual([])
      expect(service.messages()).toHaveLength(shas.length)
    } finally {
      await service.close()
    }
  })
})
