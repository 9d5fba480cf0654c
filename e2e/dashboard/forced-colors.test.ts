import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openFurnished, places, type Furnished } from './furnished.ts'
import type { Seat } from './open-dashboard.ts'
import { press } from './read-focus.ts'

const as = { forcedColors: true } as const

let dashboard: Furnished
let member: Seat
let nobody: Seat

beforeAll(async () => {
  dashboard = await openFurnished()
  member = await dashboard.open(as)
  nobody = await dashboard.open({ ...as, session: null })
}, 120_000)
afterAll(() => dashboard.close())

/** Walks through the page by Tab, and answers what has the focus without a line around it. */
async function unmarked(page: Page): Promise<readonly string[]> {
  const found = new Set<string>()
  for (let presses = 0; presses < 60; presses += 1) {
    await press(page, 'Tab')
    const at = await page.evaluate(() => {
      const element = document.activeElement
      if (element === null || element === document.body) return { isEnd: true, fault: undefined }
      const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element)
      const isMarked = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
      const isSeen = !outlineColor.endsWith(', 0)')
      const name = element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 30)
      const fault = isMarked && isSeen ? undefined : `${element.tagName.toLowerCase()} "${name}"`
      return { isEnd: false, fault }
    })
    if (at.isEnd) break
    if (at.fault !== undefined) found.add(at.fault)
  }
  return [...found]
}

describe('in the colours of the person', () => {
  it.each(places)(
    'whatever has the focus on $name has a line around it',
    async (place) => {
      const seat = place.of === 'nobody' ? nobody : member
      await dashboard.visit(seat, place)
      await seat.picture(`forced-${place.name}`)
      expect(await unmarked(seat.page)).toEqual([])
    },
    60_000,
  )

  it('the walk finds a control without a line', async () => {
    await member.go('/keys')
    await member.page.evaluate(() => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync('main button { outline: none !important }')
      document.adoptedStyleSheets = [sheet]
    })
    expect((await unmarked(member.page)).join()).toContain('New key')
  })
})

describe('in the colours of the person, by its shape alone', () => {
  let seat: Seat
  let page: Page

  beforeEach(async () => {
    seat = await dashboard.open(as)
    page = seat.page
    return () => seat.close()
  })

  const styleOf = (selector: string, property: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)

  it('one tells the cell that has the focus, the one that is staged, and a switch that is on', async () => {
    await seat.go('/config')
    await page.locator('[id="cell-1-apiUrl"]').click()
    expect(await styleOf('[id="cell-1-apiUrl"]', 'outline-style')).toBe('solid')
    expect(await styleOf('[id="cell-2-apiUrl"]', 'outline-style')).toBe('none')
    await page.keyboard.type('https://staged.example.com')
    await press(page, 'Enter')
    await page.locator('[id="cell-1-apiUrl"]').getByText('staged', { exact: true }).waitFor()
    await page.locator('[id="cell-1-apiUrl"] svg').waitFor()
    await page.getByRole('switch', { checked: true }).first().getByText('on').waitFor()
    const knob = (name: string) =>
      page.getByRole('switch', { name }).locator('span > span').boundingBox()
    const off = await knob('newCheckout in development')
    const on = await knob('searchV2 in development')
    expect((on?.x ?? 0) - (off?.x ?? 0)).toBeGreaterThan(8)
    await seat.picture('forced-config-staged')
    await page.getByRole('button', { name: 'secret', exact: false }).first().click()
    await seat.picture('forced-config-tier')
    const [pressed, plain] = [
      await styleOf('[aria-pressed=true]', 'outline-style'),
      await styleOf('[aria-pressed=false]', 'outline-style'),
    ]
    expect([pressed, plain]).toEqual(['solid', 'none'])
  })

  it('one tells a badge from text, the screen that is open in the rail, and one chart bar from another', async () => {
    await seat.go('')
    expect(await styleOf('header span.rounded', 'border-top-width')).toBe('1px')
    expect(await styleOf('nav [aria-current=page]', 'outline-style')).toBe('solid')
    expect(await styleOf('nav a:not([aria-current])', 'outline-style')).toBe('none')
    await page.locator('svg rect').first().waitFor()
    const fills = await page
      .locator('svg rect')
      .evaluateAll((bars) => [...new Set(bars.map((bar) => getComputedStyle(bar).fill))])
    expect(fills.length).toBeGreaterThan(1)
    await page.getByRole('button', { name: 'Account of Ada' }).focus()
    await press(page, 'ArrowDown')
    expect(await styleOf('[role=menuitem]:focus', 'outline-style')).toBe('solid')
    await seat.picture('forced-menu')
    await press(page, 'Escape', 'Control+k')
    await page.getByRole('option').first().waitFor()
    expect(await styleOf('[role=option][aria-selected=true]', 'outline-style')).toBe('solid')
    await seat.picture('forced-palette')
  })
})
