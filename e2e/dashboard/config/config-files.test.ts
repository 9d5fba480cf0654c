import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createConfigFixture, type ConfigFixture } from './config-fixture.ts'
import { lookEverywhere, press } from '../look.ts'
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
  })
})

describe('the address of an export', () => {
  const isPressed = (name: string) =>
    page.getByRole('button', { name, exact: true }).getAttribute('aria-pressed')
  const environment = () =>
    page.getByRole('dialog').getByLabel('Environment').locator('option:checked').innerText()

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

describe('an export of another product', () => {
  const variations = [{ value: true }, { value: false }]
  const flag = (key: string, inStaging: object = {}, more: object = {}) => {
    const state = { on: true, salt: 'salt', fallthrough: { variation: 0 }, offVariation: 1 }
    return {
      key,
      variations,
      environments: {
        prod: { ...state, on: false },
        ['stage']: { ...state, ...inStaging },
        qa: state,
      },
      ...more,
    }
  }
  const rule = (clause: object) => ({ rules: [{ clauses: [clause], variation: 1 }] })
  const launchdarkly = JSON.stringify({
    items: [
      flag(
        'importedCheckout',
        rule({ attribute: 'email', op: 'endsWith', values: ['@a.example'] }),
      ),
      flag('importedBanner'),
      flag('importedTheme', {}, { variations: [{ value: 'dark' }, { value: 'light' }] }),
      flag('importedRegex', rule({ attribute: 'email', op: 'matches', values: ['^a.*z$'] })),
      flag('2fast'),
    ],
  })
  const give = (name: string, text: string) =>
    page
      .getByLabel('Export file')
      .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) })
  const row = (key: string) => page.getByRole('row').filter({ hasText: key })

  it('is planned and imported from the browser, and says unchanged when it is repeated', async () => {
    await seat.go('/config')
    await page.getByRole('link', { name: 'Import' }).click()
    await page.getByLabel('Product', { exact: true }).selectOption('Unleash')
    await give('flags.json', launchdarkly)
    await page.getByText('It looks like an export of LaunchDarkly.').waitFor()
    expect(await lookEverywhere(seat, 'import-wrong-product')).toEqual([])
    await press(page, 'Read it as LaunchDarkly')
    await page.getByText(/^4 keys from LaunchDarkly, and 1 that can.t be imported\.$/).waitFor()
    expect(await page.getByLabel('Environment prod').locator('option:checked').innerText()).toBe(
      'production',
    )
    await page.getByLabel('Environment qa').selectOption('Leave it out')
    await press(page, 'Show the plan')
    await row('importedRegex').getByText('left out').first().waitFor()
    await row('2fast').getByText('fails', { exact: true }).waitFor()
    expect(await lookEverywhere(seat, 'import-plan')).toEqual([])
    await page.getByLabel('Import importedBanner').uncheck()
    await page.getByLabel('Type "production" to confirm').fill('production')
    const store = page.getByRole('button', { name: 'Import 2 keys' })
    expect(await store.isDisabled()).toBe(true)
    await page.getByLabel(/accept what is lost/).check()
    await store.click()
    await page.getByRole('heading', { name: 'Imported into web' }).waitFor()
    await row('2fast').getByText('failed', { exact: true }).waitFor()
    expect(await lookEverywhere(seat, 'import-done')).toEqual([])
    expect(await places.read('staging')).toMatchObject({
      importedCheckout: { value: true },
      importedTheme: { value: 'dark' },
    })
    expect(await places.read('staging')).not.toHaveProperty('importedBanner')
    await press(page, 'Import another export')
    await give('flags.json', launchdarkly)
    await page.getByLabel('Environment qa').selectOption('Leave it out')
    await press(page, 'Show the plan')
    await row('importedCheckout').getByText('unchanged').waitFor()
    await page.getByLabel('Import importedBanner').waitFor()
  })

  it('takes in a text with the form of a credential once a person says that it is no secret', async () => {
    const text = `ghp_${'a1B2'.repeat(9)}`
    const items = [
      flag('importedMapsKey', {}, { variations: [{ value: text }, { value: 'none' }] }),
      flag('importedHint'),
    ]
    await seat.go(`/schemas/${places.schemaId}/import`)
    await give('flags.json', JSON.stringify({ items }))
    await page.getByLabel('Environment qa').selectOption('Leave it out')
    await press(page, 'Show the plan')
    await row('importedMapsKey').getByText('fails', { exact: true }).waitFor()
    await page.getByLabel('Import importedHint').uncheck()
    await press(page, 'importedMapsKey is no secret')
    await page.getByLabel('Import importedMapsKey').waitFor()
    expect(await page.getByLabel('Import importedHint').isChecked()).toBe(false)
    await page.getByLabel('Type "production" to confirm').fill('production')
    await press(page, 'Import 1 key')
    await page.getByRole('link', { name: 'importedMapsKey' }).waitFor()
    expect(await places.read('staging')).toMatchObject({ importedMapsKey: { value: text } })
  })

  it('shows no secret in its plan, and stores it sealed', async () => {
    await seat.go(`/schemas/${places.schemaId}/import`)
    const lines = 'STRIPE_SECRET_KEY=canary-one\nIMPORTED_PASSWORD=canary-two\nEMPTY=\n'
    await give('.env', lines)
    await page.getByLabel('Environment', { exact: true }).selectOption('staging')
    await press(page, 'Show the plan')
    await page.getByLabel('Import importedPassword').waitFor()
    expect(await page.content()).not.toContain('canary')
    await page.getByLabel('Change stripeSecretKey').check()
    await page.getByRole('button', { name: 'Import 2 keys' }).click()
    await page.getByRole('link', { name: 'importedPassword' }).waitFor()
    expect(await page.content()).not.toContain('canary')
    expect(await places.read('staging')).toMatchObject({
      stripeSecretKey: { value: 'canary-one' },
      importedPassword: { value: 'canary-two' },
    })
    await page.getByRole('link', { name: 'importedPassword' }).click()
    await page.getByRole('dialog', { name: 'importedPassword' }).waitFor()
  })
})
