import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findViolations } from './accessibility.ts'
import { shareBrowser } from './browser.ts'
import { startDemo, type Demo } from './start-demo.ts'

let demo: Demo
let shown: Demo['shown']
let context: BrowserContext
let complaints: string[]

beforeAll(async () => {
  demo = await startDemo()
  shown = demo.shown
}, 240_000)
afterAll(() => demo?.kill())
beforeEach(async () => {
  context = await (await shareBrowser()).newContext()
  return () => context.close()
})

async function open(url: string, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
  const page = await context.newPage()
  await page.emulateMedia({ colorScheme })
  complaints = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => complaints.push(message.text()))
  await page.goto(url)
  return page
}

interface Listed {
  readonly items: readonly { readonly id: string; readonly name: string }[]
}

interface Values {
  readonly values: Readonly<Record<string, { readonly value: unknown }>>
}

/** Calls the API as the terminal does. */
async function callApi<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${shown.service}/organizations/${shown.orgId}${path}`, {
    method,
    headers: { authorization: `Bearer ${shown.token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  expect(answer.status).toBe(200)
  return answer.json()
}

/** Opens a page of the dashboard, and signs in as the terminal says. */
async function openDashboard(url: string): Promise<Page> {
  const { email, password } = shown
  const page = await open(url)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  return page
}

const messagesOf = async (page: Page) => {
  await page.goto(shown.channel)
  return page.locator('.messages > article').allInnerTexts()
}

