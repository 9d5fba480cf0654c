import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openFurnished, screens, type Furnished } from '../furnished.ts'
import {
  clippedTexts,
  listMisfits,
  measureLaidOut,
  overhang,
  resetText,
  smallTargets,
  spaceText,
  strayCells,
} from '../measure-page.ts'
import type { OpenSeat, Seat } from '../open-dashboard.ts'
import { press } from '../read-focus.ts'

const phone: OpenSeat = { width: 320, theme: 'dark' }

let dashboard: Furnished
let member: Seat
let nobody: Seat

beforeAll(async () => {
  dashboard = await openFurnished()
  member = await dashboard.open(phone)
  nobody = await dashboard.open({ ...phone, session: null })
})
afterAll(() => dashboard.close())

/** Makes the page that of a phone, in its own colors. */
async function narrow(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark', forcedColors: 'none' })
  await page.setViewportSize({ width: 320, height: 800 })
  await resetText(page)
}

/** Makes the page that of a wide window, in its own colors or those of the person. */
async function widen(page: Page, forcedColors: 'none' | 'active' = 'active'): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', forcedColors })
  await page.setViewportSize({ width: 1360, height: 860 })
  await resetText(page)
  await measureLaidOut(page)
}

/**
 * Gives everything in the content that Tab reaches the focus, and answers what cannot be told to have it: what has no line
 * around it that it does not have otherwise. A script that moves the focus which a key has moved shows it as a key does, and a
 * page need not be drawn for each.
 */
async function walk(page: Page): Promise<string> {
  await page.evaluate(() => (document.getElementById('content') ?? document.body).focus())
  await press(page, 'Tab')
  return page.evaluate(() => {
    const start = document.getElementById('content') ?? document.body
    const lineOf = (element: Element) => {
      const { outlineStyle, outlineWidth, outlineOffset, outlineColor } = getComputedStyle(element)
      const isSeen = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
      return isSeen && !/^rgba.*, 0\)$/.test(outlineColor)
        ? `${outlineStyle} ${outlineWidth} ${outlineOffset} ${outlineColor}`
        : 'none'
    }
    // A filter and a row have the line in place of their only control.
    const lineAround = (element: Element): string => {
      const line = lineOf(element)
      const { parentElement } = element
      return line !== 'none' || parentElement === null || parentElement === start
        ? line
        : lineAround(parentElement)
    }
    // Each element is tried, and what is for no key left out: a part that scrolls takes the focus as well.
    const reachable = [...start.querySelectorAll<HTMLElement>('*:not([tabindex="-1"])')]
    let reached = 0
    const faults = reachable.flatMap((element) => {
      element.focus()
      if (document.activeElement !== element) return []
      reached += 1
      const line = element.matches(':focus-visible') ? lineAround(element) : 'none'
      element.blur()
      // Without the focus it may have a line as well, such as what is chosen among others: another one.
      if (line !== 'none' && line !== lineAround(element)) return []
      const name = element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 30)
      return [`${element.tagName.toLowerCase()} "${name}"`]
    })
    if (reached === 0) faults.push('nothing takes the focus')
    return [...new Set(faults)].join(', ')
  })
}

