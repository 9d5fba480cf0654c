import { pageIds, pages, type PageId } from '@signalbox/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openShop } from '../../packages/server/src/start/testing/play-push.ts'
import { createConfigFixture } from './config/config-fixture.ts'
import { playRunner } from './deployments/play-runner.ts'
import { answerHostile } from './hostile-answers.ts'
import { isNight } from '../is-night.ts'
import { coveredParts, endlessTexts, overhang, wideTables } from './measure-page.ts'
import { openDashboard, type Dashboard, type Seat } from './open-dashboard.ts'
import { followLink } from './page/follow-link.ts'
import { settle } from './page/settle.ts'

let dashboard: Dashboard
const ids = { deployment: '', schema: '', version: '', delivery: '', check: '', decision: '' }

interface Listed {
  readonly items: readonly { readonly id: string }[]
}

beforeAll(async () => {
  dashboard = await openDashboard()
  const { service } = dashboard
  const { schemaId } = await createConfigFixture(service)
  for (const kind of ['codehost', 'tracker', 'chat'] as const) await service.connect(kind)
  const shop = openShop(service.sandbox)
  const sha = shop.push('ABC-1 Keep the currency')
  shop.deploy('staging', ['queued', 'in_progress', 'failure'])
  const first = async (path: string) => (await service.ask<Listed>(`GET ${path}`)).items[0]?.id
  ids.deployment = await vi.waitFor(
    async () => {
      const deployment = await first('/deployments')
      if (deployment === undefined) throw new Error('The webhook was not processed yet')
      return deployment
    },
    { timeout: 30_000 },
  )
  const [development] = (await service.ask<Listed>('GET /environments')).items
  await service.ask('PATCH /integrations/codehost', {
    environmentMap: [
      { pattern: 'preview/*', environmentId: null },
      { pattern: 'staging', environmentId: development?.id },
    ],
    testWorkflows: [
      { workflowId: 'e2e.yml', environmentIds: [development?.id], debounceSeconds: 3600 },
    ],
  })
  const { check, decision } = await playRunner(service, sha)
  ids.check = check.id
  ids.decision = decision.id
  ids.schema = schemaId
  ids.version = (await first(`/config-versions?schemaId=${schemaId}`)) ?? ''
  ids.delivery = (await first('/webhook-deliveries')) ?? ''
})
afterAll(() => dashboard.close())

type Path = (of: typeof ids) => string

/** Pages that need an id, or are more than one screen, and what lies over some. */
const variants: { readonly [Id in PageId]?: Readonly<Record<string, Path>> } = {
  deployments: {
    deployments: () => '/deployments',
    checks: () => '/deployments?view=checks',
    'run a workflow': () => '/deployments?run=true',
  },
  deployment: { deployment: ({ deployment }) => `/deployments/${deployment}` },
  check: { check: ({ check }) => `/deployments/checks/${check}` },
  gateDecision: { 'gate-decision': ({ decision }) => `/gates/${decision}` },
  history: {
    history: () => '/history',
    version: ({ version }) => `/history?version=${version}`,
  },
  import: { import: ({ schema }) => `/schemas/${schema}/import` },
  integration: {
    codehost: () => '/integrations/codehost',
    tracker: () => '/integrations/tracker',
    chat: () => '/integrations/chat',
  },
  webhooks: {
    webhooks: () => '/webhooks',
    delivery: ({ delivery }) => `/webhooks?delivery=${delivery}`,
  },
}

/** Pages that show nothing that other people wrote. */
const ownWords: ReadonlySet<PageId> = new Set([
  'assistant',
  'device',
  'signIn',
  'setup',
  'invitation',
])

/** Those that show most of what other people wrote. At night it is all of them. */
const byDay = new Set([
  'overview',
  'deployments',
  'deployment',
  'timeline',
  'codehost',
  'delivery',
  'audit',
])

/** Every screen, and what lies over it, of each page of the contract. */
const screens = pageIds
  .filter((id) => !ownWords.has(id))
  .flatMap((id) => {
    const { of, path } = pages[id]
    const below = of === 'organization' ? '/acme' : ''
    const own: Readonly<Record<string, Path>> = variants[id] ?? {
      [id]: () => path.replace(/\/$/, ''),
    }
    return Object.entries(own).map(
      ([name, toPath]) => [name, (of: typeof ids) => `${below}${toPath(of)}`] as const,
    )
  })
  .filter(([name]) => isNight || byDay.has(name))

describe('text of people who mean harm', () => {
  let seat: Seat

  beforeAll(async () => {
    seat = await dashboard.open()
    await answerHostile(seat.page)
  })
  afterAll(() => seat.close())

  it.each(screens)(
    'runs nothing, covers nothing, and makes nothing wider than its window or without an end: %s',
    async (name, path) => {
      const { page } = seat
      await page.setViewportSize({ width: 1360, height: 860 })
      await followLink(page, `${dashboard.service.apiUrl}${path(ids)}`)
      // The control: it has come.
      await expect.poll(() => page.content()).toContain('\u202Eevil')
      for (const width of [1360, 390, 320]) {
        await page.setViewportSize({ width, height: 860 })
        await settle(page)
        await seat.picture(`hostile-${name}-${width}`)
        expect([width, await overhang(page)]).toEqual([width, 0])
        expect([width, await wideTables(page)]).toEqual([width, []])
        expect([width, await endlessTexts(page)]).toEqual([width, []])
        expect([width, await coveredParts(page)]).toEqual([width, []])
      }
      expect(await page.evaluate(() => document.documentElement.dataset['taken'])).toBeUndefined()
    },
  )

  it('is shown in part where it has no end, and all of it when that is asked for', async () => {
    const { page } = seat
    await page.setViewportSize({ width: 1360, height: 860 })
    await page.goto(`${dashboard.service.apiUrl}/acme/deployments/${ids.deployment}`)
    const step = page
      .getByRole('region', { name: 'Timeline' })
      .getByRole('listitem')
      .filter({ has: page.getByRole('button', { name: 'Show all of it' }) })
      .first()
    const heightOf = async () => (await step.boundingBox())?.height ?? 0
    await step.waitFor()
    const short = await heightOf()
    await step.getByRole('button', { name: 'Show all of it', expanded: false }).click()
    const less = page.getByRole('button', { name: 'Show less', expanded: true })
    await less.waitFor()
    const opened = page.getByRole('listitem').filter({ has: less }).first()
    expect((await opened.boundingBox())?.height ?? 0).toBeGreaterThan(short * 1.5)
    await less.click()
    await less.waitFor({ state: 'detached' })
  })
})
