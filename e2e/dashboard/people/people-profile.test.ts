import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { look, press } from '../look.ts'
import { openDashboard, type Dashboard } from '../open-dashboard.ts'
import { addPerson, beginSession, goTo, keptBy, signIn } from './play-people.ts'

let dashboard: Dashboard

beforeAll(async () => {
  dashboard = await openDashboard()
})
afterAll(() => dashboard.close())

describe('what belongs to oneself', () => {
  it('is a password: changed with the current one alone, which opens nothing from then on', async () => {
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
