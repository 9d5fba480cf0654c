import type { Locator, Page } from 'playwright-core'
import type { Dashboard, Seat } from './open-dashboard.ts'

/** Presses the button of exactly this name. */
export const press = (within: Page | Locator, name: string) =>
  within.getByRole('button', { name, exact: true }).click()

/** Leaves a picture of the screen, and answers what is wrong with it. */
export async function look(seat: Seat, name: string): Promise<readonly string[]> {
  await seat.picture(name)
  return [...(await seat.accessibilityFaults()), ...seat.complaints()]
}

interface LookEverywhere {
  readonly path: string
  /** Of the pictures. */
  readonly name: string
  /** Waits until what the screen is about is there. */
  readonly until: (page: Page) => Promise<unknown>
}

const seats = [
  { suffix: 'light', theme: 'light', width: 1360 },
  { suffix: 'dark', theme: 'dark', width: 1360 },
  { suffix: '390', theme: 'light', width: 390 },
  { suffix: '320', theme: 'dark', width: 320 },
] as const

/** Looks at a screen in both themes and at the width of phones, and answers what is wrong with it, or does not fit. */
export async function lookEverywhere(
  dashboard: Dashboard,
  { path, name, until }: LookEverywhere,
): Promise<readonly string[]> {
  const faults: string[] = []
  for (const { suffix, theme, width } of seats) {
    const seat = await dashboard.open({ theme, width })
    await seat.go(path)
    await until(seat.page)
    const scrolled = await seat.page.evaluate(() => document.documentElement.scrollWidth)
    if (scrolled > width) faults.push(`${name} is ${scrolled} pixels wide at ${width}`)
    faults.push(...(await look(seat, `${name}-${suffix}`)))
    await seat.close()
  }
  return faults
}
