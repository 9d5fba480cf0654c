import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createConfigPlaces, type ConfigPlaces } from './config-places.ts'
import { openDashboard, type Dashboard } from './open-dashboard.ts'

let dashboard: Dashboard
let places: ConfigPlaces

beforeAll(async () => {
  dashboard = await openDashboard()
  places = await createConfigPlaces(dashboard.service)
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
  ['history-promote', () => '/history?panel=promote'],
  ['config-paste', () => '/config?panel=paste'],
  ['config-export', () => '/config?panel=export'],
] as const

describe('the screens around the matrix', () => {
  it.each(['light', 'dark'] as const)(
    'are whole and accessible in the %s theme',
    async (theme) => {
      const seat = await dashboard.open({ theme })
      for (const [name, toPath] of screens) {
        await seat.go(toPath())
        await seat.picture(`${name}-${theme}`)
        expect(await seat.accessibilityFaults(), name).toEqual([])
      }
      expect(seat.complaints()).toEqual([])
      await seat.close()
    },
    120_000,
  )
  it.each([390, 320])('fit %i pixels', async (width) => {
    const seat = await dashboard.open({ width })
    for (const [name, toPath] of screens) {
      await seat.go(toPath())
      if (width === 390) await seat.picture(`${name}-${width}`)
      const scrolled = await seat.page.evaluate(() => document.documentElement.scrollWidth)
      expect(scrolled, name).toBe(width)
    }
    await seat.close()
  })
})
