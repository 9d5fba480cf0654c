import type { Locator, Page } from 'playwright-core'
import { isNight } from '../is-night.ts'
import { measureLaidOut } from './measure-page.ts'
import type { Seat } from './open-dashboard.ts'

/** Presses the button of exactly this name. */
export const press = (within: Page | Locator, name: string) =>
  within.getByRole('button', { name, exact: true }).click()

/** Names the part that is looked at. What stands around it, and behind a dialog, `every-screen.test.ts` examines. */
const findPart = async ({ page }: Seat): Promise<'dialog[open]' | 'main'> =>
  (await page.locator('dialog[open]').count()) > 0 ? 'dialog[open]' : 'main'

/**
 * Leaves a picture of the screen, and answers what is wrong with it; with an open dialog in both themes. By day axe examines
 * dialogs alone: `every-screen.test.ts` examines each screen as it is first shown.
 */
export async function look(seat: Seat, name: string): Promise<readonly string[]> {
  const part = await findPart(seat)
  await seat.picture(name)
  if (part === 'dialog[open]')
    return [...(await seat.violationsInBothThemes(part)), ...seat.complaints()]
  return [...(isNight ? await seat.accessibilityViolations(part) : []), ...seat.complaints()]
}

/** The first and the third have different elements. The other two differ from them in colours, and in where lines break. */
const viewports = [
  { suffix: 'light', theme: 'light', width: 1360, isNew: true },
  { suffix: 'dark', theme: 'dark', width: 1360, isNew: false },
  { suffix: '390', theme: 'light', width: 390, isNew: true },
  { suffix: '320', theme: 'dark', width: 320, isNew: false },
] as const

/**
 * Looks at what a seat shows in both themes, wide and as on a phone, and answers what is wrong with it, or does not fit. It
 * is the page as it stands, with what is open and typed on it, and it stays as on the smallest phone. By day it is looked at
 * once, and fits that phone.
 */
export async function lookEverywhere(seat: Seat, name: string): Promise<readonly string[]> {
  const { page } = seat
  const part = await findPart(seat)
  const violations = new Set<string>(isNight ? [] : await look(seat, name))
  for (const { suffix, theme, width, isNew } of isNight ? viewports : viewports.slice(-1)) {
    await page.emulateMedia({ colorScheme: theme })
    await page.setViewportSize({ width, height: width < 500 ? 800 : 860 })
    const scrolled = await measureLaidOut(page)
    if (scrolled > width) violations.add(`${name} is ${scrolled} pixels wide at ${width}`)
    if (!isNight) continue
    await seat.picture(`${name}-${suffix}`)
    const found = await (isNew ? seat.accessibilityViolations(part) : seat.colourViolations(part))
    for (const violation of [...found, ...seat.complaints()])
      violations.add(`${suffix}: ${violation}`)
  }
  return [...violations]
}
