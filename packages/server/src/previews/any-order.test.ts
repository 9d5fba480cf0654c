import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { openPreviewsApp, shop, type Deployed, type PreviewsApp } from './testing/open-previews.ts'
import type { CodehostPullRequest } from '../providers/codehosts/pull-request.ts'

let previews: PreviewsApp

beforeAll(async () => {
  previews = await openPreviewsApp()
})
afterAll(() => previews.close())

const dayMs = 86_400_000
const scale = inject('scale')
const streams = scale === 1 ? 100 : 1000 * scale
const perBatch = 20
const named = ['databaseUrl'] as const

/** Draws numbers that are the same for every run. */
function createDice(seed: number): (sides: number) => number {
  let state = seed >>> 0
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

type Event =
  | { readonly of: 'pull'; readonly pull: CodehostPullRequest }
  | { readonly of: 'deployment'; readonly deployed: Deployed }
  | { readonly of: 'ask' }

interface Stream {
  readonly number: number
  readonly events: readonly Event[]
  /** Says whether the pull request is open, of this repository and deployed at the end of the story. */
  readonly isOpen: boolean
  readonly isFork: boolean
}

const shaOf = (number: number) => number.toString(16).padStart(40, '0')

/** Tells the story of one pull request in its order: opened, deployed, closed, opened again. */
function tellStory(number: number, dice: (sides: number) => number, from: number): Stream {
  const isFork = dice(8) === 0
  const events: Event[] = []
  let at = from
  let [isOpen, isUp, deployment, status] = [true, false, 0, 0]
  const pull = (state: CodehostPullRequest['state']) => {
    isOpen = state === 'open'
    events.push({
      of: 'pull',
      pull: {
        number,
        url: null,
        state,
        headSha: shaOf(number),
        headRef: `branch-${String(number)}`,
        isFork,
        updatedAt: new Date(at),
      },
    })
  }
  const report = (state: Deployed['state']) => {
    status += 1
    events.push({
      of: 'deployment',
      deployed: {
        id: number * 10 + deployment,
        environment: `pr-${String(number)}`,
        sha: shaOf(number),
        branch: `branch-${String(number)}`,
        state,
        status,
        at: new Date(at),
        createdAt: new Date(from + deployment),
      },
    })
  }
  pull('open')
  const steps = 3 + dice(7)
  for (let step = 0; step < steps; step++) {
    at += 1000
    const turn = dice(5)
    if (turn === 0) pull(dice(3) === 0 ? 'merged' : 'closed')
    else if (turn === 1) pull('open')
    else if (turn === 2 && isUp) {
      report('inactive')
      isUp = false
    } else if (turn === 3) events.push({ of: 'ask' })
    else {
      deployment += 1
      status = 0
      report('in_progress')
      at += 1
      report('success')
      isUp = true
    }
  }
  // The last word on the pull request is what its host says when it is asked.
  at += 1000
  pull(isOpen ? 'open' : 'closed')
  return { number, events, isOpen, isFork }
}

/** Loses, doubles and shuffles events. */
function disturb(events: readonly Event[], dice: (sides: number) => number): Event[] {
  const arriving = events.flatMap((event) => {
    const fate = dice(10)
    return fate < 5 ? [] : fate === 5 ? [event, event] : [event]
  })
  for (let index = arriving.length - 1; index > 0; index--) {
    const other = dice(index + 1)
    const [one, two] = [arriving[index], arriving[other]]
    if (one !== undefined && two !== undefined) [arriving[index], arriving[other]] = [two, one]
  }
  return arriving
}

async function arrive(event: Event, number: number): Promise<void> {
  if (event.of === 'pull') await previews.tell(event.pull)
  else if (event.of === 'deployment') await previews.deploy(event.deployed)
  else await previews.ask({}, { pullRequest: number })
}

/** Lets a story arrive, while the host knows what has happened by then, whatever of it arrives. */
async function play(
  { number, events }: Pick<Stream, 'number' | 'events'>,
  dice: (sides: number) => number,
): Promise<void> {
  const arriving = disturb(events, dice)
  for (const [index, event] of arriving.entries()) {
    setAtHost(events.slice(0, 1 + Math.floor((index / arriving.length) * events.length)))
    await arrive(event, number)
    if (dice(3) === 0) await previews.follow()
  }
  setAtHost(events)
}

function setAtHost(happened: readonly Event[]): void {
  const last = happened.findLast((event) => event.of === 'pull')
  if (last === undefined) return
  previews.host.pulls.set(`${shop.externalId} ${String(last.pull.number)}`, last.pull)
}

/** Counts what must not be: environments and keys whose pull request has ended, and secrets that the rule does not name. */
async function countFaults(stories: readonly Stream[]) {
  const { app, canaries } = previews
  const list = await previews.list()
  const shouldEnd = stories.filter(({ isOpen, isFork }) => !isOpen || isFork)
  const isOver = (of: { environment: { source: { pullRequest: number } } }) =>
    shouldEnd.some(({ number }) => number === of.environment.source.pullRequest)
  const live = list.filter(({ state }) => state === 'live')
  const keys = await app.test.asOwner<{ environmentId: string }>(
    `select environment_ids[1] as "environmentId" from api_keys where org_id = $1 and of_preview and revoked_at is null`,
    [app.orgId],
  )
  const liveIds = new Set(live.map(({ environment }) => environment.id))
  let leaks = 0
  for (const { environment } of list) {
    const text = await previews.openSecrets(environment.id)
    const others = Object.entries(canaries).filter(([key]) => key !== named[0])
    if (others.some(([, canary]) => text.includes(canary)) || text.includes('mailKey')) leaks += 1
  }
  const browsers = await app.test.asOwner<{ count: number }>(
    `select count(*)::integer as count from browser_snapshots where body like '%canary%'`,
  )
  return {
    orphans: live.filter(isOver).length,
    outliving: keys.filter(({ environmentId }) => !liveIds.has(environmentId)).length,
    leaks: leaks + (browsers[0]?.count ?? 0),
  }
}

describe('streams of events of pull requests', () => {
  it(
    'leave no orphan, no key that outlives its preview and no secret that is not named, however they are lost, doubled and shuffled',
    { timeout: 600_000 * scale },
    async () => {
      await previews.addRule({ secrets: { names: [...named] }, max: 200 })
      const dice = createDice(20_261_201)
      const totals = { made: 0, kept: 0 }
      for (let first = 1; first <= streams; first += perBatch) {
        const stories = Array.from({ length: perBatch }, (_, index) =>
          tellStory(first + index, dice, previews.now().getTime()),
        )
        for (const { number, events, isOpen, isFork } of stories) {
          await play({ number, events }, dice)
          if (isOpen && !isFork) totals.kept += 1
        }
        // Lost events are read from the host an hour later.
        previews.passMs(3_700_000)
        await previews.sweep()
        totals.made += (await previews.list()).length
        expect(await countFaults(stories)).toEqual({ orphans: 0, outliving: 0, leaks: 0 })
        // All of them expire, and a week later nothing is left.
        previews.passMs(15 * dayMs)
        await previews.sweep()
        previews.passMs(8 * dayMs)
        await previews.sweep()
        expect(await previews.list()).toEqual([])
        const { items } = (await previews.app.ok('viewer', 'GET /environments')).body
        expect(items.map(({ name }: { name: string }) => name)).toEqual(['staging'])
      }
      expect(totals.made).toBeGreaterThan(streams / 3)
      expect(totals.kept).toBeGreaterThan(streams / 6)
    },
  )
})
