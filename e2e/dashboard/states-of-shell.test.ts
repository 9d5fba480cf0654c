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
})
