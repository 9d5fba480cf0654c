import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerReads, failure, failureId } from './answer-reads.ts'
import { isNight } from '../is-night.ts'
import { openDashboard, type Dashboard, type Seat } from './open-dashboard.ts'

let dashboard: Dashboard

beforeAll(async () => {
  dashboard = await openDashboard()
})
afterAll(() => dashboard.close())

const goTo = (page: Page, path: string) => page.goto(`${dashboard.service.apiUrl}${path}`)

/** A picture of it, and what is wrong with it in either theme. */
async function look(seat: Seat, name: string): Promise<readonly string[]> {
  await seat.picture(`state-${name}`)
  return [...(await seat.violationsInBothThemes()), ...seat.complaints()]
}

describe('what stands around every screen', () => {
  it.each(isNight ? ['/acme', '/account', '/'] : ['/acme'])(
    'waits for who is signed in, says why it cannot tell, and reads again when asked: %s',
    async (path) => {
      const seat = await dashboard.open()
      const { page } = seat
      const name = `shell${path.replace('/', '-')}`
      const reads = await answerReads(page, { begin: 'never', which: /^\/me$/ })
      await goTo(page, path)
      await page.getByRole('status', { name: 'Loading' }).waitFor()
      expect(await look(seat, `${name}-loading`)).toEqual([])
      await reads.answer('fails')
      await page.getByRole('alert').getByText(failure.title).waitFor()
      await page.getByText(`Request ${failureId}`).waitFor()
      expect(await look(seat, `${name}-error`)).toEqual([])
      await reads.answer('service')
      await page.getByRole('button', { name: 'Try again' }).click()
      await page
        .getByRole('button', { name: 'Your account' })
        .or(page.getByRole('link'))
        .first()
        .waitFor()
      await page.getByRole('alert').first().waitFor({ state: 'hidden' })
    },
  )

  it.each(
    isNight
      ? ['/nobody-has-this', '/acme/nothing', '/acme/integrations/nothing', '/one/two/three']
      : ['/acme/nothing'],
  )(
    'says of an address that nothing has that it is not found, and leads away: %s',
    async (path) => {
      const seat = await dashboard.open()
      await goTo(seat.page, path)
      await seat.page.getByRole('heading', { level: 1, name: 'Nothing is here' }).waitFor()
      expect(await seat.page.title()).toBe('Nothing is here · Signalbox')
      expect(await look(seat, `not-found${path.replaceAll('/', '-')}`)).toEqual([])
      await seat.page.getByRole('link', { name: 'Go to the start page' }).click()
      await seat.page.waitForURL('**/acme')
    },
  )

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
