import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createConfigFixture, type ConfigFixture } from './config/config-fixture.ts'
import { openDashboard, type Dashboard, type Seat } from './open-dashboard.ts'
import { settle } from './page/settle.ts'
import { addPerson } from './people/play-people.ts'

let dashboard: Dashboard
let places: ConfigFixture
/** The newest version of production, in which secrets were set. */
let versionId: string

beforeAll(async () => {
  dashboard = await openDashboard()
  places = await createConfigFixture(dashboard.service)
  await places.set('staging', { stripeSecretKey: former })
  await places.set('staging', { stripeSecretKey: 'the secret of staging' })
  const { items } = await dashboard.service.ask<{ readonly items: readonly { id: string }[] }>(
    `GET /config-versions?schemaId=${places.schemaId}&environmentId=${places.environments['staging']}`,
  )
  versionId = items[0]?.id ?? ''
})
afterAll(() => dashboard.close())

const former = 'the former secret of staging'
const secrets = [
  former,
  'the secret of staging',
  'the secret of development',
  'the secret of production',
  'postgres://app@db/app',
]

/** Everything that a page was ever answered or asked for. */
function listen(page: Page): () => Promise<string> {
  const heard: Promise<string>[] = []
  page.on('request', (request) =>
    heard.push(Promise.resolve(`${request.url()} ${request.postData() ?? ''}`)),
  )
  page.on('response', (response) => {
    if (response.headers()['content-type']?.includes('event-stream')) return
    heard.push(response.text().catch(() => ''))
  })
  return async () => (await Promise.all(heard)).join('\n')
}

/** Everything that a page shows or keeps. */
const keptBy = (page: Page) =>
  page.evaluate(async () =>
    [
      document.documentElement.outerHTML,
      document.title,
      location.href,
      JSON.stringify(history.state),
      JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
      JSON.stringify([await caches.keys(), await indexedDB.databases()]),
      ...[...document.querySelectorAll<HTMLInputElement>('input, textarea, select')].map(
        ({ value }) => value,
      ),
      ...performance.getEntries().map(({ name }) => name),
    ].join('\n'),
  )

const found = (text: string) => secrets.filter((secret) => text.includes(secret))
const isReady = (page: Page) =>
  page.locator('[aria-label=Loading]').first().waitFor({ state: 'hidden' })

/** Opens everything that is about keys and values, and answers what of it a page has kept on the way. */
async function openEverything(seat: Seat): Promise<string> {
  const { page } = seat
  const kept: string[] = []
  const addresses = [
    '',
    '/config',
    '/config?filter=stripe',
    '/flags',
    '/schemas',
    '/history',
    '/history?key=stripeSecretKey',
    `/history?version=${versionId}`,
    '/environments',
    '/audit',
  ]
  for (const address of addresses) {
    await seat.go(address)
    kept.push(await keptBy(page))
  }
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or jump to' }).fill('secret of')
  await page.getByText(/^(?:\d+ results?|Nothing matches\.)$/).waitFor()
  kept.push(await keptBy(page))
  await seat.go('/config?panel=export')
  for (const format of ['.env', 'JSON']) {
    await page.getByLabel('Environment', { exact: true }).selectOption('production')
    await page.getByText(format, { exact: true }).click()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save file' }).click()
    kept.push(await readFile(await (await saved).path(), 'utf8'))
    await seat.go('/config?panel=export')
  }
  return kept.join('\n')
}

describe('the text of a secret', () => {
  it.each(['viewer', 'developer'] as const)(
    'comes to no page of a %s who has not asked for it: not shown, kept, fetched or exported',
    async (role) => {
      const email = `grace.${role}@example.com`
      const { session } = await addPerson(dashboard, { name: 'Grace', role, email })
      const seat = await dashboard.open({ session })
      const heard = listen(seat.page)
      const kept = await openEverything(seat)
      expect(found(kept)).toEqual([])
      const network = await heard()
      expect(found(network)).toEqual([])
      // That there is something, and that it is listened to.
      expect(network).toContain('stripeSecretKey')
      expect(network).toContain('https://api.example.com')
      expect(kept).toContain('https://api.example.com')
    },
  )

  it('is heard and seen by the same means where it is shown, and kept by nothing after it', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    const heard = listen(page)
    await seat.go('/config')
    await page.getByRole('button', { name: 'Reveal stripeSecretKey of production' }).click()
    await page.getByText('the secret of production').waitFor()
    expect(found(await keptBy(page))).toEqual(['the secret of production'])
    expect(found(await heard())).toEqual(['the secret of production'])
    await page.evaluate(() => dispatchEvent(new Event('blur')))
    await page.getByText('the secret of production').waitFor({ state: 'detached' })
    expect(found(await keptBy(page))).toEqual([])
    // Nothing of the page has it any more: what comes back to the screen is asked for again.
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.goBack()
    await isReady(page)
    expect(found(await keptBy(page))).toEqual([])
  })
})

interface ShownOnce {
  readonly what: string
  readonly path: string
  /** Opens the dialog, and leaves it with the secret in it. */
  readonly make: (page: Page) => Promise<void>
  readonly close: string
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

const shownOnce: readonly ShownOnce[] = [
  {
    what: 'a new API key',
    path: '/acme/keys',
    close: 'I have copied it',
    async make(page) {
      await press(page, 'New key')
      await page.getByLabel('Name').fill('ci')
      await press(page, 'Create key')
      await page.getByRole('region', { name: 'Browser key' }).waitFor()
    },
  },
  {
    what: 'a personal access token',
    path: '/account',
    close: 'I have copied it',
    async make(page) {
      await press(page, 'New token')
      await page.getByLabel('Name', { exact: true }).last().fill('laptop')
      await press(page, 'Create token')
      await page.getByRole('region', { name: 'Personal access token' }).last().waitFor()
    },
  },
  {
    what: 'an invitation link',
    path: '/acme/members',
    close: 'Done',
    async make(page) {
      await press(page, 'Invite')
      await page.getByLabel('E-mail').fill('octocat@example.com')
      await press(page, 'Create link')
      await page.getByRole('region', { name: 'Invitation link' }).waitFor()
    },
  },
  {
    what: 'the secret of a second factor',
    path: '/account',
    close: 'Cancel',
    async make(page) {
      await press(page, 'Set it up')
      await page.getByRole('img', { name: 'The secret as a QR code' }).waitFor()
    },
  },
]

describe('what is shown once', () => {
  it.each(shownOnce)('is nowhere in the page after it: $what', async ({ path, make, close }) => {
    const seat = await dashboard.open()
    const { page } = seat
    await page.goto(`${dashboard.service.apiUrl}${path}`)
    await settle(page)
    await make(page)
    const dialog = page.getByRole('dialog')
    const secret = (await dialog.locator('code').last().textContent()) ?? ''
    expect(secret.length).toBeGreaterThan(15)
    // The control: it is found while it is shown.
    expect(await keptBy(page)).toContain(secret)
    // Setting up a second factor can be cancelled, and begun again. A key that is lost is lost.
    const stays = close !== 'Cancel'
    // Twice: a browser may grant the second Escape what a page refused to the first.
    for (const key of stays ? ['Escape', 'Escape'] : []) await page.keyboard.press(key)
    expect(await dialog.locator('code').last().textContent()).toBe(secret)
    const crosses = await dialog.getByRole('button', { name: 'Close', exact: true }).count()
    expect(crosses).toBe(stays ? 0 : 1)
    await dialog.getByRole('button', { name: close, exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await isReady(page)
    expect(await keptBy(page)).not.toContain(secret)
  })
})
