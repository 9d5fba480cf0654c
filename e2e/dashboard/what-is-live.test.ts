import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPipeline } from './deployments/play-deployments.ts'
import { openDashboard, type Dashboard } from './open-dashboard.ts'

let dashboard: Dashboard

const titles = [
  'ABC-1 Keep the currency of the basket',
  'ABC-2 Show the delivery date on each item of the basket, and on the page of the order',
  'Round the tax',
]
const repositories = ['acme/shop', 'acme/payments-api', 'acme/warehouse-management']
const environments = ['development', 'staging', 'production']

beforeAll(async () => {
  dashboard = await openDashboard()
  const { deploy, test, age } = openPipeline(dashboard.service)
  for (const [at, repository] of repositories.entries()) {
    for (const environment of environments) {
      const former = await deploy({ repository, environment, message: 'Begin' })
      await age(former, 2)
      const id = await deploy({ repository, environment, message: titles[at] ?? '' })
      await test(id, { failed: at })
      await age(id, at)
    }
  }
  await deploy({ repository: 'acme/shop', environment: 'production', state: 'failure' })
  await deploy({
    repository: 'acme/payments-api',
    state: 'in_progress',
    ref: 'feat/' + 'x'.repeat(60),
  })
  const { asOwner, orgId } = dashboard.service
  await asOwner(
    `update deployments set state = 'rolled_back' where org_id = $1 and id in (
       select id from deployments where org_id = $1 and state = 'superseded' order by id limit 2)`,
    [orgId],
  )
  await asOwner(
    `update test_runs set flaky = 3 where org_id = $1 and id in (
       select id from test_runs where org_id = $1 order by id limit 3)`,
    [orgId],
  )
  // Enough for a screen of them.
  for (let n = 0; n < 24; n += 1) {
    await deploy({
      repository: repositories[n % 3] ?? '',
      environment: 'development',
      message: `ABC-${n} Change`,
    })
  }
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
