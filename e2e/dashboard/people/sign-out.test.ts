import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDashboard, type Dashboard, type Seat } from '../open-dashboard.ts'
import { settle } from '../page/settle.ts'
import { ada, addPerson, beginSession, choose, keptBy } from './play-people.ts'

let dashboard: Dashboard

beforeAll(async () => {
  dashboard = await openDashboard()
  // Holds a text that only members read, and that no page before the sign-in shows.
  await addPerson(dashboard, { name: 'Grace', role: 'viewer' })
})
afterAll(() => dashboard.close())

const ofMembers = 'grace@example.com'

/** Returns how the service answers somebody with this cookie. */
const askWith = async (cookie: string) =>
  (await fetch(`${dashboard.service.apiUrl}/me`, { headers: { cookie } })).status

const signOut = (page: Page) => choose(page, 'Account of Ada', 'Sign out')
const atSignIn = (page: Page) => page.getByRole('heading', { name: 'Sign in' }).waitFor()

async function openMembers(session: string): Promise<Seat> {
  const seat = await dashboard.open({ session })
  await seat.go('/members')
  await seat.page.getByText(ofMembers).waitFor()
  return seat
}

/** From now on the service answers nothing of an organization: what is shown of one, the page has kept. */
const withholdAnswers = (page: Page) =>
  page.route(/\/(?:organizations\/.*|me)$/, (route) =>
    route.request().resourceType() === 'fetch' ? undefined : route.fallback(),
  )

/** Goes back to the members, and answers what is shown there while nothing is answered. */
async function lookBack(page: Page): Promise<string> {
  await withholdAnswers(page)
  await page.goBack()
  await page.waitForURL(/\/members$/)
  // Anything that was kept would appear in the first frame.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))
  return keptBy(page)
}

describe('signing out', () => {
  it('ends the session in the server, and no other one: its cookie, kept by somebody, lets nobody in', async () => {
    const [ended, kept] = await Promise.all([
      beginSession(dashboard, ada),
      beginSession(dashboard, ada),
    ])
    const seat = await openMembers(ended)
    expect(await askWith(ended)).toBe(200)
    await signOut(seat.page)
    await atSignIn(seat.page)
    expect(await Promise.all([askWith(ended), askWith(kept)])).toEqual([401, 200])
    expect(await seat.page.context().cookies()).toEqual([])
  })

  it('leaves nothing of the person in the page, for whoever goes back in it', async () => {
    const seat = await openMembers(await beginSession(dashboard, ada))
    const { page } = seat
    await page.evaluate(() => sessionStorage.setItem('staged', 'of Ada'))
    await signOut(page)
    await atSignIn(page)
    const stored = await page.evaluate(() => Object.keys(sessionStorage))
    const shown = await lookBack(page)
    const found = [ofMembers, ada.email].filter((text) => shown.includes(text))
    expect({ stored, found }).toEqual({ stored: [], found: [] })
  })

  it('control: whoever only goes elsewhere and back is shown at once what the page has kept', async () => {
    const seat = await openMembers(await beginSession(dashboard, ada))
    await seat.page.getByRole('link', { name: 'API keys' }).click()
    await seat.page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
    expect(await lookBack(seat.page)).toContain(ofMembers)
  })

  it('is followed by the other pages of the browser at once, which keep nothing either', async () => {
    const seat = await openMembers(await beginSession(dashboard, ada))
    const other = await seat.page.context().newPage()
    await other.goto(`${dashboard.service.apiUrl}/acme/members`)
    await settle(other)
    await other.getByText(ofMembers).waitFor()
    await other.evaluate(() => sessionStorage.setItem('staged', 'of Ada'))
    await signOut(seat.page)
    await atSignIn(seat.page)
    await atSignIn(other)
    expect(await keptBy(other)).not.toContain(ofMembers)
    expect(await other.evaluate(() => Object.keys(sessionStorage))).toEqual([])
  })
})
