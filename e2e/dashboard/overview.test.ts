import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { look } from './look.ts'
import { openDashboard, type Dashboard } from './open-dashboard.ts'
import { hostileText, openPipeline } from './deployments/play-deployments.ts'

let dashboard: Dashboard

beforeAll(async () => {
  dashboard = await openDashboard()
})
afterAll(() => dashboard.close())

describe('the overview of an organization in which nothing happened', () => {
  it('leads through the set-up, in both themes', async () => {
    const seat = await dashboard.open()
    await seat.go('')
    const setUp = seat.page.getByRole('region', { name: 'Set up' })
    await setUp.getByText('0 of 5').waitFor()
    expect(await setUp.getByRole('listitem').count()).toBe(5)
    await seat.page.getByText('No deployments in this period').waitFor()
    expect(await look(seat, 'overview-empty')).toEqual([])
    await setUp.getByRole('link').first().click()
    await seat.page.waitForURL('**/acme/integrations/codehost')
  })
})

describe('the overview', () => {
  beforeAll(async () => {
    const { deploy, test, age } = openPipeline(dashboard.service)
    const pace = [0, 0, 0, 1, 2, 2, 3, 5, 8, 8, 9, 12, 13, 13, 13, 20, 21, 25]
    for (const [at, days] of pace.toReversed().entries()) {
      const failsToDeploy = at % 7 === 3
      const environment = ['development', 'staging', 'production'][at % 3] ?? 'staging'
      const id = await deploy({ environment, state: failsToDeploy ? 'failure' : 'success' })
      if (!failsToDeploy) await test(id, { failed: at % 5 === 0 ? 3 : 0 })
      await age(id, days)
    }
    await deploy({ environment: 'production', state: 'in_progress', message: hostileText })
  })

  it('shows what is where, and how it went, in both themes', async () => {
    const seat = await dashboard.open()
    await seat.go('')
    const { page } = seat
    const cards = page.getByRole('region', { name: 'Environments' }).getByRole('article')
    await cards.filter({ hasText: 'production' }).getByText('Running').waitFor()
    await cards.filter({ hasText: 'staging' }).getByText('412 passed').waitFor()
    // The pictures say what they show to who does not see them.
    await page.getByRole('img', { name: /18 deployments in 30 days, 3 failed\./ }).waitFor()
    await page
      .getByRole('img', {
        name: /^15 test runs: 3 did not pass, 0 had flaky tests. Pass rate: 99.9%/,
      })
      .waitFor()
    await page.getByRole('img', { name: /^Test runs took between 74 s and 77 s/ }).waitFor()
    expect(await look(seat, 'overview')).toEqual([])
  })

  it('keeps what it shows in the address, and has the numbers as a table', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go('')
    await page.getByRole('button', { name: '7 days' }).click()
    await page.waitForURL('**/acme?days=7')
    await page.getByRole('img', { name: /in 7 days/ }).waitFor()
    const panel = page.getByRole('region', { name: 'Deployments per day' }).first()
    await panel.getByText('Show as table').click()
    await expect.poll(() => panel.getByRole('row').count()).toBe(8)
    expect(await seat.accessibilityViolations()).toEqual([])
    await panel.getByRole('row').nth(1).getByRole('link').click()
    await page.waitForURL('**/acme/deployments?from=*')
  })

  it('has bars that say what they stand for, and lead there', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go('?repository=acme%2Fshop')
    const panel = page.getByRole('region', { name: 'Deployments per day' }).first()
    await panel.getByRole('img').waitFor()
    const today = panel.locator('a[tabindex="-1"]').last()
    await today.hover()
    await today.getByText(/deployments?, \d+ failed/).waitFor()
    await seat.picture('overview-tooltip')
    await today.click()
    await page.waitForURL(/deployments\?repository=acme.*&from=/)
    await page.goBack()
    const tests = page.getByRole('region', { name: 'Tests per deployment' }).first()
    await tests.locator('a[tabindex="-1"]').first().click()
    await page.waitForURL('**/acme/deployments/dep_*')
    expect(seat.complaints()).toEqual([])
  })
})
