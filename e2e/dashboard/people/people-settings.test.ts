import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { look, press } from '../look.ts'
import { openDashboard, type Dashboard } from '../open-dashboard.ts'
import { ada, addPerson, goTo, type Person } from './play-people.ts'

let dashboard: Dashboard
let grace: Person

beforeAll(async () => {
  dashboard = await openDashboard()
  grace = await addPerson(dashboard, { name: 'Grace', role: 'admin' })
})
afterAll(() => dashboard.close())

describe('the policies of an organization', () => {
  it('say whom they keep out before they are saved, and lead that member to what is required', async () => {
    const seat = await dashboard.open()
    const other = await dashboard.open({ session: grace.session })
    await other.go('/members')
    await dashboard.service.asOwner(
      `insert into second_factors (user_id, sealed, created_at, confirmed_at)
        select id, '', now(), now() from users where email = $1`,
      [ada.email],
    )
    const { page } = seat
    await seat.go('/settings')
    await page.getByText('Would be kept out until they turn one on: Grace.').waitFor()
    expect(await look(seat, 'settings-policies')).toEqual([])
    await page.getByLabel('Require a second factor').check()
    await page.getByLabel('Longest life of a token, in days').fill('30')
    await page.getByLabel('Listed assistants').fill('https://claude.ai')
    await press(page, 'Save policies')
    await page.getByRole('alert').filter({ hasText: 'without https://' }).waitFor()
    await page.getByLabel('Listed assistants').fill('claude.ai')
    await press(page, 'Save policies')
    const dialog = page.getByRole('dialog', { name: 'Save these policies?' })
    await dialog.getByText('No second factor: Grace.').waitFor()
    expect(await look(seat, 'settings-policies-effects')).toEqual([])
    await press(dialog, 'Save policies')
    await page.getByText(/^Kept out until they turn one on: Grace\.$/).waitFor()
    const { page: gracesPage } = other
    await gracesPage.getByRole('heading', { name: 'Acme requires a second factor' }).waitFor()
    expect(await look(other, 'kept-out')).toEqual([])
    await gracesPage.getByRole('link', { name: 'Turn on a second factor' }).click()
    await gracesPage.waitForURL(`${dashboard.service.apiUrl}/account`)
    await press(gracesPage, 'New token')
    await gracesPage.getByText('Acme refuses tokens that work for more than 30 days.').waitFor()
    await page.getByLabel('Require a second factor').uncheck()
    await page.getByLabel('Longest life of a token, in days').fill('')
    await press(page, 'Save policies')
    await page.getByText('Would be kept out until they turn one on: Grace.').waitFor()
    await goTo(dashboard, other, '/acme/members')
    await gracesPage.getByRole('heading', { name: 'Members' }).waitFor()
    for (const one of [seat, other]) await one.close()
  })

  it('end all sessions, and the page goes on where it was after the password', async () => {
    await dashboard.service.asOwner('delete from second_factors')
    const seat = await dashboard.open()
    const other = await dashboard.open({ session: grace.session })
    const { page } = seat
    await seat.go('/settings')
    await press(page, 'End all sessions')
    const dialog = page.getByRole('dialog', { name: 'End all sessions?' })
    await press(dialog, 'End all sessions')
    const question = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await question.getByLabel('Password').fill(ada.password)
    await press(question, 'Confirm')
    await question.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Policies' }).waitFor()
    await goTo(dashboard, other, '/acme/members')
    await other.page.getByRole('heading', { name: 'Confirm it’s you for Acme' }).waitFor()
    expect(await look(other, 'kept-out-unconfirmed')).toEqual([])
    await press(other.page, 'Confirm')
    const asked = other.page.getByRole('dialog', { name: 'Confirm it’s you' })
    await asked.getByLabel('Password').fill(grace.password)
    await press(asked, 'Confirm')
    await other.page.getByRole('heading', { name: 'Members' }).waitFor()
    for (const one of [seat, other]) await one.close()
  })
})

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
