import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { look, press } from '../look.ts'
import { openDashboard, type Dashboard } from '../open-dashboard.ts'
import { addPerson, choose, inviteAs, type Person } from './play-people.ts'

interface Listed<Field extends string> {
  readonly items: readonly ({ readonly name: string } & Readonly<Record<Field, unknown>>)[]
}

let dashboard: Dashboard
let grace: Person

beforeAll(async () => {
  dashboard = await openDashboard()
  grace = await addPerson(dashboard, { name: 'Grace', role: 'viewer' })
})
afterAll(() => dashboard.close())

describe('a member', () => {
  it('gets another role, which counts on the open page at once', async () => {
    const seat = await dashboard.open()
    const hers = await dashboard.open({ session: grace.session })
    await hers.go('/members')
    expect(await hers.page.getByRole('link', { name: 'Audit log' }).count()).toBe(0)
    expect(await hers.page.getByRole('button', { name: 'Invite' }).count()).toBe(0)

    await seat.go('/members')
    await choose(seat.page, 'Actions for Grace', 'Change role')
    await seat.page.getByLabel('Role', { exact: true }).selectOption('admin')
    expect(await look(seat, 'member-role')).toEqual([])
    await press(seat.page, 'Change role')
    await seat.page.getByRole('row', { name: /Grace/ }).getByText('Admin').waitFor()
    await hers.page.getByRole('link', { name: 'Audit log' }).waitFor()
    await hers.page.getByRole('button', { name: 'Invite' }).waitFor()

    // An admin changes no owner, and makes none.
    expect(await hers.page.getByRole('button', { name: 'Actions for Ada' }).count()).toBe(0)
    await press(hers.page, 'Invite')
    const roles = hers.page.getByLabel('Role', { exact: true }).getByRole('option')
    await expect.poll(() => roles.allTextContents()).toHaveLength(3)
    for (const one of [seat, hers]) await one.close()
  })

  it('who is removed is out at once, on the page that is open', async () => {
    const hers = await dashboard.open({ session: grace.session })
    await hers.go('/keys')
    await hers.page.getByRole('cell', { name: /^First browser key/ }).waitFor()
    const seat = await dashboard.open()
    await seat.go('/members')
    const made = (path: string, body: object) =>
      fetch(`${dashboard.service.apiUrl}/organizations/${dashboard.service.orgId}/${path}`, {
        method: 'POST',
        headers: {
          cookie: grace.session,
          origin: dashboard.service.apiUrl,
          'x-requested-by': 'dashboard',
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      })
    const url = 'https://hooks.example.com/in'
    const hook = { name: 'hers', url, events: ['flag.changed'] }
    expect((await made('outgoing-webhooks', hook)).status).toBe(201)
    expect((await made('api-keys', { name: 'kept', kind: 'b2m' })).status).toBe(201)
    expect((await made('api-keys', { name: 'leaked', kind: 'b2m' })).status).toBe(201)
    await choose(seat.page, 'Actions for Grace', 'Remove')
    const dialog = seat.page.getByRole('dialog')
    await dialog.getByLabel(/^Outgoing webhook hers/).waitFor()
    expect(await look(seat, 'member-remove')).toEqual([])
    // The webhook is preselected because it only sends. A program may use the key, so a person has to select it.
    const chosen = (name: RegExp) => dialog.getByLabel(name).isChecked()
    expect(await Promise.all([/webhook hers/, /key kept/, /Pause all/].map(chosen))).toEqual([
      true,
      false,
      false,
    ])
    await dialog.getByLabel(/key leaked/).check()
    await press(dialog, 'Remove')
    await seat.page.getByText('Grace was removed.').waitFor()
    await hers.page.getByRole('heading', { name: 'Nothing is here' }).waitFor()
    expect(await hers.page.getByText('First browser key').count()).toBe(0)
    const { ask } = dashboard.service
    const keys = await ask<Listed<'state'>>('GET /api-keys')
    const hooks = await ask<Listed<'enabled'>>('GET /outgoing-webhooks')
    const stateOf = (name: string) => keys.items.find((key) => key.name === name)?.state
    expect([stateOf('kept'), stateOf('leaked'), hooks.items[0]?.enabled]).toEqual([
      'active',
      'expired',
      false,
    ])
    for (const one of [seat, hers]) await one.close()
  })
})

describe('an invitation', () => {
  it('makes an account for its address, and its link works once', async () => {
    const seat = await dashboard.open()
    await seat.go('/members')
    await press(seat.page, 'Invite')
    await seat.page.getByLabel('E-mail').fill('lin@example.com')
    await press(seat.page, 'Create link')
    const link =
      (await seat.page
        .getByRole('region', { name: 'Invitation link' })
        .locator('code')
        .textContent()) ?? ''

    const guest = await dashboard.open({ session: null })
    await guest.page.goto(link)
    await guest.page.getByRole('heading', { name: 'Join Acme' }).waitFor()
    expect(await look(guest, 'invitation')).toEqual([])
    await guest.page.getByLabel('Your name').fill('Lin')
    await guest.page.getByLabel('Password').fill('a password that is long enough')
    await press(guest.page, 'Create account and join')
    await guest.page.waitForURL(`${dashboard.service.apiUrl}/acme`)

    // Without a reload: the server says that a member came.
    await press(seat.page, 'Done')
    // Among the people: the address stands in the invitation as well until that is read again.
    await seat.page.getByRole('cell', { name: 'Lin lin@example.com' }).waitFor()

    const other = await dashboard.open({ session: null })
    await other.page.goto(link)
    await other.page.getByRole('alert').waitFor()
    for (const one of [seat, guest, other]) await one.close()
  })

  it('to an address that has an account is taken by its person alone, and leaves no token behind', async () => {
    const link = await inviteAs(dashboard.service, grace.email, 'developer')
    const token = link.split('#')[1] ?? ''

    // Somebody else is signed in.
    const wrong = await dashboard.open({ theme: 'dark' })
    await wrong.page.goto(link)
    await wrong.page.getByText('You are signed in with a different address').waitFor()
    expect(await look(wrong, 'invitation-other-dark')).toEqual([])
    await wrong.page.getByRole('link', { name: 'Sign in' }).click()
    await wrong.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await wrong.page.goBack()
    expect(wrong.page.url()).not.toContain(token)

    // Nobody is.
    const nobody = await dashboard.open({ session: null, width: 390 })
    await nobody.page.goto(link)
    await nobody.page.getByText('This address already has an account here').waitFor()
    expect(await look(nobody, 'invitation-account-390')).toEqual([])

    const hers = await dashboard.open({ session: grace.session })
    const { page } = hers
    await page.goto(`${dashboard.service.apiUrl}/orgs`)
    await page.getByText('No organizations yet').waitFor()
    await page.goto(link)
    await page.getByRole('heading', { name: 'Join Acme' }).waitFor()
    expect(await look(hers, 'invitation-accept')).toEqual([])
    await press(page, 'Join')
    await page.waitForURL(`${dashboard.service.apiUrl}/acme`)
    // The link is not a step of the history: back leads to the page before it.
    await page.goBack()
    await page.getByRole('heading', { name: 'Organizations' }).waitFor()
    for (const one of [wrong, nobody, hers]) await one.close()
  })
})
