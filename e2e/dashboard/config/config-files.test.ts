import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createConfigFixture, type ConfigFixture } from './config-fixture.ts'
import { openDashboard, type Dashboard, type Seat } from '../open-dashboard.ts'

let dashboard: Dashboard
let places: ConfigFixture
let seat: Seat
let page: Page

beforeAll(async () => {
  dashboard = await openDashboard()
  places = await createConfigFixture(dashboard.service)
})
afterAll(() => dashboard.close())
beforeEach(async () => {
  seat = await dashboard.open()
  page = seat.page
  return () => seat.close()
})

async function openExport(environment: string) {
  await seat.go('/config?panel=export')
  const dialog = page.getByRole('dialog', { name: 'Export an environment' })
  await dialog.getByLabel('Environment').selectOption(environment)
  return dialog
}

/** The file that a press leads to: its name and what is in it. */
async function download(press: () => Promise<void>) {
  const [file] = await Promise.all([page.waitForEvent('download'), press()])
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

const audited = async () => {
  const { items } = await dashboard.service.ask<{ items: { action: string }[] }>(
    'GET /audit-events?limit=50',
  )
  return items.filter(({ action }) => action === 'secret.revealed').length
}

describe('an export', () => {
  it('is an env file of what clients receive, without secrets and without a word in the audit log', async () => {
    const dialog = await openExport('staging')
    const file = await download(() => dialog.getByRole('button', { name: 'Save file' }).click())
    expect(file.name).toBe('web.staging.env')
    expect(file.text.split('\n')).toEqual([
      'API_URL=https://api.dev.example.com',
      'CHECKOUT_TIMEOUT_MS=1500',
      'NEW_CHECKOUT=false',
      'SEARCH_V2=true',
      'SUPPORT_EMAIL=dev@example.com',
      expect.stringMatching(/^WELCOME_TEXT='<img src=x onerror=alert\(1\)>/),
      '',
    ])
    expect(await audited()).toBe(0)
  })

  it('has secrets when that is chosen, after the password is confirmed, and the audit log says so', async () => {
    await dashboard.service.asOwner(
      "update sessions set authenticated_at = authenticated_at - interval '1 hour'",
    )
    const dialog = await openExport('production')
    await dialog.getByRole('button', { name: 'JSON' }).click()
    await dialog.getByLabel('Include the 2 secrets in plain text').check()
    await dialog.getByRole('button', { name: 'Save file' }).click()
    const confirm = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await confirm.getByLabel('Password').fill('a password of the tests, long enough')
    const file = await download(() => confirm.getByRole('button', { name: 'Confirm' }).click())
    expect(file.name).toBe('web.production.json')
    expect(JSON.parse(file.text)).toMatchObject({
      apiUrl: 'https://api.example.com',
      checkoutTimeoutMs: 1000,
      searchV2: false,
      stripeSecretKey: 'the secret of production',
      databaseUrl: 'postgres://app@db/app',
    })
    expect(await audited()).toBeGreaterThan(0)
    expect(await page.content()).not.toContain('the secret of production')
    expect(seat.complaints()).toEqual([])
  })
})

describe('the address of an export', () => {
  const isPressed = (name: string) =>
    page.getByRole('button', { name, exact: true }).getAttribute('aria-pressed')
  const environment = () =>
    page.getByRole('dialog').getByLabel('Environment').locator('option:checked').innerText()

  it('says which environment is saved and as what, for a colleague and after a reload', async () => {
    await seat.go('/config?filter=a')
    await page.getByRole('button', { name: 'Export' }).click()
    const dialog = page.getByRole('dialog', { name: 'Export an environment' })
    await dialog.getByLabel('Environment').selectOption('staging')
    await dialog.getByRole('button', { name: 'JSON' }).click()
    await page.waitForURL('**/config?filter=a&panel=export&from=staging&format=json')
    await page.reload()
    await dialog.waitFor()
    expect([await environment(), await isPressed('JSON')]).toEqual(['staging', 'true'])
    const file = await download(() => dialog.getByRole('button', { name: 'Save file' }).click())
    expect(file.name).toBe('web.staging.json')
    expect(JSON.parse(file.text)).toMatchObject({ apiUrl: 'https://api.dev.example.com' })
    await page.waitForURL('**/config?filter=a')
    expect(seat.complaints()).toEqual([])
  })

  it('chooses no secrets, whatever it says, and names only what there is', async () => {
    await seat.go(
      '/config?panel=export&from=gone&format=xml&secrets=true&withSecrets=true&reveal=true',
    )
    const dialog = page.getByRole('dialog', { name: 'Export an environment' })
    const box = dialog.getByLabel('Include the 2 secrets in plain text')
    expect([await environment(), await isPressed('.env'), await box.isChecked()]).toEqual([
      'development',
      'true',
      false,
    ])
  })
})

describe('an env file that is pasted', () => {
  it('sets nothing that the environment inherits with the same value', async () => {
    await seat.go('/config?panel=paste')
    const drawer = page.getByRole('dialog', { name: 'Paste a .env file' })
    await drawer.getByLabel('Environment').selectOption('staging')
    const lines = drawer.getByLabel('Lines of NAME=value')
    await lines.fill('API_URL=https://api.dev.example.com\nNEW_CHECKOUT=off\n')
    await drawer.getByText('Already inherited: no change.').waitFor()
    await drawer.getByText('Already the default: no change.').waitFor()
    await drawer.getByText('No line changes anything in staging.').waitFor()
    expect(await drawer.getByRole('button', { name: 'Stage changes' }).isDisabled()).toBe(true)
    await seat.picture('paste-inherited-light')
    await lines.fill('API_URL=https://api.dev.example.com\nSUPPORT_EMAIL=staging@example.com\n')
    await drawer.getByRole('button', { name: 'Stage 1 change' }).click()
    await page.getByRole('button', { name: 'Review 1 change' }).click()
    const review = page.getByRole('dialog', { name: 'Review 1 change' })
    await review.getByRole('button', { name: 'Save' }).click()
    await page.getByText('1 change saved in staging.').waitFor()
    expect((await places.read('staging'))['supportEmail']?.value).toBe('staging@example.com')
    expect((await places.read('staging'))['apiUrl']).toMatchObject({ source: 'inherited' })
  })
})
