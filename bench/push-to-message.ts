// P8: from the last event of a push, the end of its tests, to the message that says how they went.
import { loadavg } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { openShopService, type ShopService } from '../test/testing/shop-service.ts'
import { percentile, recordResult } from './record.ts'

/** Example: `node … bench/push-to-message.ts 5` for a look. */
const pushes = Number(process.argv[2] ?? 30)
/** A post and three updates of each push are within what a workspace takes of an app, so that nothing waits for its turn. */
const pushEveryMs = 6_000
/** A push is told before the next one goes to the same environment, which is 48 seconds later. */
const environments = 8
const reachMs = 2_000
const patienceMs = 30_000
const pollEveryMs = 5

/** Lists the events of a deployment from the code host, each with its delay after the one before. */
const steps = [
  { state: 'queued', afterMs: 100 },
  { state: 'in_progress', afterMs: 900 },
  { state: 'success', afterMs: 3_000 },
] as const
/** Tests end when the message stands for a while already: it waits seven seconds for what follows at once. */
const testsTakeMs = (nth: number) => 8_000 + (nth % 10) * 1_000
const testsTakeMsMax = testsTakeMs(9)

interface Service extends ShopService {
  /** When the tests of a commit ended, by the clock of `performance`. */
  readonly endedAt: ReadonlyMap<string, number>
}

/** Notes when the last event of each push goes out. */
function followTests(service: ShopService): Service {
  const endedAt = new Map<string, number>()
  for (const workflow of service.shop.repository.workflows.values()) {
    workflow.autoRun = ({ inputs, runNumber }) => ({
      conclusion: 'success',
      durationMs: testsTakeMs(runNumber),
      afterwards: () => endedAt.set(inputs['sha'] ?? '', performance.now()),
    })
  }
  return { ...service, endedAt }
}

const environmentOf = (nth: number) => `preview-${nth % environments}`

/** Deploys to each environment once, so that there is something to compare a push with, and waits until all is told. */
async function deployBases(service: Service): Promise<void> {
  for (let nth = 0; nth < environments; nth += 1)
    service.shop.deploy(environmentOf(nth), ['success'])
  const deadline = performance.now() + patienceMs + environments * 5_000
  while (service.messages().filter((text) => text.includes('passed')).length < environments) {
    if (performance.now() > deadline) throw new Error('What was deployed before is not told')
    await delay(500)
  }
}

/** Pushes and deploys. Answers the milliseconds from the last event to the last text. */
async function measurePush({ sandbox, shop, endedAt }: Service, nth: number): Promise<number> {
  const { activity, state } = sandbox.github
  const ada = state.accounts.get('ada')
  if (ada === undefined) throw new Error('The seed has lost ada.')
  const environment = environmentOf(nth)
  const sha = shop.push(`ABC-1 Keep the currency ${nth}`, `ABC-2 Show the date ${nth}`)
  const deployment = activity.deploy(shop.repository, { ref: 'main', creator: ada, environment })
  for (const { state: to, afterMs } of steps) {
    await delay(afterMs)
    activity.setDeploymentStatus(shop.repository, deployment, { state: to, creator: ada })
  }
  const deadline = performance.now() + testsTakeMsMax + patienceMs
  while (performance.now() < deadline) {
    await delay(pollEveryMs)
    const endAt = endedAt.get(sha)
    if (endAt !== undefined && isAnnounced(sandbox, sha)) return performance.now() - endAt
  }
  throw new Error(`The message of push ${nth} did not say how its tests went`)
}

function isAnnounced({ slack }: ShopService['sandbox'], sha: string): boolean {
  const [text, ...more] = slack
    .messages('deployments')
    .map((message) => JSON.stringify(message.blocks))
    .filter((blocks) => blocks.includes(`\`${sha.slice(0, 8)}\` · by ada`))
  if (more.length > 0) throw new Error('There are two messages for one push')
  const isWhole = text?.includes('The basket forgets its currency') && text.includes('passed')
  return isWhole === true && text?.includes('Show the delivery date') === true
}

const service = followTests(await openShopService({ entry: 'built' }))
try {
  await deployBases(service)
  // The first one is not counted: it opens connections and asks for tokens.
  await measurePush(service, 0)
  const running: Promise<number>[] = []
  for (let nth = 1; nth <= pushes; nth += 1) {
    running.push(measurePush(service, nth))
    // Failures are reported at the end, when all have finished.
    running.at(-1)?.catch(() => undefined)
    console.error(`push ${nth} of ${pushes}`)
    await delay(pushEveryMs)
  }
  const times = await Promise.all(running)
  const at = (share: number) => Math.round(percentile(times, share))
  const p95Ms = at(0.95)
  recordResult({
    figure: 'P8',
    what: 'from the last event of a push to its one message with issues and tests, the providers answering at once',
    reach: 'p95 <= 2 s',
    found: `p95 ${p95Ms} ms, p50 ${at(0.5)} ms, at most ${at(1)} ms`,
    reached: p95Ms <= reachMs,
    measured: {
      pushes,
      p50Ms: at(0.5),
      p95Ms,
      maxMs: at(1),
      pushEveryMs,
      testsTakeMs: [testsTakeMs(0), testsTakeMsMax],
      loadAverage: loadavg().map((each) => Number(each.toFixed(1))),
      timesMs: times.map(Math.round),
    },
    remark:
      'Three jobs follow from each other: the webhook, the new text, the call. Each is looked for at once when the transaction that adds it is committed.',
  })
} finally {
  await service.close()
}
