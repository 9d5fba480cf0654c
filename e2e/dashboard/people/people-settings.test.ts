import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { look, press } from '../look.ts'
import { openDashboard, type Dashboard } from '../open-dashboard.ts'
import { addPerson, goTo, type Person } from './play-people.ts'

let dashboard: Dashboard
let grace: Person

beforeAll(async () => {
  dashboard = await openDashboard()
  grace = await addPerson(dashboard, { name: 'Grace', role: 'admin' })
})
afterAll(() => dashboard.close())

describe('an organization', () => {
  it('that is renamed leads its page along, and the other pages that are open', async () => {
    const seat = await dashboard.open()
    const other = await dashboard.open({ session: grace.session })
    await other.go('/members')
    const { page } = seat
    await seat.go('/settings')
    await page.getByLabel('Slug').fill('A B')
    await press(page, 'Save')
    await page.getByRole('alert').first().waitFor()
    expect(await look(seat, 'settings-slug-fault')).toEqual([])
    await page.getByLabel('Slug').fill('acme-shop')
    await page.getByLabel('Name', { exact: true }).fill('Acme Shop')
    await press(page, 'Save')
    await page.waitForURL(`${dashboard.service.apiUrl}/acme-shop/settings`)
    await page.getByRole('button', { name: 'Acme Shop' }).first().waitFor()
    await expect.poll(() => page.getByLabel('Slug').inputValue()).toBe('acme-shop')
    await other.page.waitForURL(`${dashboard.service.apiUrl}/acme-shop/members`)
    await other.page.getByText(grace.email).waitFor()
    for (const one of [seat, other]) await one.close()
  })

  it('is deleted by its name alone, and is gone for everybody at once', async () => {
    const other = await dashboard.open({ session: grace.session })
    await goTo(dashboard, other, '/acme-shop/keys')
    const seat = await dashboard.open()
    const { page } = seat
    await goTo(dashboard, seat, '/acme-shop/settings')
    await press(page, 'Delete Acme Shop')
    const dialog = page.getByRole('dialog')
    const confirm = dialog.getByRole('button', { name: 'Delete the organization' })
    await dialog.getByLabel('Type "acme-shop" to confirm').fill('acme')
    expect(await confirm.isDisabled()).toBe(true)
    expect(await look(seat, 'organization-delete')).toEqual([])
    await dialog.getByLabel('Type "acme-shop" to confirm').fill('acme-shop')
    await confirm.click()
    await page.getByText('No organizations yet').waitFor()
    await other.page.getByRole('heading', { name: 'Nothing is here' }).waitFor()
    for (const one of [seat, other]) await one.close()
  })
})
