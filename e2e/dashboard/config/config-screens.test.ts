import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createConfigFixture, type ConfigFixture } from './config-fixture.ts'
import { measureLaidOut } from '../measure-page.ts'
import { openDashboard, type Dashboard, type Seat } from '../open-dashboard.ts'

let dashboard: Dashboard
let places: ConfigFixture
let seat: Seat
let page: Page

beforeAll(async () => {
  dashboard = await openDashboard()
  places = await createConfigFixture(dashboard.service)
  seat = await dashboard.open()
  page = seat.page
})
afterAll(() => dashboard.close())

const screens = [
  ['flags', () => '/flags'],
  ['schemas', () => '/schemas'],
  ['schema', () => `/schemas?schema=${places.schemaId}`],
  ['schema-definition', () => `/schemas?schema=${places.schemaId}&view=definition`],
  ['schema-change', () => `/schemas?schema=${places.schemaId}&view=change`],
  ['environments', () => '/environments'],
  ['environments-create', () => '/environments?panel=create'],
  ['history', () => '/history'],
  ['config-promote', () => '/config?panel=promote'],
  ['config-paste', () => '/config?panel=paste'],
  ['config-export', () => '/config?panel=export'],
  ['config-add', () => '/config?panel=add'],
  ['config-copy', () => '/config?panel=copy&key=apiUrl&from=production'],
  ['config-about', () => '/config?panel=about&key=apiUrl'],
] as const

it.each(screens)(
  '%s is whole, is accessible in both themes, and does not scroll sideways on a phone',
  async (name, toPath) => {
    await page.setViewportSize({ width: 1360, height: 860 })
    await page.emulateMedia({ colorScheme: 'light' })
    await seat.go(toPath())
    await seat.picture(`${name}-light`)
    expect(await seat.accessibilityViolations()).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    await seat.picture(`${name}-dark`)
    expect(await seat.colourViolations()).toEqual([])
    await page.setViewportSize({ width: 320, height: 800 })
    expect(await measureLaidOut(page)).toBe(320)
    await seat.picture(`${name}-320`)
    expect(seat.complaints()).toEqual([])
  },
)
