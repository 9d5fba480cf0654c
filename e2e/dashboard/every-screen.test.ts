import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFurnished, screens, type Furnished } from './furnished.ts'
import { measureLaidOut, overhang, smallTargets, strayCells } from './measure-page.ts'
import type { Seat } from './open-dashboard.ts'

let dashboard: Furnished
let member: Seat
let nobody: Seat

beforeAll(async () => {
  dashboard = await openFurnished()
  member = await dashboard.open()
  nobody = await dashboard.open({ session: null })
})
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

/** The file fails if a screen writes to the console, or asks another host. */
describe('every screen', () => {
  it.each(
    screens.map((place, at) => [place.name, at % 2 === 0 ? 'light' : 'dark', place] as const),
  )(
    '%s is accessible, here in the %s theme, and fits a phone with targets of 24 by 24 pixels',
    async (_name, colorScheme, place) => {
      const seat = place.of === 'nobody' ? nobody : member
      const { page } = seat
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width: 1360, height: 860 })
      await dashboard.visit(seat, place)
      expect(await seat.accessibilityViolations()).toEqual([])
      await page.setViewportSize({ width: 320, height: 800 })
      await measureLaidOut(page)
      expect(await overhang(page)).toBe(0)
      expect(await smallTargets(page)).toEqual([])
      expect(await strayCells(page)).toEqual([])
    },
  )
})