describe('signalbox demo', () => {
  it('lets a person in, and the terminal', async () => {
    const { email, password, service, token } = shown
    const signedIn = await fetch(`${service}/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
    expect(signedIn.status).toBe(201)
    const me = await fetch(`${service}/me`, { headers: { authorization: `Bearer ${token}` } })
    expect(me.status).toBe(200)
  })

  it('shows a page to push from that everybody can read, by day and by night', async () => {
    for (const scheme of ['light', 'dark'] as const) {
      const page = await open(shown.push, scheme)
      expect(await findViolations(page)).toEqual([])
      expect(complaints).toEqual([])
    }
  })

  it('has an application that shows a flipped flag without a reload', async () => {
    const page = await open(shown.application)
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByText('Checkout: three steps').waitFor()
    expect(await page.locator('#products > li').count()).toBe(6)
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
    const { items: schemas } = await callApi<Listed>('GET', '/config-schemas')
    const { items: environments } = await callApi<Listed>('GET', '/environments')
    const schemaId = schemas.find(({ name }) => name === 'shop')?.id
    const environmentId = environments.find(({ name }) => name === 'staging')?.id
    const flip = (newCheckout: boolean) =>
      callApi('PUT', '/config-values', { schemaId, environmentId, values: { newCheckout } })
    await flip(true)
    await page.getByText('New checkout: one step').waitFor({ timeout: 60_000 })
    expect(await page.locator('tr.changed').innerText()).toMatch(/newCheckout\s+true/)
    await page.getByRole('button', { name: 'Buy now' }).click()
    await page.getByText('Ordered. Nothing was charged.').waitFor()
    expect(await page.locator('tr.changed').count()).toBe(1)
    await page.getByText('Mon–Fri from 9 to 17').waitFor()
    await flip(false)
    await page.getByText('Checkout: three steps').waitFor({ timeout: 60_000 })
    expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
    // The policy of the page has refused nothing, and no secret has come to it.
    expect(complaints).toEqual([])
    expect(await page.content()).not.toMatch(/paymentApiKey|sessionSecret|sbx_m2m/)
    expect(requested.filter((url) => url.includes('sbx_m2m'))).toEqual([])
  })

  it('has an application that everybody can read, by day and by night, on a phone too', async () => {
    for (const scheme of ['light', 'dark'] as const) {
      const page = await open(shown.application, scheme)
      await page.getByText('Live', { exact: true }).waitFor()
      expect(await findViolations(page)).toEqual([])
      await page.setViewportSize({ width: 390, height: 844 })
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(width).toBeLessThanOrEqual(390)
      expect(complaints).toEqual([])
    }
  })

  it('has configuration in every screen: keys, flags, a missing secret, and versions', async () => {
    const page = await openDashboard(shown.config)
    for (const key of [
      'storeName',
      'catalogPageSize',
      'cartItemsMax',
      'supportHours',
      'smtpPassword',
      'newCheckout',
    ]) {
      await page.getByText(key, { exact: true }).first().waitFor()
    }
    await page.goto(shown.flags)
    await page.getByText('recommendations', { exact: true }).first().waitFor()
    await page
      .getByRole('button', { name: /^Rules of searchSuggestions in staging: on for staff/ })
      .waitFor()
    await page
      .getByRole('button', {
        name: /^Rules of productLayout in staging: list for 50%, grid for 30%/,
      })
      .waitFor()
    await page.goto(shown.flags.replace(/flags$/, 'history'))
    await page.getByText('Let our staff try the search suggestions').first().waitFor()
    await page.goto(shown.deployments)
    await page.getByRole('heading', { name: 'Deployments' }).waitFor()
    const { items } = await callApi<{ items: { id: string }[] }>('GET', '/config-schemas')
    const { report } = await callApi<{ report: { environment: string; missing: string[] }[] }>(
      'GET',
      `/config-schemas/${items[0]?.id}/report`,
    )
    expect(report.map(({ environment, missing }) => [environment, missing])).toEqual([
      ['development', []],
      ['staging', []],
      ['production', ['smtpPassword']],
    ])
  })

  it('takes a flag back that breaks the shop, and tells it in one message', async () => {
    const { items: schemas } = await callApi<Listed>('GET', '/config-schemas')
    const { items: environments } = await callApi<Listed>('GET', '/environments')
    const environmentId = environments.find(({ name }) => name === 'production')?.id
    const query = `schemaId=${schemas[0]?.id}&environmentId=${environmentId}`
    const read = async () => {
      const { values } = await callApi<Values>('GET', `/config-values?${query}`)
      return values['newCheckout']?.value
    }
    const page = await openDashboard(`${shown.flags}?schema=${schemas[0]?.id}`)
    await page.getByRole('switch', { name: 'newCheckout in production' }).click()
    await page.getByRole('button', { name: 'Review 1 change' }).click()
    const review = page.getByRole('dialog', { name: 'Review 1 change' })
    await review.getByLabel('Type "production" to confirm').fill('production')
    await review.getByRole('button', { name: 'Save' }).click()
    await expect.poll(read, { timeout: 10_000 }).toBe(true)
    const startedAt = Date.now()
    await expect.poll(read, { timeout: 60_000 }).toBe(false)
    const story = /newCheckout in production: off → on: restored because .*1 of 4 tests failed/
    await expect
      .poll(() => messagesOf(page), { timeout: 30_000 })
      .toEqual([expect.stringMatching(story)])
    expect(Date.now() - startedAt).toBeLessThan(60_000)
  })

  it('turns a push into one message when webhooks come twice and an answer of Slack is lost', async () => {
    const page = await open(shown.push)
    for (const name of ['webhook-twice', 'webhook-repeat-last', 'slack-cut']) {
      await page.click(`#switch-${name}`)
      await page.locator('#said', { hasText: 'Done' }).waitFor()
    }
    await page.getByLabel('A deployment that fails').check()
    await page.click('.push')
    await page.locator('.pushes > li').getByText('failure').waitFor({ timeout: 60_000 })
    await expect
      .poll(() => messagesOf(page), { timeout: 60_000 })
      .toEqual([
        expect.stringContaining('newCheckout'),
        expect.stringMatching(/Deployment to staging failed[\s\S]*ABC-1/),
      ])
  })
})

it('the demo stops when it is asked to, and leaves nothing', async () => {
  const { child, temporary } = demo
  const ended = once(child, 'exit')
  child.kill('SIGINT')
  expect(await ended).toEqual([0, null])
  for (const url of [shown.push, shown.service]) {
    await expect(fetch(url)).rejects.toThrow('fetch failed')
  }
  expect(existsSync(temporary) ? readdirSync(temporary).filter(isOurs) : []).toEqual([])
})

/** The browser keeps files there too. */
function isOurs(name: string): boolean {
  return name.startsWith('signalbox-demo-')
}
