import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openShop } from '../../../packages/server/src/start/testing/play-push.ts'
import { createConfigFixture } from '../config/config-fixture.ts'
import { createTarget } from '../furnished.ts'
import { lookEverywhere, press } from '../look.ts'
import { openDashboard, type Dashboard } from '../open-dashboard.ts'
import { addPerson, choose } from '../people/play-people.ts'

let dashboard: Dashboard
let targetId: string

beforeAll(async () => {
  dashboard = await openDashboard()
  const { service } = dashboard
  openShop(service.sandbox)
  await service.connect('codehost')
  const { schemaId } = await createConfigFixture(service)
  targetId = await createTarget({ ask: service.ask, schemaId })
})
afterAll(() => dashboard.close())

const planned = (name: string, action: string, more: object = {}) => ({
  name,
  store: 'secret',
  key: 'stripeSecretKey',
  action,
  detail: null,
  isAdoptable: false,
  writtenVersion: null,
  ...more,
})
const plan = {
  version: 3,
  counts: { create: 1, update: 0, keep: 0, delete: 0, conflict: 1, refuse: 1 },
  items: [
    planned('STRIPE_SECRET_KEY', 'create'),
    planned('DATABASE_URL', 'conflict', {
      key: 'databaseUrl',
      detail: 'The name is there, and Signalbox did not write it.',
      isAdoptable: true,
    }),
    planned('GITHUB_TOKEN', 'refuse', {
      key: 'githubToken',
      detail: 'GitHub keeps names that begin with GITHUB_ for itself.',
    }),
  ],
  untouched: [{ name: 'DEPLOY_KEY', store: 'secret' }],
}

/** Answers what only GitHub knows, and notes what a run takes over. */
async function answerPlan(page: Page): Promise<unknown[]> {
  const runs: unknown[] = []
  await page.route(/\/targets\/[^/]+\/plan$/, (route) =>
    route.fulfill({ json: { targetId, ...plan } }),
  )
  await page.route(/\/targets\/[^/]+\/runs$/, async (route: Route) => {
    runs.push(route.request().postDataJSON())
    await route.fallback()
  })
  return runs
}

it('a target shows its plan before its first run, and takes over only what a person names', async () => {
  const seat = await dashboard.open()
  const { page } = seat
  const runs = await answerPlan(page)
  await seat.go('/targets')
  await page.getByText('Waits for its first run').waitFor()
  await press(page, 'New target')
  const form = page.getByRole('dialog')
  await form.getByLabel('Schema', { exact: true }).waitFor()
  // The field proposes the connected repositories, and takes any other.
  const proposed = page.locator('datalist option[value="acme/shop"]')
  await proposed.waitFor({ state: 'attached' })
  const list = await form.getByLabel('Repository').getAttribute('list')
  expect(await proposed.locator('..').getAttribute('id')).toBe(list)
  await press(page, 'Cancel')
  expect(await lookEverywhere(seat, 'targets')).toEqual([])
  await page.getByRole('link', { name: 'Workflows of the shop' }).click()
  await page.getByText('1 new, 1 there already, 1 that can’t be written.').waitFor()
  expect(await lookEverywhere(seat, 'target-plan')).toEqual([])
  await page.getByLabel('Take over DATABASE_URL').check()
  await press(page, 'Run for the first time')
  await press(page, 'Pause')
  await page.getByText('Paused').waitFor()
  expect(runs).toEqual([{ adopt: [{ name: 'DATABASE_URL', store: 'secret' }] }])
  await choose(page, 'Actions for Workflows of the shop', 'Change')
  const dialog = page.getByRole('dialog', { name: 'Change Workflows of the shop' })
  await dialog.getByLabel('All flags').uncheck()
  await press(page, 'Save')
  await page.getByText('All secrets, and also apiUrl', { exact: true }).waitFor()
  const viewer = await addPerson(dashboard, { name: 'Vera', role: 'viewer' })
  const other = await dashboard.open({ session: viewer.session })
  await other.go(`/targets?target=${targetId}&panel=delete`)
  await other.page.getByText(/^Admins of this organization plan, run and change targets/).waitFor()
  expect(await other.page.getByRole('dialog').count()).toBe(0)
  await other.close()
  await choose(page, 'Actions for Workflows of the shop', 'Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete target' }).click()
  await page.getByRole('heading', { name: 'No targets yet' }).waitFor()
})
