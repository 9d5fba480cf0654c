import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { look, lookEverywhere, press } from '../look.ts'
import { openDashboard, type Dashboard } from '../open-dashboard.ts'
import { keptBy } from './play-people.ts'

let dashboard: Dashboard

beforeAll(async () => {
  dashboard = await openDashboard()
})
afterAll(() => dashboard.close())

describe('the screens about people', () => {
  it('lists delivery nodes, those that need the operator first, and says what to do', async () => {
    await dashboard.service.asOwner(`
      insert into delivery_nodes (reporter, name, version, carrier, fed_by, snapshots, as_of, fault, reported_at) values
        ('database', 'eu-1:4401', '0.1.0', 'database', null, 12, now(), null, now()),
        ('key_1', 'an-edge-with-a-name-that-is-as-long-as-names-of-pods-are-7d9f8b6c5-x2x9q:4401', '0.1.0', 'relay',
          'config.example.com', 12, now() - interval '12 minutes',
          'The upstream config.example.com refuses the relay key (401). Check SIGNALBOX_UPSTREAM_KEY, and under API keys whether it has expired. The node serves the snapshots in its memory.',
          now()),
        ('key_1', 'us-1:4401', '0.1.0', 'relay', 'config.example.com', 1, now(), null, now() - interval '2 hours')`)
    const seat = await dashboard.open()
    await seat.go('/settings')
    const nodes = seat.page.getByRole('region', { name: 'Delivery nodes' })
    expect(await nodes.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/us-1:4401[^]*No report[^]*2h ago[^]*reaches config\.example\.com/),
      expect.stringMatching(/an-edge[^]*Behind[^]*12 min old[^]*Check SIGNALBOX_UPSTREAM_KEY/),
      expect.stringMatching(/eu-1:4401[^]*Up to date[^]*Follows the database/),
    ])
    expect(await lookEverywhere(seat, 'delivery-nodes')).toEqual([])
  })
})

describe('a key', () => {
  it('is shown once, and in nothing that the page keeps', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go('/keys')
    await press(page, 'New key')
    await page.getByLabel('Name').fill('ci')
    expect(await page.getByRole('radio', { name: /^Browser key/ }).isChecked()).toBe(true)
    await page.getByRole('radio', { name: /^Server key/ }).check()
    expect(await look(seat, 'keys-new')).toEqual([])
    await press(page, 'Create key')
    const secret =
      (await page.getByRole('region', { name: 'Server key' }).locator('code').textContent()) ?? ''
    expect(secret).toMatch(/^sbx_m2m_/)
    await press(page, 'I have copied it')
    await page.getByRole('cell', { name: /^ci/ }).waitFor()
    const row = page.getByRole('row', { name: /^ci/ })
    await row.getByText('Reads all values, including secrets, in all environments').waitFor()
    await row.getByText('expires in 89d').or(row.getByText('expires in 90d')).waitFor()
    expect(await keptBy(page)).not.toContain(secret)
  })

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

describe('a second factor', () => {
  it('is set up with a picture, and takes no wrong code', async () => {
    const seat = await dashboard.open()
    await seat.page.goto(`${dashboard.service.apiUrl}/account`)
    await press(seat.page, 'Set it up')
    await seat.page.getByRole('img', { name: 'The secret as a QR code' }).waitFor()
    expect(await look(seat, 'second-factor')).toEqual([])
    await seat.page.getByLabel('Code', { exact: true }).fill('000000')
    await press(seat.page, 'Turn it on')
    await seat.page.getByRole('dialog').getByRole('alert').waitFor()
  })
})
