import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createConfigPlaces, type ConfigPlaces } from './config-places.ts'
import { openDashboard, type Dashboard, type Seat } from './open-dashboard.ts'

let dashboard: Dashboard
let places: ConfigPlaces
let seat: Seat
let page: Page

beforeAll(async () => {
  dashboard = await openDashboard()
  places = await createConfigPlaces(dashboard.service)
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
    await dialog.getByLabel('With the 2 secrets, in the clear').check()
    await dialog.getByRole('button', { name: 'Save file' }).click()
    const confirm = page.getByRole('dialog', { name: 'Confirm that it is you' })
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

describe('an env file that is pasted', () => {
  it('sets nothing that the environment inherits with the same value', async () => {
    await seat.go('/config?panel=paste')
    const drawer = page.getByRole('dialog', { name: 'Paste an env file' })
    await drawer.getByLabel('Environment').selectOption('staging')
    const lines = drawer.getByLabel('Lines of NAME=value')
    await lines.fill('API_URL=https://api.dev.example.com\nNEW_CHECKOUT=off\n')
    await drawer.getByText('It is inherited already, and stays so.').waitFor()
    await drawer.getByText('It is the default already, and stays so.').waitFor()
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
