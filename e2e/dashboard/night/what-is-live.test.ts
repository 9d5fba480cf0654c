import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPipeline } from '../deployments/play-deployments.ts'
import { cutBadges, overhang } from '../measure-page.ts'
import { openDashboard, type Dashboard } from '../open-dashboard.ts'

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

it('takes the focus to no link of the grid that is not seen', async () => {
  const seat = await dashboard.open({ width: 390 })
  const { page } = seat
  await seat.go('')
  const grid = page.getByRole('region', { name: 'What is live' })
  await grid.getByRole('link').first().waitFor()
  const hidden = await grid.locator('a').evaluateAll((links) =>
    links.flatMap((link) => {
      const seen = link.checkVisibility({ visibilityProperty: true })
      const isCut = link.closest('thead') !== null
      return seen && isCut ? [link.textContent] : []
    }),
  )
  expect(hidden).toEqual([])
})

describe('the list of deployments', () => {
  it('shows 18 rows on a screen of 1280 by 800 pixels', async () => {
    const seat = await dashboard.open({ width: 1280 })
    await seat.page.setViewportSize({ width: 1280, height: 800 })
    await seat.go('/deployments')
    const links = seat.page.getByRole('row').getByRole('link')
    await links.first().waitFor()
    const bottoms = await seat.page
      .getByRole('row')
      .filter({ has: seat.page.getByRole('link') })
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().bottom))
    expect(bottoms.filter((bottom) => bottom <= 800).length).toBeGreaterThanOrEqual(18)
  })
})

const widths = [320, 360, 390, 640, 768, 1024, 1100, 1280, 1366, 1600, 1920]
const screens = {
  overview: '',
  deployments: '/deployments?inactive=true',
  environments: '/environments',
}

describe.each(Object.entries(screens))('the screen %s', (name, path) => {
  it('cuts no badge and moves sideways at no width from 320 to 1920', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go(path)
    const faults: string[] = []
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      )
      for (const badge of await cutBadges(page)) faults.push(`${width}: ${badge}`)
      if ((await overhang(page)) > 0) faults.push(`${width}: moves sideways`)
      if ([390, 1280].includes(width)) await seat.picture(`live-${name}-${width}`)
    }
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 1280, height: 800 })
    await seat.picture(`live-${name}-dark`)
    expect(faults).toEqual([])
    expect(await seat.violationsInBothThemes()).toEqual([])
  })
})

it('control: a column that is too narrow for a state is found', async () => {
  const seat = await dashboard.open({ width: 1280 })
  await seat.go('/deployments?inactive=true')
  expect(await cutBadges(seat.page)).toEqual([])
  await seat.page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('main col:first-child { width: 5rem !important }')
    document.adoptedStyleSheets = [sheet]
  })
  expect(await cutBadges(seat.page)).toContainEqual(expect.stringContaining('Rolled back'))
})
