import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cutBadges, overhang } from '../measure-page.ts'
import type { Dashboard } from '../open-dashboard.ts'
import { openWhatIsLive } from '../play-what-is-live.ts'

let dashboard: Dashboard

beforeAll(async () => {
  dashboard = await openWhatIsLive()
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
