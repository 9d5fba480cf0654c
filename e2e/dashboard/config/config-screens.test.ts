import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createConfigFixture, type ConfigFixture } from './config-fixture.ts'
import { openDashboard, type Dashboard, type Seat } from '../open-dashboard.ts'

let dashboard: Dashboard
let places: ConfigFixture

beforeAll(async () => {
  dashboard = await openDashboard()
  places = await createConfigFixture(dashboard.service)
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

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  let seat: Seat
  beforeAll(async () => {
    seat = await dashboard.open({ theme })
  })
  afterAll(() => seat.close())

  it.each(screens)('%s is whole and accessible', async (name, toPath) => {
    await seat.go(toPath())
    await seat.picture(`${name}-${theme}`)
    expect(await seat.accessibilityFaults()).toEqual([])
    expect(seat.complaints()).toEqual([])
  })
})

describe('on a phone', () => {
  let seat: Seat
  beforeAll(async () => {
    seat = await dashboard.open({ width: 320 })
  })
  afterAll(() => seat.close())

  it.each(screens)('%s does not scroll sideways', async (name, toPath) => {
    await seat.go(toPath())
    await seat.picture(`${name}-320`)
    expect(await seat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  })
})
