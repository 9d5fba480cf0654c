import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { look, press } from '../look.ts'
import { openDashboard, type Dashboard } from '../open-dashboard.ts'
import { choose } from './play-people.ts'

let dashboard: Dashboard

beforeAll(async () => {
  dashboard = await openDashboard()
})
afterAll(() => dashboard.close())

const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name })

/** Makes a domain verified, which takes a record in DNS otherwise. */
const verify = (domain: string) =>
  dashboard.service.asOwner('update email_domains set verified_at = now() where domain = $1', [
    domain,
  ])

describe('single sign-on', () => {
  it('begins with a domain, whose record the page shows; a mail provider’s is refused at the field', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go('/settings')
    expect(await page.getByRole('button', { name: 'Create a SCIM token' }).isDisabled()).toBe(true)
    await press(page, 'Add a domain')
    const add = dialogOf(page, 'Add an e-mail domain')
    await add.getByLabel('Domain').fill('gmail.com')
    await press(add, 'Add domain')
    await add.getByRole('alert').first().waitFor()
    expect(await look(seat, 'sign-on-domain')).toEqual([])
    for (const domain of ['acme.com', 'acme.org']) {
      if ((await add.count()) === 0) await press(page, 'Add a domain')
      await add.getByLabel('Domain').fill(domain)
      await press(add, 'Add domain')
      await page.getByRole('heading', { name: domain }).waitFor()
    }
    await choose(page, 'Actions for acme.org', 'Remove')
    await press(dialogOf(page, 'Remove acme.org?'), 'Remove domain')
    await page.getByText('acme.org was removed.').waitFor()
    await seat.close()
  })

  it('gives a directory a token that is shown once, and ends it', async () => {
    await verify('acme.com')
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go('/settings')
    await press(page, 'Create a SCIM token')
    await dialogOf(page, 'New SCIM token').getByLabel('Name').fill('Okta')
    await press(dialogOf(page, 'New SCIM token'), 'Create token')
    const shown = dialogOf(page, 'SCIM token Okta')
    await shown.getByText(/sbx_scm_/).waitFor()
    await press(page, 'I have copied it')
    await choose(page, 'Actions for Okta', 'End')
    await press(dialogOf(page, 'End Okta?'), 'End token')
    await page.getByText('Okta was ended.').waitFor()
    const left = await dashboard.service.asOwner('select from scim_tokens')
    expect(left).toEqual([])
    await seat.close()
  })

  it('has a provider whose secret is replaced, and that is removed', async () => {
    await verify('acme.com')
    const { service } = dashboard
    await service.asOwner(
      `insert into sign_in_providers (org_id, id, name, issuer, client_id, sealed_secret, groups_claim, created_at, created_by)
        values ($1, 'idp_01jd2m4x9k0000000000000000', 'Keycloak', 'https://id.acme.com', 'c', '', 'groups', now(), '{}'),
          ($1, 'idp_01jd2m4x9k0000000000000001', 'Okta', 'https://acme.okta.com', 'c', '', 'groups', now(), '{}')`,
      [service.orgId],
    )
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go('/settings')
    const first = page.getByText('The sign-in page leads to Keycloak.')
    await first.waitFor()
    await press(page, 'Add a provider')
    const add = dialogOf(page, 'Add a sign-in provider')
    await press(add, 'Add provider')
    await add.getByRole('alert').first().waitFor()
    expect(await look(seat, 'sign-on-provider')).toEqual([])
    await page.keyboard.press('Escape')
    await choose(page, 'Actions for Keycloak', 'Replace the client secret')
    const replace = dialogOf(page, 'Replace the client secret of Keycloak')
    await replace.getByLabel('Client secret').fill('another-secret-of-the-client')
    await press(replace, 'Replace secret')
    await replace.waitFor({ state: 'detached' })
    await choose(page, 'Actions for Keycloak', 'Remove')
    await press(dialogOf(page, 'Remove Keycloak?'), 'Remove provider')
    await page.getByText('Keycloak was removed.').waitFor()
    await first.waitFor({ state: 'detached' })
    await page.getByText('https://acme.okta.com').waitFor()
    await seat.close()
  })
})
