import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  oidcClient,
  openOidcProvider,
  type TestOidcProvider,
} from '../../../packages/server/src/identity/testing/open-oidc-provider.ts'
import { lookEverywhere, press } from '../look.ts'
import { openDashboard, type Dashboard } from '../open-dashboard.ts'
import { addPerson, goTo, type Person } from './play-people.ts'

let dashboard: Dashboard
let provider: TestOidcProvider
let lin: Person

beforeAll(async () => {
  dashboard = await openDashboard({ more: { SIGNALBOX_EGRESS_ALLOW_MEMBERS: '127.0.0.1' } })
  const { apiUrl, orgId } = dashboard.service
  lin = await addPerson(dashboard, { name: 'Lin', role: 'viewer', email: 'lin@acme.com' })
  provider = await openOidcProvider(`${apiUrl}/sign-in/oidc/callback/${orgId}`)
  provider.account = { sub: 'lin', email: lin.email, email_verified: true, name: 'Lin' }
})
afterAll(async () => {
  await dashboard.close()
  await provider.close()
})

/** Opens the page as somebody who is not signed in, and wants to go to their account. */
async function openDoor() {
  const seat = await dashboard.open({ session: null })
  await goTo(dashboard, seat, '/login?returnTo=%2Faccount')
  return seat
}

async function enterAddress(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await press(page, 'Continue')
}

const passwordOf = (page: Page) => page.getByLabel('Password', { exact: true })

async function signInByPassword(page: Page): Promise<void> {
  await passwordOf(page).fill(lin.password)
  await press(page, 'Sign in')
  await page.getByRole('heading', { name: 'Your account' }).waitFor()
}

describe('the sign-in page', () => {
  it('asks for address and password at once while no organization has a provider', async () => {
    const { page } = await openDoor()
    expect(await page.getByRole('button', { name: 'Continue' }).count()).toBe(0)
    await page.getByLabel('E-mail').fill(lin.email)
    await signInByPassword(page)
  })
})

describe('the sign-in page, where an organization has a provider', () => {
  beforeAll(async () => {
    const { asOwner, ask, orgId } = dashboard.service
    await asOwner(
      `insert into email_domains (org_id, domain, challenge, created_at, created_by, verified_at)
        values ($1, 'acme.com', 'x', now(), '{"type":"system","id":null,"name":"Test"}', now())`,
      [orgId],
    )
    await ask('POST /sign-in-providers', { name: 'Okta', issuer: provider.issuer, ...oidcClient })
  })

  it('leads by the address to the provider of its domain, and back to the page that was asked for', async () => {
    const seat = await openDoor()
    const { page } = seat
    await page.getByRole('button', { name: 'Continue', exact: true }).waitFor()
    expect(await passwordOf(page).count()).toBe(0)
    await enterAddress(page, 'lin')
    await page.getByRole('alert').first().waitFor()
    await enterAddress(page, lin.email)
    const goOn = page.getByRole('button', { name: 'Continue with Okta' })
    await goOn.waitFor()
    expect(await goOn.evaluate((button) => button === document.activeElement)).toBe(true)
    expect(await lookEverywhere(seat, 'sign-in-provider')).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
    await page.getByText(`You sign in as ${lin.email}.`).waitFor()
  })

  it('goes on with the password for another domain, and says of no address whether it has an account', async () => {
    const { page } = await openDoor()
    const shown: string[] = []
    for (const email of [lin.email, 'nobody@acme.com']) {
      await enterAddress(page, email)
      await page.getByRole('button', { name: 'Continue with Okta' }).waitFor()
      shown.push(await page.getByRole('main').innerText())
    }
    expect(shown[0]).toBe(shown[1])
    await enterAddress(page, 'ada@example.com')
    await page.waitForFunction(
      () => document.activeElement?.getAttribute('autocomplete') === 'current-password',
    )
    await passwordOf(page).fill('not the password of anybody')
    await press(page, 'Sign in')
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('button', { name: 'Continue with Okta' }).count()).toBe(0)
  })

  it('says that the provider does not answer, and still signs in by the password', async () => {
    const setIssuer = (issuer: string) =>
      dashboard.service.asOwner(
        'update sign_in_providers set issuer = $1, revision = revision + 1',
        [issuer],
      )
    await setIssuer('http://127.0.0.1:1')
    const seat = await openDoor()
    const { page } = seat
    await enterAddress(page, lin.email)
    await page.getByRole('alert').getByText('is not responding correctly').waitFor()
    expect(await lookEverywhere(seat, 'sign-in-provider-down')).toEqual([])
    await press(page, 'Try the provider again')
    await page.getByRole('alert').getByText('is not responding correctly').waitFor()
    await signInByPassword(page)
    await setIssuer(provider.issuer)
    const again = await openDoor()
    await enterAddress(again.page, lin.email)
    await again.page.getByRole('button', { name: 'Continue with Okta' }).waitFor()
  })
})
