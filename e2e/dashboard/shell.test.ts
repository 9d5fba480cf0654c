import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDashboard, type Dashboard } from './open-dashboard.ts'

let dashboard: Dashboard

beforeAll(async () => {
  dashboard = await openDashboard()
})
afterAll(() => dashboard.close())

describe('the shell', () => {
  it('loads itself anew once when a part of it is gone, as after an update, and then says so', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    let loads = 0
    page.on('framenavigated', () => (loads += 1))
    await seat.go('/keys')
    loads = 0
    await page.route('**/assets/members-screen*', (route) => route.fulfill({ status: 404 }))
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByRole('heading', { name: 'This screen can’t be shown' }).waitFor()
    expect(page.url()).toMatch(/\/members$/)
    // To the address within the page, and the one load of it; no third.
    expect(loads).toBe(2)
    // The update is there: the same address is whole again.
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Reload the page' }).click()
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor()
    expect(seat.complaints().filter((text) => !text.includes('members-screen'))).toEqual([])
  })
})
