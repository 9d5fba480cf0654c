import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openFurnished, type Furnished } from './furnished.ts'
import type { Seat } from './open-dashboard.ts'
import { settle } from './page/settle.ts'
import { focused, isFocusIn, press, tabTo } from './read-focus.ts'

let dashboard: Furnished
let seat: Seat
let page: Page

beforeAll(async () => {
  dashboard = await openFurnished()
})
afterAll(() => dashboard.close())

beforeEach(async () => {
  seat = await dashboard.open()
  page = seat.page
})

describe('a menu', () => {
  it('opens by arrow keys, moves by them, by Home, End and first letters, and gives the focus back', async () => {
    await seat.go('/keys')
    const button = page.getByRole('button', { name: 'Theme: System' })
    await button.focus()
    await press(page, 'ArrowDown')
    await expect.poll(() => focused(page)).toBe('System')
    await press(page, 'ArrowUp')
    await expect.poll(() => focused(page)).toBe('Dark')
    await press(page, 'ArrowDown')
    await expect.poll(() => focused(page)).toBe('System')
    await press(page, 'End')
    await expect.poll(() => focused(page)).toBe('Dark')
    await press(page, 'Home')
    await expect.poll(() => focused(page)).toBe('System')
    await press(page, 'l')
    await expect.poll(() => focused(page)).toBe('Light')
    await press(page, 'Escape')
    await expect.poll(() => focused(page)).toBe('Theme: System')
    await press(page, 'Enter')
    await expect.poll(() => focused(page)).toBe('System')
    await press(page, 'Escape', 'ArrowUp')
    await expect.poll(() => focused(page)).toBe('Dark')
    await press(page, 'Tab')
    await expect.poll(() => focused(page)).toBe('Account of Ada')
    await expect.poll(() => page.getByRole('menu').count()).toBe(0)
    // Letters in a menu go to its entries, and to no screen.
    await press(page, 'Enter')
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    await expect.poll(() => focused(page)).not.toBe('Account of Ada')
    await press(page, 'g', 'd')
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    expect(page.url()).toMatch(/\/keys$/)
  })
})

