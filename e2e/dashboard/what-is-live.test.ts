import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Dashboard } from './open-dashboard.ts'
import { openWhatIsLive, repositories, titles } from './play-what-is-live.ts'

let dashboard: Dashboard

beforeAll(async () => {
  dashboard = await openWhatIsLive()
})
afterAll(() => dashboard.close())

describe('what is live, with three repositories', () => {
  it('is answered without a click, and each answer leads to its deployment', async () => {
    const seat = await dashboard.open({ width: 1280 })
    const { page } = seat
    await seat.go('')
    const grid = page.getByRole('region', { name: 'What is live' })
    for (const [at, repository] of repositories.entries()) {
      const row = grid
        .getByRole('row')
        .filter({ has: page.getByRole('rowheader', { name: repository }) })
      await row
        .getByRole('link', { name: new RegExp(`production: .*${titles[at] ?? ''}`, 's') })
        .waitFor()
    }
    // The live deployment stays in sight beside one that has failed since.
    const shop = grid.getByRole('row').filter({ hasText: 'acme/shop' })
    await shop.getByRole('link', { name: /^Failed/ }).waitFor()
    expect(await seat.accessibilityViolations()).toEqual([])
    await shop.getByRole('link', { name: /production: / }).click()
    await page.waitForURL('**/acme/deployments/dep_*')
  })
})

describe('the delivery figures', () => {
  it('are shown by repository and environment, say what they mean, and lead to their deployments', async () => {
    const seat = await dashboard.open({ width: 1280 })
    const { page } = seat
    await seat.go('')
    const panel = page.getByRole('region', { name: 'Delivery', exact: true })
    const term = panel.getByRole('button', { name: 'Change fail rate' })
    const definition = panel.getByRole('tooltip').filter({ hasText: 'The share of deployments' })
    await term.focus()
    await definition.waitFor()
    expect(await seat.accessibilityViolations()).toEqual([])
    await seat.picture('delivery-definition')
    await page.keyboard.press('Escape')
    await definition.waitFor({ state: 'hidden' })
    await panel.getByRole('button', { name: /^Show all \d+$/ }).click()
    await page.waitForURL(/figures=all/)
    const row = panel.getByRole('row').filter({ hasText: 'acme/shop in production' })
    await row.getByRole('link', { name: '33.3%' }).click()
    await page.waitForURL(/outcome=failed/)
    // The overview, which has rows of its own that say Failed, stays until the list is there.
    await page.getByLabel('Outcome').waitFor()
    const rows = page.getByRole('row').filter({ has: page.getByRole('link') })
    await rows.filter({ hasText: 'Failed' }).first().waitFor()
    expect(await rows.count()).toBe(1)
    expect(await page.getByLabel('Outcome').inputValue()).toBe('failed')
    expect(await seat.accessibilityViolations()).toEqual([])
    await page.getByLabel('Outcome').selectOption('live')
    await rows.filter({ hasText: 'Superseded' }).first().waitFor()
    await expect.poll(() => rows.count()).toBe(2)
  })
})

describe('the list of deployments', () => {
  it('opens a deployment from anywhere in its row, and by Enter', async () => {
    const seat = await dashboard.open({ width: 1280 })
    const { page } = seat
    await seat.go('/deployments')
    const row = page.getByRole('row').filter({ hasText: 'ABC-23 Change' })
    const box = await row.boundingBox()
    if (box === null) throw new Error('The row is not shown')
    await page.mouse.click(box.x + box.width - 20, box.y + box.height / 2)
    await page.waitForURL('**/acme/deployments/dep_*')
    await page.goBack()
    await row.getByRole('link').focus()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/acme/deployments/dep_*')
    expect(seat.complaints()).toEqual([])
  })
})
