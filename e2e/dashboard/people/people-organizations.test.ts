import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { look, lookEverywhere, press } from '../look.ts'
import { openDashboard, type Dashboard } from '../open-dashboard.ts'
import { settle } from '../page/settle.ts'
import { addPerson, goTo, type Person } from './play-people.ts'

let dashboard: Dashboard
let grace: Person

beforeAll(async () => {
  dashboard = await openDashboard()
  grace = await addPerson(dashboard, { name: 'Grace', role: 'viewer' })
})
afterAll(() => dashboard.close())

/** Goes to an address as a link does, without loading the page anew. */
const follow = (page: Page, path: string) =>
  page.evaluate((to) => history.pushState({}, '', to), path)

async function createOrganization(page: Page, name: string): Promise<void> {
  await press(page, 'New organization')
  await page.getByRole('dialog').getByLabel('Name').fill(name)
  await press(page, 'Create organization')
}

describe('organizations', () => {
  it('are one to choose, and a new one leads into it', async () => {
    const seat = await dashboard.open()
    await goTo(dashboard, seat, '/orgs')
    await createOrganization(seat.page, ' ')
    await seat.page.getByRole('dialog').getByRole('alert').waitFor()
    expect(await look(seat, 'organization-new')).toEqual([])
    await seat.page.getByRole('dialog').getByLabel('Name').fill('Beta')
    await press(seat.page, 'Create organization')
    await seat.page.waitForURL(`${dashboard.service.apiUrl}/beta`)
    await seat.page.getByRole('button', { name: 'Beta' }).first().waitFor()
    await goTo(dashboard, seat, '/orgs')
    expect(await lookEverywhere(seat, 'organizations')).toEqual([])
  })

  it('share nothing on the screen: what is typed or read in one is not there in another', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go('/members')
    await page.getByText(grace.email).waitFor()
    await press(page, 'Actions for Grace')
    // Nothing of the other one is answered yet.
    const { promise: held, resolve } = Promise.withResolvers<void>()
    await page.route(/\/organizations\/org_[^/]+\/members/, async (route) => {
      await held
      await route.continue()
    })
    await follow(page, '/beta/members')
    await page.locator('[aria-label=Loading]').first().waitFor()
    expect(await page.getByText(grace.email).count()).toBe(0)
    resolve()
    await page.getByRole('cell', { name: /ada@example\.com/ }).waitFor()
    expect(await page.getByText(grace.email).count()).toBe(0)
  })

  it('are switched by the menu, and the page follows the one that is shown', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await goTo(dashboard, seat, '/beta/members')
    await press(page, 'Beta')
    await page.getByRole('menuitem', { name: 'Acme', exact: true }).click()
    await page.waitForURL(`${dashboard.service.apiUrl}/acme`)
    // The address changes before the links beside it do.
    await page.getByRole('button', { name: 'Acme', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByText(grace.email).waitFor()
    await settle(page)
    // Somebody else comes to Acme: without a reload they are there.
    await addPerson(dashboard, { name: 'Octocat', role: 'viewer' })
    await page.getByText('octocat@example.com').waitFor()
    expect(seat.complaints()).toEqual([])
  })

  it('may be none: the page says what to do', async () => {
    const seat = await dashboard.open({ session: grace.session })
    const { page } = seat
    await seat.go('/members')
    await press(page, 'Actions for Grace')
    await page.getByRole('menuitem', { name: 'Leave the organization' }).click()
    await press(page, 'Leave')
    await page.getByText('No organizations yet').waitFor()
    expect(new URL(page.url()).pathname).toBe('/orgs')
    // To others it does not exist.
    await follow(page, '/acme')
    await page.getByText('You left Acme.').waitFor()
    await page.getByRole('heading', { name: 'Nothing is here' }).waitFor()
    await goTo(dashboard, seat, '/orgs')
    expect(await lookEverywhere(seat, 'organizations-none')).toEqual([])
  })
})
