import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOfAuthenticator } from '../../../packages/server/src/identity/testing/authenticator.ts'
import { look, press } from '../look.ts'
import { openDashboard, type Dashboard } from '../open-dashboard.ts'
import {
  ada,
  addPerson,
  ageSessions,
  beginSession,
  choose,
  goTo,
  keptBy,
  signIn,
} from './play-people.ts'

let dashboard: Dashboard
/** Of Ada's authenticator, once she has one. */
let secret = ''
let recoveryCodes: readonly string[] = []

beforeAll(async () => {
  dashboard = await openDashboard()
})
afterAll(() => dashboard.close())

/**
 * A code is good for its half minute and the ones beside it, and once: `periods` takes a later one. An earlier one is too old
 * when the half minute ends before it is sent.
 */
const codeOf = (periods: number) =>
  codeOfAuthenticator(secret, new Date(Date.now() + periods * 30_000))

/** The way in, as far as the question for a code. */
async function openAtCode(): Promise<Page> {
  const seat = await dashboard.open({ session: null })
  await goTo(dashboard, seat, '/login')
  await signIn(seat.page, ada)
  await seat.page.getByLabel('Code').waitFor()
  return seat.page
}

async function signInWith(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code').fill(code)
  await press(page, 'Sign in')
}

describe('a password', () => {
  it('is changed with the current one alone, which opens nothing from then on', async () => {
    const linus = await addPerson(dashboard, { name: 'Linus', role: 'viewer' })
    const elsewhere = await dashboard.open({ session: await beginSession(dashboard, linus) })
    await elsewhere.go('/members')
    const seat = await dashboard.open({ session: linus.session })
    const { page } = seat
    await goTo(dashboard, seat, '/account')
    const newPassword = 'another password of Linus, long enough'
    const change = async (current: string) => {
      await page.getByLabel('Current password').fill(current)
      await page.getByLabel('New password').fill(newPassword)
      await press(page, 'Change password')
    }
    await change('not the password, but long enough')
    await page.locator('input[name=currentPassword][aria-invalid=true]').waitFor()
    expect(await page.getByRole('alert').allTextContents()).toEqual([
      'The current password is wrong.',
    ])
    expect(await look(seat, 'password-wrong')).toEqual([])

    await change(linus.password)
    await page.getByText(/^Your password is changed, and/).waitFor()
    expect(await page.locator('[aria-invalid=true]').count()).toBe(0)
    expect(await page.getByLabel('Current password').inputValue()).toBe('')
    const kept = await keptBy(page)
    for (const typed of [linus.password, newPassword]) expect(kept).not.toContain(typed)
    // The former password ends the other sessions, and not this one.
    const { page: other } = elsewhere
    await other.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
    await signIn(other, linus)
    await other.getByRole('alert').waitFor()
    expect(new URL(other.url()).pathname).toBe('/login')
    await signIn(other, { ...linus, password: newPassword })
    await other.getByRole('heading', { name: 'Members' }).waitFor()
    for (const one of [elsewhere, seat]) await one.close()
  })
})

describe('a second factor', () => {
  it('is turned on with a code, shows recovery codes once, and ends the other sessions', async () => {
    const other = await dashboard.open({ session: await beginSession(dashboard, ada) })
    await other.go('/members')

    const seat = await dashboard.open()
    const { page } = seat
    await goTo(dashboard, seat, '/account')
    await press(page, 'Set it up')
    const dialog = page.getByRole('dialog')
    secret = (await dialog.locator('code').textContent()) ?? ''
    await dialog.getByLabel('Code', { exact: true }).fill(codeOf(0))
    await press(page, 'Turn it on')
    await page.getByRole('heading', { name: 'The second factor is on' }).waitFor()
    expect(await look(seat, 'recovery-codes')).toEqual([])
    recoveryCodes = ((await dialog.locator('pre').textContent()) ?? '').trim().split('\n')
    expect(recoveryCodes).toHaveLength(10)
    await press(page, 'I have saved them')
    await page.getByText('10 recovery codes are left').waitFor()
    const kept = await keptBy(page)
    for (const shown of [secret, ...recoveryCodes]) expect(kept).not.toContain(shown)
    expect(await look(seat, 'second-factor-on')).toEqual([])

    // It was begun with the password alone.
    await other.page.getByRole('heading', { name: 'Sign in' }).waitFor()

    await press(page, 'Account of Ada')
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    for (const one of [seat, other]) await one.close()
  })

  it('is asked for at the sign-in: no wrong code, each code once', async () => {
    const page = await openAtCode()
    await signInWith(page, '000000')
    await page.getByRole('alert').waitFor()
    expect(new URL(page.url()).pathname).toBe('/login')
    const code = codeOf(1)
    await signInWith(page, code)
    await page.waitForURL(`${dashboard.service.apiUrl}/acme`)

    const second = await openAtCode()
    await signInWith(second, code)
    await second.getByRole('alert').waitFor()
    for (const one of [page, second]) await one.context().close()
  })

  it('is replaced by a recovery code, each once', async () => {
    const [code = ''] = recoveryCodes
    const page = await openAtCode()
    await signInWith(page, code)
    await page.waitForURL(`${dashboard.service.apiUrl}/acme`)
    await page.goto(`${dashboard.service.apiUrl}/account`)
    await page.getByText('9 recovery codes are left').waitFor()
    const second = await openAtCode()
    await signInWith(second, code)
    await second.getByRole('alert').waitFor()
    expect(new URL(second.url()).pathname).toBe('/login')
    for (const one of [page, second]) await one.context().close()
  })

  it('is asked for with the password before it is turned off', async () => {
    const [, code = '', another = ''] = recoveryCodes
    const page = await openAtCode()
    await signInWith(page, code)
    await page.waitForURL(`${dashboard.service.apiUrl}/acme`)
    await ageSessions(dashboard)
    await page.goto(`${dashboard.service.apiUrl}/account`)
    await press(page, 'Turn it off')
    await press(page.getByRole('dialog'), 'Turn it off')
    const question = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await question.getByLabel('Password').fill(ada.password)
    await press(question, 'Confirm')
    await question.getByLabel('Code').fill(another)
    await press(question, 'Confirm')
    await page.getByRole('button', { name: 'Set it up' }).waitFor()

    // The password alone is enough again.
    expect(await beginSession(dashboard, ada)).not.toBe('')
    await page.context().close()
  })
})

