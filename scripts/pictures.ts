import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shareBrowser } from '../e2e/browser.ts'
import { openDashboard, type Dashboard } from '../e2e/dashboard/open-dashboard.ts'
import { settle } from '../e2e/dashboard/page/settle.ts'
import { openPipeline } from '../e2e/dashboard/deployments/play-deployments.ts'
import { startDemo, type Demo } from '../e2e/start-demo.ts'

/** `npm run pictures`: takes the pictures of the README anew, of an organization in which something happened. */
const folder = join(import.meta.dirname, '../docs/pictures')

let dashboard: Dashboard

beforeAll(async () => {
  await mkdir(folder, { recursive: true })
  dashboard = await openDashboard()
  const { connect, ask } = dashboard.service
  for (const kind of ['codehost', 'tracker', 'chat'] as const) await connect(kind)
  const { items } = await ask<{ items: { id: string; name: string }[] }>(
    'GET /integrations/chat/channels',
  )
  const channel = items.find(({ name }) => name === 'deployments')
  await ask('PATCH /integrations/chat', { defaultChannelId: channel?.id })
  await setValues()
  await deployForAMonth()
}, 180_000)
afterAll(() => dashboard.close())

const definition = {
  apiUrl: {
    type: 'string',
    tier: 'public',
    description: 'Where the API answers',
    constraints: { format: 'uri' },
  },
  currency: {
    type: 'string',
    tier: 'public',
    default: 'EUR',
    constraints: { minLength: 3, maxLength: 3 },
  },
  pageSize: { type: 'number', tier: 'public', default: 24, description: 'Articles on a page' },
  requestTimeoutMs: {
    type: 'number',
    tier: 'public',
    default: 3000,
    constraints: { minimum: 100 },
  },
  supportEmail: { type: 'string', tier: 'public', constraints: { format: 'email' } },
  expressCheckout: {
    type: 'boolean',
    tier: 'featureFlags',
    default: false,
    description: 'Pay in one step',
  },
  searchSuggestions: { type: 'boolean', tier: 'featureFlags', default: false },
  darkTheme: { type: 'boolean', tier: 'featureFlags', default: true },
  databaseUrl: { type: 'string', tier: 'secret' },
  paymentToken: { type: 'string', tier: 'secret', description: 'Of the payment provider' },
} as const

const values = {
  development: {
    apiUrl: 'https://api.dev.example.com',
    supportEmail: 'shop@example.com',
    expressCheckout: true,
    searchSuggestions: true,
    databaseUrl: 'postgres://shop@db.dev/shop',
    paymentToken: 'a token of the test account',
  },
  staging: {
    apiUrl: 'https://api.staging.example.com',
    requestTimeoutMs: 5000,
    expressCheckout: true,
  },
  production: {
    apiUrl: 'https://api.example.com',
    currency: 'EUR',
    pageSize: 48,
    supportEmail: 'help@example.com',
    searchSuggestions: true,
    databaseUrl: 'postgres://shop@db/shop',
  },
} as const

/** A definition with each tier; staging inherits from development, and production lacks a secret. */
async function setValues(): Promise<void> {
  const { ask } = dashboard.service
  const { items } = await ask<{ items: { id: string; name: string }[] }>('GET /environments')
  const idOf = (name: string) => items.find((one) => one.name === name)?.id
  await ask(`PATCH /environments/${idOf('staging')}`, { parentId: idOf('development') })
  const { id: schemaId } = await ask<{ id: string }>('POST /config-schemas', {
    name: 'shop',
    schema: definition,
  })
  for (const [name, given] of Object.entries(values)) {
    await ask('PUT /config-values', { schemaId, environmentId: idOf(name), values: given })
  }
}

const changes = [
  'ABC-1 Keep the currency when the basket is opened again',
  'ABC-2 Say what an express delivery costs',
  'ABC-3 Show the size table on phones',
  'Update the dependencies',
  'ABC-1 Round prices as the invoice does',
  'Measure how long a search takes',
] as const

/** Days ago, the oldest first: busier weeks and quieter ones, and two that failed. */
const pace = [27, 26, 23, 22, 20, 19, 19, 16, 15, 13, 13, 12, 9, 8, 8, 6, 5, 5, 2, 2, 1, 1, 0, 0, 0]
const failed = new Set([4, 17])

async function deployForAMonth(): Promise<void> {
  const { deploy, test, age } = openPipeline(dashboard.service)
  for (const [at, days] of pace.entries()) {
    const environment = ['development', 'staging', 'production'][at % 3]
    const message = changes[Math.floor(at / 3) % changes.length]
    const state = failed.has(at) ? 'failure' : 'success'
    const id = await deploy({
      ...(environment && { environment }),
      state,
      ...(message && { message }),
    })
    if (!failed.has(at)) await test(id, { failed: at === 10 ? 2 : 0 })
    await age(id, days)
  }
}

const screens = [
  { name: 'overview', path: '', shown: 'production' },
  { name: 'configuration', path: '/config', shown: 'paymentToken' },
] as const

describe.each(screens)('$name', ({ name, path, shown }) => {
  it.each(['light', 'dark'] as const)('in the %s theme', async (theme) => {
    const seat = await dashboard.open({ theme, width: 1280 })
    await seat.go(path)
    await seat.page.getByText(shown, { exact: true }).first().waitFor()
    await settle(seat.page)
    const file = join(folder, `${name}-${theme}.png`)
    const picture = await seat.page.screenshot({ path: file })
    expect(picture.byteLength).toBeLessThan(200_000)
    console.log(`${file}: ${Math.round(picture.byteLength / 1000)} kB`)
    await seat.close()
  })
})

/** Returns where the newest two changes of the timeline are. */
async function clipRows(page: Page) {
  const rows = page.getByRole('main').getByRole('listitem')
  const [first, second] = [await rows.nth(0).boundingBox(), await rows.nth(1).boundingBox()]
  if (first === null || second === null) throw new Error('The timeline has fewer than two changes')
  return { ...first, height: second.y + second.height - first.y }
}

/** The demo flips a flag that breaks its shop: its tests fail, and the flag goes back. */
const story = { name: 'proof' } as const

describe('proof', () => {
  let demo: Demo
  beforeAll(async () => {
    demo = await startDemo()
  }, 240_000)
  afterAll(() => demo?.kill())

  it('in both themes', async () => {
    const { flags, email, password } = demo.shown
    const context = await (
      await shareBrowser()
    ).newContext({
      viewport: { width: 1280, height: 800 },
    })
    const page = await context.newPage()
    await page.goto(flags)
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('switch', { name: 'newCheckout in production' }).click()
    await page.getByRole('button', { name: 'Review 1 change' }).click()
    const review = page.getByRole('dialog', { name: 'Review 1 change' })
    await review.getByLabel('Type "production" to confirm').fill('production')
    await review.getByRole('button', { name: 'Save' }).click()
    await review.waitFor({ state: 'detached' })
    await page.goto(flags.replace(/flags.*$/, 'timeline'))
    await page.getByText('Restored', { exact: true }).first().waitFor({ timeout: 60_000 })
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme })
      await settle(page)
      const path = join(folder, `${story.name}-${theme}.png`)
      const clip = await clipRows(page)
      const picture = await page.screenshot({ path, clip })
      expect(picture.byteLength).toBeLessThan(200_000)
    }
    await context.close()
  }, 180_000)
})
