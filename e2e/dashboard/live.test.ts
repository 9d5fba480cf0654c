import { pageIds, pages } from '@signalbox/contract'
import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askForChange, createConfigFixture } from './config/config-fixture.ts'
import { isNight } from '../is-night.ts'
import { openDashboard, type Dashboard, type Seat } from './open-dashboard.ts'
import { settle } from './page/settle.ts'
import { openPipeline, type Pipeline } from './deployments/play-deployments.ts'
import { playRunner } from './deployments/play-runner.ts'

let dashboard: Dashboard
let pipeline: Pipeline

/** The pages of one of many by their ids, and what else is one of many, with their addresses below the organization. */
const names = [
  'deployment',
  'check',
  'gateDecision',
  'integration',
  'import',
  'one schema',
  'request',
] as const
let pagesOfOne: Readonly<Partial<Record<(typeof names)[number], string>>> = {}

beforeAll(async () => {
  dashboard = await openDashboard()
  pipeline = openPipeline(dashboard.service)
  const deploymentId = await pipeline.deploy({ message: 'The first one' })
  const fixture = await createConfigFixture(dashboard.service)
  const { schemaId } = fixture
  const { check, decision } = await playRunner(dashboard.service)
  pagesOfOne = {
    deployment: `/deployments/${deploymentId}`,
    check: `/deployments/checks/${check.id}`,
    gateDecision: `/gates/${decision.id}`,
    integration: '/integrations/codehost',
    import: `/schemas/${schemaId}/import`,
    'one schema': `/schemas?schema=${schemaId}`,
    request: `/requests/${await askForChange(dashboard.service, fixture)}`,
  }
})
afterAll(() => dashboard.close())

const isStream = (url: string) => new URL(url).pathname.endsWith('/events')

describe('two pages of one browser', () => {
  it('share one stream, and both show what is new without being loaded again', async () => {
    const seat = await dashboard.open()
    const streams: string[] = []
    const loads: string[] = []
    seat.page.context().on('request', (request) => {
      const url = request.url()
      if (isStream(url)) streams.push(url)
      if (request.isNavigationRequest()) loads.push(url)
    })
    const { page: list } = seat
    await seat.load('/deployments')
    const overview = await list.context().newPage()
    await overview.goto(`${dashboard.service.apiUrl}/acme`)
    await settle(overview)
    for (const page of [list, overview]) await page.locator('[data-live=live]').waitFor()

    const id = await pipeline.deploy({ environment: 'production', message: 'The second one' })
    await list.getByRole('button', { name: '1 new' }).waitFor()
    await overview.getByRole('link', { name: 'The second one' }).waitFor()
    await pipeline.test(id, {})
    await overview.getByText('412 passed').first().waitFor()
    expect(streams).toHaveLength(1)
    expect(loads).toHaveLength(2)

    // The page that held the stream goes: the other one takes it over, and misses nothing.
    await list.close()
    await expect.poll(() => streams.length, { timeout: 60_000 }).toBe(2)
    await overview.locator('[data-live=live]').waitFor()
    await pipeline.deploy({ environment: 'staging', message: 'The third one' })
    await overview.getByRole('link', { name: 'The third one' }).waitFor()
    expect(loads).toHaveLength(2)
  })
})

/**
 * Pages of a person and of nobody are left out: a stream is of one organization, so none of them is told anything. `/account` stands
 * for them below.
 */
const ofOrganization = pageIds.filter((id) => pages[id].of === 'organization')
const screens = ofOrganization
  .filter((id) => !pages[id].path.includes('$'))
  .map((id) => (id === 'overview' ? '' : pages[id].path))
/** By day an overview, a list and two of one of many are looked at. */
const byDay = new Set(['', '/config', 'deployment', 'one schema'])
const cases = [
  ...screens.map((path) => [path, () => path] as const),
  ...names.map((name) => [name, () => pagesOfOne[name] ?? ''] as const),
].filter(([name]) => isNight || byDay.has(name))

it('each page of an organization is looked at here', () => {
  const ofOne = ofOrganization.filter((id) => pages[id].path.includes('$'))
  expect(ofOne.filter((id) => !names.some((name) => name === id))).toEqual([])
})

interface Reads {
  /** The paths that were asked for, but for the stream, which is asked for once and stays. */
  readonly asked: string[]
  /** Counts those that are not answered yet. */
  readonly open: () => number
}

/** From now on notes what a page asks the service for. */
function noteReads(page: Page): Reads {
  const asked: string[] = []
  let open = 0
  const isRead = (request: Request) => request.resourceType() === 'fetch'
  page.on('request', (request) => {
    if (!isRead(request)) return
    open += 1
    asked.push(new URL(request.url()).pathname)
  })
  const end = (request: Request) => {
    if (isRead(request)) open -= 1
  }
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  return { asked, open: () => open }
}

/** Returns the requests since the last call. They are reported in order, so all earlier ones have been reported too. */
async function takeReads(page: Page, { asked }: Reads): Promise<readonly string[]> {
  await page.evaluate(async () => (await fetch('/healthz')).text())
  await expect.poll(() => asked).toContain('/healthz')
  return asked.splice(0).filter((path) => path !== '/healthz')
}

/** Waits until a page has all that it begins with: an answer may lead to the next question. */
async function becomeQuiet(page: Page, reads: Reads): Promise<void> {
  for (let quietSeconds = 0; quietSeconds < 2;) {
    await expect.poll(reads.open).toBe(0)
    await page.clock.runFor('00:01')
    const news = await takeReads(page, reads)
    quietSeconds = news.length === 0 ? quietSeconds + 1 : 0
  }
}

