import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connectAll } from '../../../packages/server/src/start/testing/connect-organization.ts'
import { openShop } from '../../../packages/server/src/start/testing/play-push.ts'
import { look } from '../look.ts'
import { openDashboard, type Dashboard, type Seat } from '../open-dashboard.ts'
import { noonZone } from '../page/noon-zone.ts'
import { openPipeline } from './play-deployments.ts'

let dashboard: Dashboard
let seat: Seat
let page: Page

beforeAll(async () => {
  dashboard = await openDashboard()
  const { service } = dashboard
  openShop(service.sandbox)
  await connectAll(service)
  await service.ask('PATCH /integrations/chat', {
    defaultChannelId: service.sandbox.slack.channelId('deployments'),
  })
  const pipeline = openPipeline(service)
  const old = await pipeline.deploy({ message: 'Long ago' })
  await pipeline.test(old, { failed: 3 })
  await pipeline.age(old, 3)
  const replaced = await pipeline.deploy({ state: 'in_progress', message: 'Never went live' })
  await service.asOwner(
    `update deployments set state = 'superseded', finished_at = null where org_id = $1 and id = $2`,
    [service.orgId, replaced],
  )
  await pipeline.deploy({ environment: 'production', message: 'Of production' })
  const newest = await pipeline.deploy({ message: 'ABC-1 Keep the currency' })
  await pipeline.test(newest, {})
})
afterAll(() => dashboard.close())
beforeEach(async () => {
  seat = await dashboard.open({ timeZone: noonZone() })
  page = seat.page
  return () => seat.close()
})

const row = (name: string) => page.getByRole('row').filter({ hasText: name })

/** The titles that are listed, in their order. */
async function sees(...titles: readonly string[]): Promise<void> {
  const links = page.locator('tr a[href*="/deployments/dep_"]')
  await expect.poll(() => links.allInnerTexts()).toEqual(titles)
}

/** The reader's day, so many days ago, as a field of dates has it. */
const dayBefore = (days: number) =>
  page.evaluate((back) => {
    const day = new Date()
    day.setDate(day.getDate() - back)
    const two = (part: number) => String(part).padStart(2, '0')
    return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
  }, days)

describe('the list of deployments', () => {
  it('says of each one its tests with their numbers and its issues, and nothing of a message that is sent', async () => {
    await seat.go('/deployments')
    const filled = row('ABC-1 Keep the currency')
    await filled.getByRole('cell', { name: '412 passed' }).waitFor()
    await filled.getByText('ABC-1', { exact: true }).waitFor()
    await expect.poll(() => filled.getByText(/^Message/).count()).toBe(0)
    await row('Long ago').getByText('3 failing').waitFor()
    expect(await look(seat, 'deployments-filled')).toEqual([])
  })

  it('is narrowed by environment and by days, and shows what was replaced when that is asked for', async () => {
    await seat.go('/deployments')
    const all = ['ABC-1 Keep the currency', 'Of production', 'Long ago']
    await sees(...all)
    await page.getByLabel('Environment', { exact: true }).selectOption({ label: 'production' })
    await page.waitForURL(/environment=env_/)
    await sees('Of production')
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    const date = page.getByLabel('Date', { exact: true })
    await date.selectOption('7')
    await page.waitForURL(/from=/)
    await date.selectOption('custom')
    await page.getByLabel('From', { exact: true }).fill(await dayBefore(1))
    await page.waitForURL(/from=/)
    await sees('ABC-1 Keep the currency', 'Of production')
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await date.selectOption('custom')
    await page.getByLabel('To', { exact: true }).fill(await dayBefore(1))
    await page.waitForURL(/to=/)
    await sees('Long ago')
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await sees(...all)
    await page.getByLabel('Include inactive').check()
    await page.waitForURL(/inactive=true/)
    await sees('ABC-1 Keep the currency', 'Of production', 'Never went live', 'Long ago')
    expect(seat.complaints()).toEqual([])
  })
})