describe('a session', () => {
  it('that another browser ends lands at the sign-in, and returns to its page with its filters and fragment', async () => {
    const address = '/acme/audit?action=auth.&from=2026-01-01#part'
    const ended = await dashboard.open({ session: await beginSession(dashboard, ada) })
    await goTo(dashboard, ended, address)
    const ending = await dashboard.open({ session: await beginSession(dashboard, ada) })
    await goTo(dashboard, ending, '/account')
    await press(ending.page, 'End all others')
    // Sooner than the page would look by itself while nobody tells it anything.
    await ended.page.getByRole('heading', { name: 'Sign in' }).waitFor({ timeout: 60_000 })
    await signIn(ended.page, ada)
    await ended.page.getByRole('heading', { name: 'Audit log' }).waitFor()
    expect(ended.page.url()).toBe(`${dashboard.service.apiUrl}${address}`)
    for (const one of [ending, ended]) await one.close()
  })
})

describe('a personal access token', () => {
  it('that leaked is revoked, and all but what refuses it is paused', async () => {
    const { apiUrl, orgId } = dashboard.service
    const seat = await dashboard.open({ session: await beginSession(dashboard, ada) })
    const { page } = seat
    await goTo(dashboard, seat, '/account')
    await press(page, 'New token')
    const form = page.getByRole('dialog')
    await form.getByLabel('Name').fill('leaked')
    await form.getByRole('checkbox', { name: /^May manage/ }).check()
    await press(page, 'Create token')
    const region = page.getByRole('region', { name: 'Personal access token', exact: true })
    const token = (await region.locator('code').textContent()) ?? ''
    await press(page, 'I have copied it')
    const withIt = (method: string, path: string, body?: object) =>
      fetch(`${apiUrl}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
    const org = `/organizations/${orgId}`
    const hook = { name: 'planted hook', url: 'https://hooks.invalid/', events: ['config.changed'] }
    const key = { name: 'planted key', kind: 'm2m' }
    expect((await withIt('POST', `${org}/api-keys`, key)).status).toBe(201)
    expect((await withIt('POST', `${org}/outgoing-webhooks`, hook)).status).toBe(201)
    await page.route('**/api-keys/*/pause', (route) => route.abort())
    await choose(page, 'Actions for leaked', 'Revoke')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Made or changed with this token, and still in use.').waitFor()
    for (const name of [/planted key/, /planted hook/, /^Pause all/])
      expect(await dialog.getByRole('checkbox', { name }).isChecked()).toBe(true)
    expect(await look(seat, 'token-revoke-made')).toEqual([])
    // As long as the token is not revoked, nothing is paused.
    const isOn = async () => {
      const path = `${org}/outgoing-webhooks`
      const text = await page.evaluate(async (address) => (await fetch(address)).text(), path)
      const { items }: { items: { name: string; enabled: boolean }[] } = JSON.parse(text)
      return items.find(({ name }) => name === 'planted hook')?.enabled
    }
    await page.route('**/me/tokens/*', (route) => route.abort())
    await press(dialog, 'Revoke token')
    await dialog.getByRole('alert').waitFor()
    expect(await isOn()).toBe(true)
    await page.unroute('**/me/tokens/*')
    await press(dialog, 'Revoke token')
    await expect.poll(isOn).toBe(false)
    await dialog.getByRole('alert').waitFor()
    expect((await withIt('GET', '/me')).status).toBe(401)
    // The token is gone, and the dialog stays for what is left: another press sends that alone.
    await page.unroute('**/api-keys/*/pause')
    await press(dialog, 'Revoke token')
    await page.getByText('leaked was revoked.').waitFor()
    await seat.go('/outgoing-webhooks')
    await page
      .getByRole('row', { name: /planted hook/ })
      .getByText('Off')
      .waitFor()
  })
})
