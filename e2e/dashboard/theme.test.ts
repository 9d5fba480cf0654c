import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDashboard, type Dashboard, type Seat } from './open-dashboard.ts'
import { choose, goTo } from './people/play-people.ts'

let dashboard: Dashboard

beforeAll(async () => {
  dashboard = await openDashboard()
})
afterAll(() => dashboard.close())

/** Between 0, black, and 255. */
const groundOf = (page: Page) =>
  page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d')
    if (canvas === null) throw new Error('There is no canvas')
    canvas.fillStyle = getComputedStyle(document.body).backgroundColor
    canvas.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data
    return (red + green + blue) / 3
  })

const isDark = async (page: Page) => (await groundOf(page)) < 64
const isLight = async (page: Page) => (await groundOf(page)) > 200

describe('the theme', () => {
  it('that was chosen counts over the system, before anything is drawn, and until another is chosen', async () => {
    const seat: Seat = await dashboard.open({ theme: 'light' })
    const { page } = seat
    await seat.go('')
    expect(await isLight(page)).toBe(true)
    await choose(page, 'Theme: System', 'Dark')
    expect(await isDark(page)).toBe(true)
    // Without the program of the page: what the first paint shows.
    await page.route('**/*', (route) =>
      /\/assets\/(?!theme).*\.js$/.test(new URL(route.request().url()).pathname)
        ? route.abort()
        : route.continue(),
    )
    await page.reload()
    expect(await page.locator('h1').count()).toBe(0)
    expect(await isDark(page)).toBe(true)
    await page.unroute('**/*')
    await seat.load('')
    expect(await isDark(page)).toBe(true)
    await choose(page, 'Theme: Dark', 'System')
    expect(await isLight(page)).toBe(true)
  })

  it('of a dark system may be chosen light where one signs in, and stays', async () => {
    const seat = await dashboard.open({ theme: 'dark', session: null })
    const { page } = seat
    await goTo(dashboard, seat, '/login')
    expect(await isDark(page)).toBe(true)
    await choose(page, 'Theme: System', 'Light')
    expect(await isLight(page)).toBe(true)
    await goTo(dashboard, seat, '/login')
    await page.getByRole('button', { name: 'Theme: Light' }).waitFor()
    expect(await isLight(page)).toBe(true)
  })
})
