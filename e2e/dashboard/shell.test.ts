import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDashboard, type Dashboard } from './open-dashboard.ts'

let dashboard: Dashboard

beforeAll(async () => {
  dashboard = await openDashboard()
})
afterAll(() => dashboard.close())

describe('the shell', () => {
  it.each(['light', 'dark'] as const)('is whole and accessible in the %s theme', async (theme) => {
    const seat = await dashboard.open({ theme })
    await seat.go('')
    await seat.picture(`shell-${theme}`)
    expect(await seat.accessibilityFaults()).toEqual([])
    expect(seat.complaints()).toEqual([])
    await seat.close()
  })
})
