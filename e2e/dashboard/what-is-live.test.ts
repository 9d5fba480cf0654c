import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPipeline } from './deployments/play-deployments.ts'
import { cutBadges, overhang } from './measure-page.ts'
import { openDashboard, type Dashboard } from './open-dashboard.ts'
import { settle } from './page/settle.ts'

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

  it('is answered by the list for one repository, which the address names', async () => {
    const seat = await dashboard.open({ width: 1280 })
    const { page } = seat
    await seat.go('/deployments')
    await page.getByLabel('Repository').selectOption('acme/payments-api')
    await page.waitForURL(/repository=acme/)
    await page.getByRole('row').getByText('acme/shop').first().waitFor({ state: 'detached' })
    await page.reload()
    await settle(page)
    expect(await page.getByLabel('Repository').inputValue()).toBe('acme/payments-api')
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

  it('keeps every row on one line, with a test run in doubt and a message that waits', async () => {
    const { asOwner, orgId } = dashboard.service
    const { test } = openPipeline(dashboard.service)
    const [row] = await asOwner<{ id: string }>(
      `select id from deployments where org_id = $1 and commit_message = 'ABC-22 Change'`,
      [orgId],
    )
    const id = row?.id ?? ''
    await test(id, { failed: 12 })
    await asOwner(`update test_runs set flaky = 3 where org_id = $1 and deployment_id = $2`, [
      orgId,
      id,
    ])
    await asOwner(
      `insert into notifications (org_id, id, subject_kind, subject_id, state, reason)
        values ($1, 'ntf_' || $2, 'deployment', $2, 'held', 'not_in_channel')
        on conflict (org_id, subject_kind, subject_id, route_id) do update set state = 'held'`,
      [orgId, id],
    )
    const seat = await dashboard.open({ width: 1280 })
    const { page } = seat
    await seat.go('/deployments')
    await page.getByText('Message waiting').waitFor()
    const rows = page.getByRole('row').filter({ has: page.getByRole('link') })
    const heights = await rows.evaluateAll((all) =>
      all.map((one) => Math.round(one.getBoundingClientRect().height)),
    )
    expect(new Set(heights)).toEqual(new Set([35]))
    expect(await cutBadges(page)).toEqual([])
    const middleOf = (selector: string) =>
      page.evaluate((within) => {
        const box = document.querySelector(within)?.getBoundingClientRect()
        return box === undefined ? Number.NaN : box.top + box.height / 2
      }, selector)
    const bar = 'section[aria-label=Filters]'
    const [box, label, chip] = [
      await middleOf(`${bar} input[type=checkbox]`),
      await middleOf(`${bar} input[type=checkbox] + span`),
      await middleOf(`${bar} select`),
    ]
    expect(Math.abs(box - chip)).toBeLessThanOrEqual(1)
    expect(Math.abs(label - chip)).toBeLessThanOrEqual(1)
    await seat.picture('live-deployments-two-badges')
  })

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

  it('explains the states on request', async () => {
    const seat = await dashboard.open()
    await seat.go('/deployments')
    await seat.page.getByText('What the states mean').click()
    await seat.page.getByText('waits for an approval or a timer').waitFor()
    expect(await seat.accessibilityViolations()).toEqual([])
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
