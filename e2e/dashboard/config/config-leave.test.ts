import type { Dialog, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createConfigFixture } from './config-fixture.ts'
import { openDashboard, type Dashboard, type Seat } from '../open-dashboard.ts'

let dashboard: Dashboard
let seat: Seat
let page: Page

beforeAll(async () => {
  dashboard = await openDashboard()
  await createConfigFixture(dashboard.service)
})
afterAll(() => dashboard.close())

beforeEach(async () => {
  seat = await dashboard.open()
  page = seat.page
  return () => seat.close()
})

/** The cell of a key, by its column: 1 development, 2 staging, 3 production. */
const cell = (key: string, column: number) => page.locator(`[id="cell-${column}-${key}"]`)

async function keepTyped(text: string): Promise<void> {
  await cell('welcomeText', 2).click()
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Review 1 change' }).waitFor()
}

describe('leaving the matrix', () => {
  it('is asked about by the browser while something is staged, and not otherwise', async () => {
    const asked: string[] = []
    page.on('dialog', (dialog: Dialog) => {
      asked.push(dialog.type())
      void dialog.accept()
    })
    await seat.go('/config')
    await page.reload()
    await page.getByRole('grid').waitFor()
    expect(asked).toEqual([])
    await keepTyped('Hello')
    await page.reload()
    await page.getByRole('button', { name: 'Review 1 change' }).waitFor()
    expect(asked).toEqual(['beforeunload'])
  })

  it('for another screen says what was not saved, and finds it staged on the way back', async () => {
    await seat.go('/config')
    await keepTyped('Not saved yet')
    await page.getByRole('link', { name: 'Timeline', exact: true }).click()
    await page.getByText('1 change not saved. It stays staged in the configuration.').waitFor()
    await page.getByRole('link', { name: 'Configuration', exact: true }).click()
    await page.getByRole('button', { name: 'Review 1 change' }).waitFor()
    expect(await cell('welcomeText', 2).textContent()).toContain('Not saved yet')
  })
})

describe('a secret that is shown', () => {
  const secret = 'the secret of production'
  const reveal = async () => {
    await page.getByRole('button', { name: 'Reveal stripeSecretKey of production' }).click()
    await page.getByText(secret).waitFor()
  }

  it('is hidden again after 30 seconds', async () => {
    await page.clock.install()
    await seat.go('/config')
    await reveal()
    await page.clock.runFor(29_000)
    expect(await page.getByText(secret).count()).toBe(1)
    await page.clock.runFor(2_000)
    await page.getByText(secret).waitFor({ state: 'detached' })
  })

  it('is hidden as soon as the page is', async () => {
    await seat.go('/config')
    await reveal()
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await page.getByText(secret).waitFor({ state: 'detached' })
    expect(seat.complaints()).toEqual([])
  })
})
