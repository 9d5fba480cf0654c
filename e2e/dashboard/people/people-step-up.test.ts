import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { look, press } from '../look.ts'
import { openDashboard, type Dashboard } from '../open-dashboard.ts'
import { ada, ageSessions, goTo, keptBy } from './play-people.ts'

let dashboard: Dashboard

beforeAll(async () => {
  dashboard = await openDashboard()
})
afterAll(() => dashboard.close())

const question = (page: Page) => page.getByRole('dialog', { name: 'Confirm it’s you' })

async function answer(page: Page, password: string): Promise<void> {
  await question(page).getByLabel('Password').fill(password)
  await press(question(page), 'Confirm')
}

const countKeys = async (name: string) =>
  (await dashboard.service.asOwner('select from api_keys where name = $1', [name])).length

/** Opens the form of a new key and sends it. */
async function createKey(page: Page, name: string): Promise<void> {
  await press(page, 'New key')
  await page.getByLabel('Name').fill(name)
  await press(page, 'Create key')
}

describe('the question who is at the browser', () => {
  it('is not asked while the password is fresh', async () => {
    const seat = await dashboard.open()
    await seat.go('/keys')
    await createKey(seat.page, 'fresh')
    await seat.page.getByRole('region', { name: 'Browser key' }).waitFor()
    expect(await question(seat.page).count()).toBe(0)
  })

  it('is asked after ten minutes, takes no wrong password, and goes on with what was begun', async () => {
    await ageSessions(dashboard)
    const seat = await dashboard.open({ theme: 'dark' })
    const { page } = seat
    await seat.go('/keys')
    await createKey(page, 'late')
    await question(page).waitFor()
    expect(await look(seat, 'step-up-dark')).toEqual([])
    await answer(page, 'not the password, but long enough')
    await question(page).getByRole('alert').waitFor()
    expect(await countKeys('late')).toBe(0)
    await answer(page, ada.password)
    await page.getByRole('region', { name: 'Browser key' }).waitFor()
    expect(await countKeys('late')).toBe(1)
    expect(await keptBy(page)).not.toContain(ada.password)
  })

  it('leaves the action undone when it is cancelled, with what was typed, and the focus where it was', async () => {
    await ageSessions(dashboard)
    const seat = await dashboard.open({ width: 390 })
    const { page } = seat
    await seat.go('/keys')
    await createKey(page, 'undone')
    await question(page).waitFor()
    expect(await look(seat, 'step-up-390')).toEqual([])
    await page.keyboard.press('Escape')
    await question(page).waitFor({ state: 'detached' })
    await page.getByRole('alert').getByText('Confirm your password').waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('undone')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Create key')
    expect(await countKeys('undone')).toBe(0)
  })

  it('is asked once for two calls at the same time, and both go on', async () => {
    await ageSessions(dashboard)
    const seat = await dashboard.open()
    const { page } = seat
    await goTo(dashboard, seat, '/account')
    // Neither is answered before both were asked.
    const { promise: both, resolve } = Promise.withResolvers<void>()
    let asked = 0
    await page.route(/\/me\/(second-factor|tokens)$/, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      asked += 1
      if (asked === 2) resolve()
      await both
      return route.continue()
    })
    const confirmations: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/sessions/current/confirm')) confirmations.push(request.url())
    })
    await press(page, 'Set it up')
    await press(page, 'New token')
    await page.getByRole('dialog').getByLabel('Name').fill('laptop')
    await press(page, 'Create token')
    await question(page).waitFor()
    await answer(page, ada.password)
    await page.getByRole('region', { name: 'Personal access token', exact: true }).waitFor()
    await page.getByRole('img', { name: 'The secret as a QR code' }).waitFor()
    expect(confirmations).toHaveLength(1)
    expect(await question(page).count()).toBe(0)
  })

  it('is asked before an integration is disconnected, which it is after it and not before', async () => {
    await dashboard.service.connect('chat')
    await ageSessions(dashboard)
    const seat = await dashboard.open()
    const { page } = seat
    const state = async () =>
      (await dashboard.service.ask<{ chat: { state: string } }>('GET /integrations')).chat.state
    await seat.go('/integrations/chat')
    await press(page, 'Disconnect')
    await press(page.getByRole('dialog', { name: 'Disconnect Slack?' }), 'Disconnect')
    await question(page).waitFor()
    expect(await state()).toBe('connected')
    await answer(page, ada.password)
    await page.getByRole('button', { name: 'Connect Slack', exact: true }).waitFor()
    expect(await state()).not.toBe('connected')
  })
})
