import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createConfigFixture, type ConfigFixture } from './config/config-fixture.ts'
import { look, lookEverywhere, press } from './look.ts'
import { openDashboard, type Dashboard, type Seat } from './open-dashboard.ts'
import { choose, keptBy } from './people/play-people.ts'

let dashboard: Dashboard
let fixture: ConfigFixture
let ada: Seat

beforeAll(async () => {
  dashboard = await openDashboard()
  fixture = await createConfigFixture(dashboard.service)
  ada = await dashboard.open()
})
afterAll(() => dashboard.close())

const sentence = 'Watched for 15 min by api-errors. If it fails, Signalbox takes the change back.'
const production = (page: Page) => page.locator('[id="cell-3-searchV2"]')
const development = (page: Page) => page.locator('[id="cell-1-searchV2"]')

async function flip(page: Page, cell: (page: Page) => ReturnType<Page['locator']>) {
  await cell(page).getByRole('switch').click()
  await press(page, 'Review 1 change')
  return page.getByRole('dialog', { name: 'Review 1 change' })
}

/** Sends the alert of a signal, as a script does. */
async function fire(secret: string): Promise<void> {
  const { items } = await dashboard.service.ask<{ items: { id: string }[] }>('GET /signals')
  const { status } = await fetch(`${dashboard.service.apiUrl}/signals/${items[0]?.id}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'firing' }),
  })
  expect(status).toBe(202)
}

describe('a change that proves itself', () => {
  it('is watched by an alert, and goes back when it fires, with the reason', async () => {
    const { page } = ada
    await ada.go('/signals')
    await page.getByText('No signals yet').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'New signal' }).first().click()
    await page.getByRole('dialog').getByLabel('Name').fill('api-errors')
    expect(await look(ada, 'signal-new')).toEqual([])
    await press(page, 'Create signal')
    const shown = page.getByRole('region', { name: 'Secret of the address' })
    const secret = (await shown.locator('code').textContent()) ?? ''
    await press(page, 'curl')
    await page.getByText(`Bearer ${secret}`).waitFor()
    expect(await lookEverywhere(ada, 'signal-secret')).toEqual([])
    await page.setViewportSize({ width: 1360, height: 860 })
    await press(page, 'I have copied it')
    await press(page, 'Test api-errors')
    await press(page, 'Read it now')
    await page.getByRole('dialog').getByText('It has sent nothing yet.').waitFor()
    expect(await look(ada, 'signal-test')).toEqual([])
    await press(page, 'Cancel')
    expect(await keptBy(page)).not.toContain(secret)

    await ada.go('/environments')
    await choose(page, 'Actions for production', 'Edit')
    await page.getByLabel('Watch every change').check()
    // The only signal needs no choice.
    expect(await page.getByRole('checkbox', { name: 'api-errors' }).isChecked()).toBe(true)
    await page.getByLabel('Bad readings').selectOption('1')
    expect(await lookEverywhere(ada, 'policy-watch')).toEqual([])
    await page.setViewportSize({ width: 1360, height: 860 })
    await press(page.getByRole('dialog'), 'Save')
    await page.getByText('every change, for 15 min by api-errors').waitFor()

    await ada.go('/flags')
    const review = await flip(page, production)
    await review.getByText(sentence).waitFor()
    expect(await review.getByLabel('Watch this change').isDisabled()).toBe(true)
    await review.getByLabel('Type "production" to confirm').fill('production')
    expect(await look(ada, 'review-watched')).toEqual([])
    await press(review, 'Save')
    await production(page)
      .getByRole('img', { name: /^Unproven, 1\d min left$/ })
      .waitFor()
    await production(page).click({ position: { x: 120, y: 6 } })
    const link = page.locator('#cell-line').getByRole('link', { name: /^Unproven/ })
    await link.waitFor()
    expect((await fixture.read('production'))['searchV2']?.value).toBe(true)

    await fire(secret)
    // Signals are read every 15 seconds. The page, which nobody touches, shows it.
    await link.waitFor({ state: 'detached', timeout: 60_000 })
    expect((await fixture.read('production'))['searchV2']?.value).toBe(false)
    await ada.go('/timeline')
    await page.getByRole('link', { name: 'Restored' }).click()
    const panel = page.getByRole('dialog', { name: 'Proof of a change' })
    await panel.getByText('Restored because api-errors says that an alert is firing').waitFor()
    await panel.getByText(/^0 good, 1 bad, \d+ without data$/).waitFor()
    expect(await lookEverywhere(ada, 'proof-restored')).toEqual([])
    await page.setViewportSize({ width: 1360, height: 860 })
    await panel
      .getByRole('link', { name: /^web v\d+ in production$/ })
      .last()
      .click()
    await page
      .getByText(/^Taken back by its proof/)
      .first()
      .waitFor()
  })

  it('is watched where its author alone asks for it, and a person ends that', async () => {
    const { page } = ada
    await ada.go('/flags')
    const review = await flip(page, development)
    await review.getByLabel('Watch this change').check()
    await review.getByText(sentence).waitFor()
    await press(review, 'Save')
    await development(page)
      .getByRole('img', { name: /^Unproven/ })
      .waitFor()
    // Environments that inherit are watched too.
    await page
      .locator('[id="cell-2-searchV2"]')
      .getByRole('img', { name: /^Unproven/ })
      .waitFor()
    await development(page).click({ position: { x: 120, y: 6 } })
    await page
      .locator('#cell-line')
      .getByRole('link', { name: /^Unproven/ })
      .click()
    const panel = page.getByRole('dialog', { name: 'Proof of a change' })
    await press(panel, 'Stop watching…')
    const question = page.getByRole('dialog', { name: 'Stop watching this change?' })
    expect(await look(ada, 'proof-stop')).toEqual([])
    await press(question, 'Stop watching')
    await panel.getByText('Proven, as Ada said').waitFor()
    expect(await panel.getByRole('button', { name: 'Stop watching…' }).count()).toBe(0)
  })
})

describe('a signal', () => {
  it('that a policy names is not deleted, and leads to the environment', async () => {
    const { page } = ada
    await ada.go('/signals')
    await choose(page, 'Actions for api-errors', 'Delete')
    const dialog = page.getByRole('dialog', { name: 'api-errors is in use' })
    expect(await look(ada, 'signal-in-use')).toEqual([])
    await dialog.getByRole('link', { name: 'production' }).click()
    await page.getByRole('dialog', { name: 'Edit production' }).waitFor()
  })

  it('is changed, and gets another secret', async () => {
    const { page } = ada
    await ada.go('/signals')
    await choose(page, 'Actions for api-errors', 'New secret')
    expect(await look(ada, 'signal-new-secret')).toEqual([])
    await press(page, 'Make a new secret')
    await page.getByRole('region', { name: 'Secret of the address' }).waitFor()
    await press(page, 'I have copied it')
    await choose(page, 'Actions for api-errors', 'How to send alerts')
    await page.getByText(/credentials: THE_SECRET/).waitFor()
    expect(await look(ada, 'signal-address')).toEqual([])
    await press(page, 'Close')
    await choose(page, 'Actions for api-errors', 'Change')
    await page.getByRole('dialog').getByLabel('Name').fill('shop-errors')
    expect(await look(ada, 'signal-change')).toEqual([])
    await press(page, 'Save')
    await page.getByRole('main').getByText('shop-errors').waitFor()
  })

  it('watches what a request asks for, which says so', async () => {
    const { page } = ada
    const { number } = await dashboard.service.ask<{ number: number }>('POST /change-requests', {
      title: 'Answer at another address',
      operation: {
        kind: 'values',
        body: {
          schemaId: fixture.schemaId,
          changes: [
            {
              environmentId: fixture.environments['production'],
              set: { supportEmail: 'help@example.com' },
            },
          ],
        },
      },
    })
    await ada.go(`/requests/${number}`)
    const words = page.getByRole('main').getByText(/^Watched for /)
    await words.waitFor()
    expect(await words.textContent()).toBe(sentence.replace('api-errors', 'shop-errors'))
  })
})