describe('every screen', () => {
  it.each(screens)(
    '$name cuts nothing from 320 to 1920 pixels nor enlarged to 200%, has targets of 24 by 24 pixels on a phone, is accessible there in the dark, and wide in the light and in the colors of the person, in which what has the focus has a line around it',
    async (place) => {
      const seat = place.of === 'nobody' ? nobody : member
      const { page } = seat
      await narrow(page)
      await dashboard.visit(seat, place)
      await seat.picture(`phone-${place.name}-320-dark`)
      expect(await smallTargets(page)).toEqual([])
      expect(await strayCells(page)).toEqual([])
      expect(await seat.accessibilityViolations()).toEqual([])
      expect(await listMisfits(page)).toEqual([])
      // A window of 1280 pixels at 200%, with text as far apart as people may set it.
      await page.setViewportSize({ width: 640, height: 800 })
      await spaceText(page)
      expect(await overhang(page)).toBe(0)
      expect(await clippedTexts(page)).toEqual([])
      await widen(page, 'none')
      expect(await seat.colourViolations('main')).toEqual([])
      await widen(page)
      await seat.picture(`forced-${place.name}`)
      expect(await seat.accessibilityViolations()).toEqual([])
      expect(await walk(page)).toBe('')
    },
  )

  it('is measured by what finds a page that is too wide, a small target, a stray cell and a text that is cut', async () => {
    const { page } = member
    await narrow(page)
    await member.go('/keys')
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

  it('is walked by what finds a control without a line, and one whose line is always there', async () => {
    const { page } = member
    await widen(page)
    await member.go('/keys')
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(`
        main header button { outline: none !important }
        main td button { outline: 2px solid Highlight !important; outline-offset: 0 !important }`)
      document.adoptedStyleSheets = [sheet]
    })
    expect(await walk(page)).toMatch(/"New key".*"Actions for/)
  })
})

describe('the sidebar on a phone', () => {
  it('is behind a button, leads to a screen and goes away', async () => {
    const { page } = member
    await narrow(page)
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

describe('in the colors of the person, by its shape alone', () => {
  let seat: Seat
  let page: Page

  beforeEach(async () => {
    seat = await dashboard.open({ forcedColors: true })
    page = seat.page
    return () => seat.close()
  })

  const styleOf = (selector: string, property: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)
  const lines = (...selectors: readonly string[]) =>
    Promise.all(selectors.map((selector) => styleOf(selector, 'outline-style')))

  it('one tells the cell that has the focus, the one that is staged, and a switch that is on', async () => {
    await seat.go('/config')
    await page.locator('[id="cell-1-apiUrl"]').click()
    expect(await lines('[id="cell-1-apiUrl"]', '[id="cell-2-apiUrl"]')).toEqual(['solid', 'none'])
    await page.keyboard.type('https://staged.example.com')
    await press(page, 'Enter')
    const staged = page.locator('[id="cell-1-apiUrl"]')
    await staged.getByText('staged', { exact: true }).waitFor()
    await staged.locator('svg').waitFor()
    const knob = (name: string) =>
      page.getByRole('switch', { name }).locator('span > span').boundingBox()
    const off = await knob('newCheckout in development')
    const on = await knob('searchV2 in development')
    expect((on?.x ?? 0) - (off?.x ?? 0)).toBeGreaterThan(8)
    const fillOf = (name: string) =>
      styleOf(`[role=switch][aria-label="${name} in development"] > span`, 'background-color')
    expect(await fillOf('searchV2')).not.toBe(await fillOf('newCheckout'))
    await page.getByRole('switch', { name: 'searchV2 in development' }).getByText('on').waitFor()
    const drawn = page.getByRole('button', { name: /^(Actions for|Reveal) / })
    const pictures = await drawn.evaluateAll((buttons) =>
      buttons.map((button) => getComputedStyle(button, '::before').backgroundImage),
    )
    expect(pictures.length).toBeGreaterThan(8)
    expect(pictures.filter((picture) => !picture.includes('gradient'))).toEqual([])
    await seat.picture('forced-config-staged')
    await page.getByRole('button', { name: 'secret', exact: true }).click()
    expect(await lines('[aria-pressed=true]', '[aria-pressed=false]')).toEqual(['solid', 'none'])
  })

  it('one tells a badge from text, the screen that is open from the others, and one part of a bar from another', async () => {
    await seat.go('')
    expect(await styleOf('main span.rounded', 'border-top-style')).toBe('solid')
    expect(await lines('nav [aria-current=page]', 'nav a:not([aria-current])')).toEqual([
      'solid',
      'none',
    ])
    const bars = page.getByRole('img', { name: /^\d+ deployments? in / }).locator('rect[fill]')
    await bars.first().waitFor()
    const textures = await bars.evaluateAll((parts) =>
      parts.map((part) => {
        const id = part.getAttribute('fill')?.slice('url(#'.length, -1) ?? ''
        return [...(document.getElementById(id)?.children ?? [])].map(({ tagName }) => tagName)
      }),
    )
    expect(textures).toEqual([['rect'], ['rect', 'path']])
    // Of the person's two colors, not of this page's own, which would be lost on a ground that nobody here has seen.
    const [ground, ink] = [
      await styleOf('body', 'background-color'),
      await styleOf('body', 'color'),
    ]
    expect(ground).not.toBe(ink)
    expect([
      await styleOf('pattern rect', 'fill'),
      await styleOf('pattern path', 'stroke'),
    ]).toEqual([ink, ground])
  })

  it('one tells the entry that is meant in a menu and in the palette, and where each of them ends', async () => {
    await seat.go('')
    await page.getByRole('button', { name: 'Account of Ada' }).focus()
    await press(page, 'ArrowDown')
    expect(await lines('[role=menuitem]:focus', '[role=menuitem]:not(:focus)')).toEqual([
      'solid',
      'none',
    ])
    expect(await styleOf('[role=menu]:popover-open', 'border-top-style')).toBe('solid')
    await seat.picture('forced-menu')
    await press(page, 'Escape', 'Control+k')
    // The charts behind the palette have options of their own, in their filters.
    await page.getByRole('dialog').getByRole('option').first().waitFor()
    expect(
      await lines('[role=option][aria-selected=true]', '[role=option][aria-selected=false]'),
    ).toEqual(['solid', 'none'])
    expect(await styleOf('dialog', 'border-top-style')).toBe('solid')
    await seat.picture('forced-palette')
  })
})
