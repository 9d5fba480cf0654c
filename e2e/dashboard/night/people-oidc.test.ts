import { look, lookEverywhere, press } from '../look.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Seat } from '../open-dashboard.ts'
import {
  ada,
  addPerson,
  ageSessions,
  goTo,
  inviteAs,
  openOidcDashboard,
  type OidcDashboard,
  type Person,
} from '../people/play-people.ts'

let dashboard: OidcDashboard
let octocat: Person

beforeAll(async () => {
  dashboard = await openOidcDashboard()
  octocat = await addPerson(dashboard, { name: 'Octocat', role: 'viewer' })
})
afterAll(() => dashboard.close())

/** Accounts at the provider. */
const adaThere = { sub: 'ada-there', email: 'ada@acme.example', email_verified: true, name: 'Ada' }
const graceThere = { ...adaThere, sub: 'grace-there', email: 'grace@example.com', name: 'Grace' }
const strangerThere = { ...adaThere, sub: 'stranger', email: 'stranger@example.com' }

const signInAtProvider = (page: Page) =>
  page.getByRole('link', { name: 'Sign in with Acme ID' }).click()

/** Answers the question who it is, which all are asked after a while. */
async function confirm(page: Page, password: string): Promise<void> {
  const question = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await question.getByLabel('Password').fill(password)
  await press(question, 'Confirm')
}

/** Takes Grace in by the provider alone: she has no password. Needs an invitation the first time. */
async function openGrace(): Promise<Seat> {
  dashboard.provider.account = graceThere
  const seat = await dashboard.open({ session: null })
  await goTo(dashboard, seat, '/login?returnTo=%2Faccount')
  await signInAtProvider(seat.page)
  await seat.page.getByRole('heading', { name: 'Your account' }).waitFor()
  return seat
}

describe('an account at the provider', () => {
  it('is linked, and signs in from then on, to the page that was asked for', async () => {
    dashboard.provider.account = adaThere
    const seat = await dashboard.open()
    await goTo(dashboard, seat, '/account')
    await press(seat.page, 'Link Acme ID')
    await seat.page.getByText('You sign in with ada@acme.example').waitFor()
    expect(await look(seat, 'oidc-linked')).toEqual([])

    const door = await dashboard.open({ session: null })
    await door.go('/audit?action=auth.')
    await door.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await signInAtProvider(door.page)
    await door.page.getByRole('heading', { name: 'Audit log' }).waitFor()
    expect(new URL(door.page.url()).search).toBe('?action=auth.')
    expect(await door.page.getByLabel('Action').inputValue()).toBe('auth.')
    for (const one of [seat, door]) await one.close()
  })

  it('is named with the reason where it is not let in', async () => {
    const seat = await dashboard.open({ session: null })
    for (const [account, reason] of [
      [strangerThere, 'You have no account here.'],
      [undefined, 'The provider refused'],
      [{ ...strangerThere, email_verified: false }, 'has not verified your e-mail address'],
    ] as const) {
      dashboard.provider.account = account
      // Nobody is known at the provider: it would let the former one in without asking.
      await seat.page.context().clearCookies()
      await goTo(dashboard, seat, '/login')
      await signInAtProvider(seat.page)
      await seat.page.getByRole('alert').getByText(reason).waitFor()
    }
    expect(await lookEverywhere(seat, 'sign-in-refused')).toEqual([])
  })
})

describe('somebody without a password', () => {
  it('confirms at the provider, and is told on the page itself when it came to nothing', async () => {
    await inviteAs(dashboard.service, graceThere.email)
    const seat = await openGrace()
    const { page } = seat
    await page.getByText('it is your only way to sign in').waitFor()
    // Nothing is asked for that they do not have.
    expect(await page.getByLabel('Current password').count()).toBe(0)
    await ageSessions(dashboard)

    const createToken = async () => {
      await page.getByRole('dialog').getByLabel('Name').fill('laptop')
      await press(page, 'Create token')
    }
    const askForToken = async () => {
      await press(page, 'New token')
      await createToken()
    }
    const question = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await askForToken()
    await question.waitFor()
    expect(await question.getByLabel('Password').count()).toBe(0)
    expect(await look(seat, 'oidc-confirm')).toEqual([])

    // Somebody else sits down at the provider.
    dashboard.provider.account = adaThere
    await press(question, 'Sign in at the provider')
    await page.getByRole('alert').getByText('Not confirmed').waitFor()
    expect(page.url()).toBe(`${dashboard.service.apiUrl}/account`)
    expect(await look(seat, 'oidc-not-confirmed')).toEqual([])

    dashboard.provider.account = graceThere
    await askForToken()
    await press(question, 'Sign in at the provider')
    await question.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    // The address has brought back what was begun.
    await createToken()
    await page.getByRole('region', { name: 'Personal access token', exact: true }).waitFor()
  })
})

describe('a link', () => {
  it('is refused for an account that somebody else has linked, where it was begun', async () => {
    dashboard.provider.account = graceThere
    const seat = await dashboard.open({ session: octocat.session, width: 390 })
    const { page } = seat
    await goTo(dashboard, seat, '/account')
    await press(page, 'Link Acme ID')
    await confirm(page, octocat.password)
    await page.getByRole('alert').getByText('Another account here is already linked').waitFor()
    expect(await look(seat, 'oidc-identity-taken-390')).toEqual([])
    expect(page.url()).toBe(`${dashboard.service.apiUrl}/account`)
    // It is about this one way: another page, and this page anew, say nothing of it.
    await page.reload()
    await page.getByRole('button', { name: 'Link Acme ID' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  it('that has ended signs nobody in any more', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await goTo(dashboard, seat, '/account')
    await press(page, 'Unlink')
    await confirm(page, ada.password)
    await page.getByRole('button', { name: 'Link Acme ID' }).waitFor()

    dashboard.provider.account = adaThere
    const door = await dashboard.open({ session: null })
    await goTo(dashboard, door, '/login')
    await signInAtProvider(door.page)
    await door.page.getByRole('alert').waitFor()
    expect(new URL(door.page.url()).pathname).toBe('/login')
    for (const one of [seat, door]) await one.close()
  })
})