/** Lets ten minutes go by for a quiet page, and answers what it asks for in them. Its own clock alone is moved, so that it takes a moment. */
async function readsOfTenMinutes(page: Page, reads: Reads): Promise<readonly string[]> {
  await page.clock.runFor('10:00')
  return takeReads(page, reads)
}

describe('a page that is opened', () => {
  let seat: Seat
  let reads: Reads
  let asked: string[] = []

  beforeAll(async () => {
    seat = await dashboard.open()
    await seat.page.clock.install()
    reads = noteReads(seat.page)
    seat.page.on('request', (request) => {
      if (request.resourceType() === 'fetch') asked.push(request.url())
    })
  })
  afterAll(() => seat.close())

  /** Opens a screen, and answers what it asked for more than once until it had all that it begins with. */
  async function findRepeated(path: string): Promise<readonly string[]> {
    asked = []
    await seat.load(path)
    await seat.page.locator('[data-live=live]').waitFor()
    await becomeQuiet(seat.page, reads)
    const own = asked.filter((url) => !url.endsWith('/healthz'))
    expect(own.length).toBeGreaterThan(1)
    return own.filter((url, at) => own.indexOf(url) < at)
  }

  it.each(cases)(
    'asks once for what it shows, is told what came after, and asks for nothing again as time goes by: %s',
    async (_name, pathOf) => {
      // The service may still announce its own work after earlier changes to a page that opens meanwhile.
      await expect.poll(() => findRepeated(pathOf())).toEqual([])
      expect(await readsOfTenMinutes(seat.page, reads)).toEqual([])
    },
  )

  it('asks for nothing again as time goes by where it is of no organization, and told nothing', async () => {
    const { page } = seat
    await page.goto(`${dashboard.service.apiUrl}/account`)
    await settle(page)
    await becomeQuiet(page, reads)
    expect(await readsOfTenMinutes(page, reads)).toEqual([])
  })
})

/** A page of another browser that has its stream: once it shows a change, whoever has a stream was told of it. */
async function openWitness(): Promise<Seat> {
  const seat = await dashboard.open()
  await seat.load('/environments')
  await seat.page.locator('[data-live=live]').waitFor()
  return seat
}

describe('a page whose time goes by', () => {
  it('reads anew once it is told again, since what changed meanwhile was told to nobody', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await page.route('**/events*', (route) => route.abort())
    await seat.load('/deployments')
    await page.locator('[data-live=stale], [data-live=reconnecting]').waitFor()
    const { asked } = noteReads(page)
    page.on('response', (response) => {
      if (isStream(response.url())) asked.push('the stream is open')
    })
    await page.unrouteAll()
    await page.locator('[data-live=live]').waitFor()
    // Nothing but the stream makes it read from then on: its own timers have ended.
    const sinceThen = () => asked.slice(asked.lastIndexOf('the stream is open'))
    await expect.poll(() => sinceThen().some((path) => path.endsWith('/deployments'))).toBe(true)
  })

  it('shows what changed after its first reads and before the moment from which it is told', async () => {
    // Somebody else is told of it at once: nothing is kept for who comes later.
    const other = await openWitness()
    const seat = await dashboard.open()
    const { page } = seat
    const held = Promise.withResolvers<undefined>()
    await page.route('**/events*', async (route) => {
      await held.promise
      await route.continue()
    })
    await seat.load('/environments')
    const environment = (name: string) => page.getByRole('heading', { name, exact: true })
    await environment('development').waitFor()
    await dashboard.service.ask('POST /environments', { name: 'just-made' })
    await other.page.getByRole('heading', { name: 'just-made', exact: true }).waitFor()
    expect(await environment('just-made').count()).toBe(0)
    held.resolve(undefined)
    await environment('just-made').waitFor()
  })

  it('shows what changed while its first read was under way, and its answer was from before', async () => {
    const other = await openWitness()
    const seat = await dashboard.open()
    const { page } = seat
    const [answered, told] = [
      Promise.withResolvers<undefined>(),
      Promise.withResolvers<undefined>(),
    ]
    await page.route('**/environments?*', async (route) => {
      const response = await route.fetch()
      answered.resolve(undefined)
      await told.promise
      await route.fulfill({ response })
    })
    await page.goto(`${dashboard.service.apiUrl}/acme/environments`)
    await page.locator('[data-live=live]').waitFor()
    await answered.promise
    await dashboard.service.ask('POST /environments', { name: 'made-meanwhile' })
    const environment = (from: Page) =>
      from.getByRole('heading', { name: 'made-meanwhile', exact: true })
    await environment(other.page).waitFor()
    expect(await environment(page).count()).toBe(0)
    told.resolve(undefined)
    await environment(page).waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  it('control: asks again and again once nobody tells it anything, and that is seen here', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await page.clock.install()
    await page.route('**/events*', (route) => route.abort())
    const reads = noteReads(page)
    await seat.load('/deployments')
    await page.locator('[data-live=stale], [data-live=reconnecting]').waitFor()
    await becomeQuiet(page, reads)
    const asked = await readsOfTenMinutes(page, reads)
    expect(asked.filter((path) => path.endsWith('/deployments')).length).toBeGreaterThan(1)
  })
})