describe('a dialog', () => {
  it('begins at its first field, keeps Tab inside, and gives the focus back however it is closed', async () => {
    await seat.go('/keys')
    const ways = [
      () => press(page, 'Escape'),
      () => page.getByRole('button', { name: 'Cancel' }).click(),
      () => page.getByRole('button', { name: 'Close' }).click(),
      () => page.mouse.click(5, 500),
    ]
    await page.getByRole('button', { name: 'New key' }).focus()
    for (const [way, close] of ways.entries()) {
      await press(page, 'Enter')
      await page.getByRole('dialog', { name: 'New API key' }).waitFor()
      await expect.poll(() => focused(page)).toBe('Name')
      await close()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect(await focused(page), `by way ${way}`).toBe('New key')
    }
    await press(page, 'Enter')
    for (const key of ['Tab', 'Shift+Tab']) {
      for (let presses = 0; presses < 12; presses += 1) {
        await press(page, key)
        // Past its end the browser's own controls are, which a page sees as its body.
        expect(await isFocusIn(page, 'dialog, body:not(:focus-within)')).toBe(true)
      }
    }
    await page.getByLabel('Name').fill('by keyboard')
    await press(page, 'Enter')
    await page.getByRole('button', { name: 'I have copied it' }).focus()
    await press(page, 'Enter')
    await page.getByRole('cell', { name: /^by keyboard/ }).waitFor()
    await expect.poll(() => focused(page)).toBe('New key')
  })

  it('that is a drawer to be read begins at its cross, and gives the focus back', async () => {
    await seat.go('/history')
    const opener = page.getByRole('button', { name: /^development v/ }).first()
    await opener.focus()
    const name = await focused(page)
    await press(page, 'Enter')
    await page.getByRole('dialog', { name: 'Changes of this version' }).waitFor()
    await expect.poll(() => focused(page)).toBe('Close')
    await press(page, 'Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toBe(name)
  })
})

describe('messages', () => {
  const saved = '1 change saved in development.'
  /** Turns a flag of development, reviews that and saves it. */
  const turnAndSave = async () => {
    await seat.go('/flags')
    await page.locator('[id="cell-1-searchV2"]').focus()
    await press(page, 'Space', 'Control+s')
    const review = page.getByRole('dialog', { name: 'Review 1 change' })
    await review.waitFor()
    await tabTo(page, 'Save')
    await press(page, 'Enter')
    await page.getByText(saved).waitFor()
    await review.waitFor({ state: 'detached' })
  }

  it('are reached by F6, and give the focus back after their button', async () => {
    await turnAndSave()
    const focusedCell = () => page.evaluate(() => document.activeElement?.id)
    expect(await focusedCell()).toBe('cell-1-searchV2')
    await press(page, 'F6')
    await expect.poll(() => focused(page)).toBe('Undo')
    await press(page, 'Enter')
    await page.getByText('Undone').waitFor()
    await expect.poll(focusedCell).toBe('cell-1-searchV2')
  })

  it('can be reached, pressed and heard while a dialog is open', async () => {
    await turnAndSave()
    await press(page, 'Control+k')
    await page.getByRole('combobox', { name: 'Search or jump to' }).waitFor()
    const region = page.getByRole('region', { name: 'Messages (F6)' })
    const message = region.getByText(saved)
    await message.waitFor()
    await press(page, 'F6')
    await expect.poll(() => focused(page)).toBe('Undo')
    await region.getByRole('button', { name: 'Dismiss' }).click()
    await message.waitFor({ state: 'detached' })
    await expect.poll(() => page.getByRole('dialog').count()).toBe(1)
    await expect.poll(() => focused(page)).toBe('Search or jump to')
  })
})

describe('controls', () => {
  it('that are switches turn by Space', async () => {
    await seat.go('/integrations/codehost')
    const tracked = page.getByRole('switch', { name: 'Track acme/shop' })
    await tracked.focus()
    await press(page, 'Space')
    await page.getByRole('switch', { name: 'Track acme/shop', checked: false }).waitFor()
    await expect.poll(() => focused(page)).toBe('Track acme/shop')
    await press(page, 'Space')
    await page.getByRole('switch', { name: 'Track acme/shop', checked: true }).waitFor()
  })
})

describe('the page', () => {
  it('lets the rail be skipped', async () => {
    await seat.go('/deployments')
    await press(page, 'Tab')
    await expect.poll(() => focused(page)).toBe('Skip to the content')
    const { width } = (await page.getByText('Skip to the content').boundingBox()) ?? { width: 0 }
    expect(width).toBeGreaterThan(24)
    await press(page, 'Enter', 'Tab')
    expect(await isFocusIn(page, 'main')).toBe(true)
    await page.getByRole('heading', { name: 'Deployments', level: 1 }).waitFor()
  })

  it('opens the palette over whatever has the focus, and gives it back', async () => {
    await seat.go('/keys')
    await page.getByRole('button', { name: 'New key' }).focus()
    await press(page, 'Control+k')
    await expect.poll(() => focused(page)).toBe('Search or jump to')
    await press(page, 'Escape')
    await expect.poll(() => focused(page)).toBe('New key')
  })
})

describe('keys of one letter', () => {
  it('go to screens, show what they are, and are for the page alone', async () => {
    await seat.go('')
    await press(page, 'g', 'd')
    await page.getByRole('heading', { name: 'Deployments', level: 1 }).waitFor()
    await press(page, '?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.getByText('g d', { exact: true }).waitFor()
    expect(await seat.accessibilityViolations()).toEqual([])
    await seat.picture('keyboard-help')
    // In a dialog, and in a field, letters are no way out of it.
    await press(page, 'g', 'k', 'Escape')
    await help.waitFor({ state: 'detached' })
    expect(page.url()).toMatch(/\/deployments$/)
    await press(page, 'Control+k')
    await page.keyboard.type('gk?')
    expect(await page.getByRole('combobox', { name: 'Search or jump to' }).inputValue()).toBe('gk?')
    expect(await page.getByRole('dialog').count()).toBe(1)
  })

  it('can be turned off, for those whose voice would press them, and are found again without them', async () => {
    await seat.go('/keys')
    await page.getByRole('button', { name: 'Account of Ada' }).focus()
    await press(page, 'ArrowDown', 'k', 'Enter')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.getByRole('switch', { name: 'Single-key shortcuts' }).focus()
    await press(page, 'Space', 'Escape')
    await help.waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toBe('Account of Ada')
    await press(page, '?', 'g', 'd')
    await page.reload()
    await settle(page)
    await press(page, '?', 'g', 'd')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(page.url()).toMatch(/\/keys$/)
    // Keys with Ctrl go on working.
    await press(page, 'Control+k')
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill('keyboard shortcuts')
    await press(page, 'Enter')
    await help.getByRole('switch', { name: 'Single-key shortcuts', checked: false }).waitFor()
  })
})
