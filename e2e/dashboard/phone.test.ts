import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFurnished, screens, type Furnished } from './furnished.ts'
import {
  clippedTexts,
  listMisfits,
  overhang,
  resetText,
  smallTargets,
  spaceText,
  strayCells,
} from './measure-page.ts'
import type { OpenSeat, Seat } from './open-dashboard.ts'

const phone: OpenSeat = { width: 320, theme: 'dark' }

let dashboard: Furnished
let member: Seat
let nobody: Seat

beforeAll(async () => {
  dashboard = await openFurnished()
  member = await dashboard.open(phone)
  nobody = await dashboard.open({ ...phone, session: null })
}, 120_000)
afterAll(() => dashboard.close())

const furnished = [
  ['notifications', 'Failures'],
  ['codehost', 'e2e.yml'],
  ['webhooks', 'The disk is full'],
  ['account', 'laptop'],
] as const

describe('what stands in tables of their own', () => {
  it.each(furnished)('is there to be measured: %s', async (name, text) => {
    const place = screens.find((one) => one.name === name)
    if (place === undefined) throw new Error(`There is no place called ${name}`)
    await dashboard.visit(member, place)
    const shown = member.page.getByRole('main').getByText(text).first()
    await expect.poll(() => shown.isVisible()).toBe(true)
  })
})

describe('every screen', () => {
  it.each(screens)(
    '$name cuts nothing from 320 to 1920 pixels nor enlarged to 200%, has targets of 24 by 24 pixels on a phone, and is accessible there in both themes',
    async (place) => {
      const seat = place.of === 'nobody' ? nobody : member
      const { page } = seat
      await page.setViewportSize({ width: 320, height: 800 })
      await resetText(page)
      await dashboard.visit(seat, place)
      await seat.picture(`phone-${place.name}-320-dark`)
      expect(await smallTargets(page)).toEqual([])
      expect(await strayCells(page)).toEqual([])
      expect(await seat.violationsInBothThemes()).toEqual([])
      expect(await listMisfits(page)).toEqual([])
      // A window of 1280 pixels at 200%, with text as far apart as people may set it.
      await page.setViewportSize({ width: 640, height: 800 })
      await spaceText(page)
      expect(await overhang(page)).toBe(0)
      expect(await clippedTexts(page)).toEqual([])
      expect(seat.complaints()).toEqual([])
    },
  )

  it('is measured by what finds a page that is too wide, a small target, a stray cell and a text that is cut', async () => {
    const { page } = member
    await member.go('/keys')
    await page.setViewportSize({ width: 320, height: 800 })
    await page.evaluate(() => {
      const wide = Object.assign(document.createElement('button'), { textContent: 'small' })
      Object.assign(wide.style, { width: '400px', height: '20px' })
      const cut = Object.assign(document.createElement('p'), { textContent: 'long '.repeat(20) })
      Object.assign(cut.style, { width: '50px', overflow: 'hidden', whiteSpace: 'nowrap' })
      // The sidebar leads to the deployments as well, and nothing else leads to the other address.
      const bars = document.createElement('div')
      bars.ariaHidden = 'true'
      for (const address of ['/acme/deployments', '/acme/nowhere-else']) {
        const bar = Object.assign(document.createElement('a'), { href: address })
        Object.assign(bar.style, { display: 'block', width: '6px', height: '140px' })
        bars.append(bar)
      }
      document.querySelector('main')?.append(wide, cut, bars)
      const cells = document.querySelectorAll<HTMLElement>('td')
      cells[1]?.style.setProperty('--column-2', '"Colour"')
      if (cells[2] !== undefined) cells[2].style.width = '400px'
    })
    expect(await strayCells(page)).toEqual([
      expect.stringContaining('Kind: Colour'),
      expect.stringMatching(/^Access: Access, 400 wide, to 4/),
    ])
    expect(await overhang(page)).toBeGreaterThan(0)
    expect(await smallTargets(page)).toEqual(['button "small" 400x20', 'a "" 6x140'])
    expect(await clippedTexts(page)).toHaveLength(1)
    await page.evaluate(() => {
      const badge = document.querySelector<HTMLElement>('main [data-badge]')
      const text = badge?.querySelector<HTMLElement>('[data-badge-text]')
      if (text) text.style.maxWidth = '20px'
    })
    const misfits = await listMisfits(page)
    expect(misfits).toContainEqual(expect.stringMatching(/^at 320 the page is \d+ wide$/))
    expect(misfits).toContainEqual(expect.stringMatching(/^at 1920 the badge ".+" is cut$/))
    expect(misfits).toContainEqual(expect.stringContaining('at 1920 cut: p "long long'))
    expect(page.viewportSize()).toEqual({ width: 320, height: 800 })
  })
})

describe('the sidebar on a phone', () => {
  it('is behind a button, leads to a screen and goes away', async () => {
    const { page } = member
    await page.setViewportSize({ width: 320, height: 800 })
    await member.go('')
    await page.getByRole('button', { name: 'Navigation' }).click()
    const sidebar = page.locator('#sidebar')
    await sidebar.getByRole('link', { name: 'Deployments' }).waitFor()
    await member.picture('phone-rail-320')
    expect(await member.accessibilityViolations()).toEqual([])
    await sidebar.getByRole('link', { name: 'Deployments' }).click()
    await page.getByRole('heading', { name: 'Deployments', level: 1 }).waitFor()
    await sidebar.waitFor({ state: 'hidden' })
  })
})
