import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerReads, failure, failureId } from './answer-reads.ts'
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
  it.each(['/acme', '/account', '/'])(
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

  it.each(['/nobody-has-this', '/acme/nothing', '/acme/integrations/nothing', '/one/two/three'])(
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

  it('says of a part that cannot be loaded that the page may have to be', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await page.route('**/assets/keys-screen-*.js', (route) => route.abort())
    await goTo(page, '/acme/keys')
    await page.getByText('This screen can’t be shown').waitFor()
    await seat.picture('state-part-missing')
    expect(await seat.violationsInBothThemes()).toEqual([])
    await page.unroute('**/assets/keys-screen-*.js')
    await page.getByRole('button', { name: 'Reload the page' }).click()
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor()
    expect(seat.complaints().filter((text) => !text.includes('keys-screen'))).toEqual([])
  })
})

describe('a page without an organization', () => {
  it('says to somebody of no organization how to come to one', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await answerReads(page, { begin: { '/me': { organizations: [] } }, which: /^\/me$/ })
    await goTo(page, '/')
    await page.waitForURL('**/orgs')
    await page.getByRole('heading', { name: 'No organizations yet' }).waitFor()
    await page.getByText('ask an admin to invite you to theirs').waitFor()
    await page.getByRole('button', { name: 'New organization' }).waitFor()
    expect(await look(seat, 'organizations-empty')).toEqual([])
  })
})
