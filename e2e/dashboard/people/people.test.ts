import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { look, press } from '../look.ts'
import { openDashboard, type Dashboard } from '../open-dashboard.ts'

let dashboard: Dashboard

beforeAll(async () => {
  dashboard = await openDashboard()
  await dashboard.service.ask('POST /api-keys', { name: 'ci', kind: 'm2m' })
})
afterAll(() => dashboard.close())

describe('a key', () => {
  it('is revoked by keys of the keyboard alone, and the focus is not lost', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go('/keys')
    await page.getByRole('button', { name: 'Actions for ci' }).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Revoke ci?' }).waitFor()
    await page.keyboard.press('Escape')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'Actions for ci',
    )
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await press(page, 'Revoke key')
    await page.getByText('ci was revoked.').waitFor()
    await page.getByText('Revoked', { exact: true }).waitFor()
  })
})

describe('an invitation', () => {
  it('makes an account for its address, and its link works once', async () => {
    const seat = await dashboard.open()
    await seat.go('/members')
    await press(seat.page, 'Invite')
    await seat.page.getByLabel('E-mail').fill('grace@example.com')
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
    await guest.page.getByLabel('Your name').fill('Grace')
    await guest.page.getByLabel('Password').fill('a password that is long enough')
    await press(guest.page, 'Create account and join')
    await guest.page.waitForURL(`${dashboard.service.apiUrl}/acme`)

    // Without a reload: the server says that a member came.
    await press(seat.page, 'Done')
    // Among the people: the address stands in the invitation as well until that is read again.
    await seat.page.getByRole('cell', { name: 'Grace grace@example.com' }).waitFor()

    const other = await dashboard.open({ session: null })
    await other.page.goto(link)
    await other.page.getByRole('alert').waitFor()
    for (const one of [seat, guest, other]) await one.close()
  })
})
