import { Problem } from '@signalbox/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import type { CodehostEvent } from '../../providers/codehosts/event.ts'
import type { ReportedState } from '../../providers/codehosts/deployment.ts'
import { recordCodehostEvent } from './record-codehost-event.ts'
import {
  buildDeployment,
  buildStatus,
  created,
  openDeployments,
  reported,
  type TestDeployments,
} from '../testing/open-deployments.ts'
import { readRecords } from '../testing/read-records.ts'

let app: TestDeployments

beforeAll(async () => {
  app = await openDeployments()
})
afterAll(() => app.close())

interface Step {
  readonly deployment: number
  readonly state: ReportedState
  readonly moves: boolean
}

const history = fc.array(
  fc.record({
    deployment: fc.integer({ min: 1, max: 4 }),
    state: fc.constantFrom<ReportedState>(
      'queued',
      'in_progress',
      'success',
      'success',
      'failure',
      'inactive',
      'unknown',
    ),
    // Rarely, a status moves its deployment to another environment.
    moves: fc.integer({ min: 0, max: 9 }).map((chance) => chance === 0),
  }),
  { minLength: 2, maxLength: 9 },
)

/** Returns the events that the host sends for a history: first each deployment, then each status, numbered in order. */
function toEvents(steps: readonly Step[]): CodehostEvent[] {
  const deploymentOf = (number: number) =>
    buildDeployment(number, {
      sha: (number % 3).toString().repeat(40),
      ref: number === 2 ? 'ABC-2-login' : 'main',
      payloadText: `ABC-${number} WEB-${number}`,
    })
  const numbers = [...new Set(steps.map(({ deployment }) => deployment))]
  return [
    ...numbers.map((number) => created(deploymentOf(number))),
    ...steps.map(({ deployment, state, moves }, index) =>
      reported(
        deploymentOf(deployment),
        buildStatus(10 + index, state, {
          environment: moves ? 'staging' : null,
          environmentUrl: index % 2 === 0 ? `https://shop.example.com/${index}` : null,
          description: index % 3 === 0 ? `Step ${index}` : null,
        }),
      ),
    ),
  ]
}

const arrivals = history.chain((steps) => {
  const events = toEvents(steps)
  return fc
    .tuple(fc.constant(events), fc.subarray(events))
    .chain(([once, again]) =>
      fc
        .shuffledSubarray([...once, ...again], { minLength: once.length + again.length })
        .map((arriving) => ({ events, arriving })),
    )
})

async function play(
  events: readonly CodehostEvent[],
  record: (orgId: string, event: CodehostEvent) => Promise<unknown>,
): Promise<unknown> {
  const { orgId } = await app.addOrganization()
  for (const event of events) await record(orgId, event)
  return readRecords(app.test, orgId)
}

const guarded = (orgId: string, event: CodehostEvent) =>
  recordCodehostEvent(app.deps, { orgId, event, source: 'webhook' })

/** The same, but whatever arrives is given the next number: the last write wins. */
function lastWriteWins() {
  let arrived = 0
  return (orgId: string, event: CodehostEvent) => {
    if (event.type !== 'deploymentStatus') return guarded(orgId, event)
    arrived += 1
    const status = { ...event.status, externalId: String(arrived) }
    return guarded(orgId, { ...event, status })
  }
}

const statesOf = (end: unknown) =>
  JSON.stringify(end, (key, value: unknown) =>
    key === 'state_seq' || key === 'statuses' ? undefined : value,
  )

const histories = 10 * inject('scale')

it(`ends the same in ${histories} shuffled and repeated histories`, async () => {
  await fc.assert(
    fc.asyncProperty(arrivals, async ({ events, arriving }) => {
      expect(await play(arriving, guarded)).toEqual(await play(events, guarded))
    }),
    { numRuns: histories, seed: 20_261_121 },
  )
}, 240_000)

it('control: where the last write wins, many histories end wrong', async () => {
  let wrong = 0
  await fc.assert(
    fc.asyncProperty(arrivals, async ({ events, arriving }) => {
      const [right, end] = [await play(events, guarded), await play(arriving, lastWriteWins())]
      if (statesOf(right) !== statesOf(end)) wrong += 1
    }),
    { numRuns: 10, seed: 20_261_121 },
  )
  expect(wrong).toBeGreaterThan(2)
}, 120_000)

it('ends the same when events come at once', async () => {
  const events = toEvents([
    { deployment: 1, state: 'in_progress', moves: false },
    { deployment: 1, state: 'success', moves: false },
    { deployment: 2, state: 'success', moves: false },
    { deployment: 3, state: 'failure', moves: false },
    { deployment: 4, state: 'success', moves: true },
  ])
  const { orgId } = await app.addOrganization()
  // As its job does: one waits for the others' locks no longer than a few seconds, and then comes again.
  const arrive = async (event: (typeof events)[number]): Promise<void> => {
    try {
      await guarded(orgId, event)
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'db_unavailable') throw error
      await arrive(event)
    }
  }
  await Promise.all([...events, ...events].map(arrive))
  expect(await readRecords(app.test, orgId)).toEqual(await play(events, guarded))
})
