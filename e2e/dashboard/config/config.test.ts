import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createConfigFixture } from './config-fixture.ts'
import { openDashboard, type Dashboard } from '../open-dashboard.ts'

let dashboard: Dashboard

beforeAll(async () => {
  dashboard = await openDashboard()
  await createConfigFixture(dashboard.service)
})
afterAll(() => dashboard.close())

describe('the matrix', () => {
  it.each(['light', 'dark'] as const)('is whole and accessible in the %s theme', async (theme) => {
    const seat = await dashboard.open({ theme })
    await seat.go('/config')
    await seat.page.getByRole('grid').waitFor()
    await seat.picture(`config-${theme}`)
    expect(await seat.accessibilityViolations()).toEqual([])
    expect(seat.complaints()).toEqual([])
    await seat.close()
  })
  it('fits a phone', async () => {
    const seat = await dashboard.open({ width: 390 })
    await seat.go('/config')
    await seat.page.getByRole('grid').waitFor()
    await seat.picture('config-390')
    expect(await seat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await seat.close()
  })
})
