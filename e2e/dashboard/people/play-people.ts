import { expect } from 'vitest'
import type { Page } from 'playwright-core'
import {
  oidcClient,
  openOidcProvider,
  type TestOidcProvider,
} from '../../../packages/server/src/identity/testing/open-oidc-provider.ts'
import { press } from '../look.ts'
import { openDashboard, type Dashboard, type Seat } from '../open-dashboard.ts'
import { settle } from '../page/settle.ts'
import { findFreePort } from '../../../test/testing/network/ports.ts'

interface Credentials {
  readonly email: string
  readonly password: string
}

/** Holds the credentials of the owner of Acme, whom the set-up of the tests creates. */
export const ada: Credentials = {
  email: 'ada@example.com',
  password: 'a password of the tests, long enough',
}

/** Chooses an entry of the menu of a row. */
export async function choose(page: Page, menu: string, entry: string): Promise<void> {
  await press(page, menu)
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}

/** Returns everything that the page holds: its content, its storage, its address. */
export const keptBy = (page: Page) =>
  page.evaluate(() =>
    [
      document.documentElement.outerHTML,
      ...[...document.querySelectorAll('input')].map(({ value }) => value),
      JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
      location.href,
    ].join(),
  )

/** Goes to an address that belongs to no organization. */
export async function goTo(dashboard: Dashboard, { page }: Seat, path: string): Promise<void> {
  await page.goto(`${dashboard.service.apiUrl}${path}`)
  await settle(page)
}

/** Signs in by the form that is shown. */
export async function signIn(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await press(page, 'Sign in')
}

/** The cookie of another session of somebody, as of a browser that signed in just now. */
export async function beginSession(
  { service }: Dashboard,
  who: Credentials,
  userAgent = 'Tests',
): Promise<string> {
  const answer = await fetch(`${service.apiUrl}/sessions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': userAgent,
      origin: service.apiUrl,
    },
    body: JSON.stringify({ email: who.email, password: who.password }),
  })
  expect(answer.status).toBe(201)
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

/** As if all passwords had been typed eleven minutes ago. */
export const ageSessions = ({ service }: Dashboard) =>
  service.asOwner(`update sessions set authenticated_at = now() - interval '11 minutes'`)

interface NewPerson {
  readonly name: string
  readonly role: 'viewer' | 'developer' | 'admin' | 'owner'
  /** Left out: the name at `example.com`. */
  readonly email?: string
}

export interface Person extends Credentials {
  /** The cookie of a session that began just now. */
  readonly session: string
}

/** Invites somebody to Acme and accepts as them: `grace@example.com` of the name Grace. */
export async function addPerson({ service }: Dashboard, person: NewPerson): Promise<Person> {
  const { email = `${person.name.toLowerCase()}@example.com` } = person
  const password = `the password of ${person.name}, long enough`
  const url = await inviteAs(service, email, person.role)
  const answer = await fetch(`${service.apiUrl}/invitations/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.apiUrl },
    body: JSON.stringify({ token: url.split('#')[1], name: person.name, password }),
  })
  expect(answer.status).toBe(201)
  const session = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return { email, password, session }
}

/** An invitation by the owner. Answers its link. */
export async function inviteAs(
  { ask }: Pick<Dashboard['service'], 'ask'>,
  email: string,
  role: NewPerson['role'] = 'viewer',
): Promise<string> {
  const { url } = await ask<{ readonly url: string }>('POST /invitations', { email, role })
  return url
}

export interface OidcDashboard extends Dashboard {
  readonly provider: TestOidcProvider
}

/** The dashboard of a server whose people may sign in with "Acme ID", which lets in whom `provider.account` says, and asks nobody. */
export async function openOidcDashboard(): Promise<OidcDashboard> {
  // The provider has to know where people come back to before there is a service.
  const port = await findFreePort()
  const provider = await openOidcProvider(`http://127.0.0.1:${port}/sign-in/oidc/callback`)
  const dashboard = await openDashboard({
    more: {
      SIGNALBOX_API_PORT: String(port),
      SIGNALBOX_OIDC_ISSUER: provider.issuer,
      SIGNALBOX_OIDC_CLIENT_ID: oidcClient.clientId,
      SIGNALBOX_OIDC_CLIENT_SECRET: oidcClient.clientSecret,
      SIGNALBOX_OIDC_NAME: 'Acme ID',
    },
  })
  return {
    ...dashboard,
    provider,
    async close() {
      await dashboard.close()
      await provider.close()
    },
  }
}
