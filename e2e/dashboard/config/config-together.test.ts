import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createConfigFixture, type ConfigFixture } from './config-fixture.ts'
import { openDashboard, type Dashboard, type Seat } from '../open-dashboard.ts'
import { addPerson } from '../people/play-people.ts'

let dashboard: Dashboard
let places: ConfigFixture
let graceSession: string
let ada: Seat
let grace: Seat

beforeAll(async () => {
  dashboard = await openDashboard()
  places = await createConfigFixture(dashboard.service)
  graceSession = (await addPerson(dashboard, { name: 'Grace', role: 'developer' })).session
})
afterAll(() => dashboard.close())
beforeEach(async () => {
  ada = await dashboard.open()
  grace = await dashboard.open({ session: graceSession })
})

async function openMatrix(seat: Seat): Promise<void> {
  await seat.go('/config')
  await seat.page.getByRole('grid').waitFor()
}

/** The cell of a key in development. */
const cell = (page: Page, key: string) => page.locator(`[id="cell-1-${key}"]`)
const inConflict = (page: Page, key: string) =>
  page.locator(`[id="cell-1-${key}"][aria-invalid=true]`)

async function putStaged(page: Page, key: string, text: string): Promise<void> {
  await cell(page, key).click()
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

async function openReview(page: Page) {
  await page.getByRole('button', { name: /^Review / }).click()
  return page.getByRole('dialog', { name: /^Review / })
}

async function save(page: Page): Promise<void> {
  const drawer = await openReview(page)
  await drawer.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/changes? saved in development\./).waitFor()
}

const valueOf = async (key: string) => (await places.read('development'))[key]?.value

/** Both have the cell of `apiUrl` open; Grace stages hers, and Ada is the first to save. */
async function disagree(mine: string, theirs: string): Promise<void> {
  await Promise.all([openMatrix(ada), openMatrix(grace)])
  await putStaged(grace.page, 'apiUrl', mine)
  await putStaged(ada.page, 'apiUrl', theirs)
  await save(ada.page)
}

describe('two members on one cell', () => {
  it('see each other save, without a reload', async () => {
    await Promise.all([openMatrix(ada), openMatrix(grace)])
    await putStaged(ada.page, 'supportEmail', 'ada@example.com')
    await save(ada.page)
    await grace.page.locator('[id="cell-1-supportEmail"][data-flashed]').waitFor()
    expect(await cell(grace.page, 'supportEmail').textContent()).toContain('ada@example.com')
    // The person who saved it knows, so nothing flashes there.
    expect(await ada.page.locator('[data-flashed]').count()).toBe(0)
    await cell(grace.page, 'supportEmail').click()
    await grace.page.getByText(/^set by Ada/).waitFor()
  })

  it('keep what they staged, are told who was faster, and take what the other one saved', async () => {
    await disagree('https://grace.example.com', 'https://ada.example.com')
    await inConflict(grace.page, 'apiUrl').waitFor()
    expect(await cell(grace.page, 'apiUrl').textContent()).toContain('https://grace.example.com')
    const drawer = await openReview(grace.page)
    await drawer.getByText(/^Ada saved https:\/\/ada\.example\.com/).waitFor()
    expect(await drawer.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    expect(await grace.accessibilityViolations()).toEqual([])
    await grace.picture('conflict-of-two-light')
    await drawer.getByRole('button', { name: 'Take theirs' }).click()
    await drawer.waitFor({ state: 'detached' })
    expect(await cell(grace.page, 'apiUrl').textContent()).toContain('https://ada.example.com')
    expect(await grace.page.locator('[data-staged]').count()).toBe(0)
    expect(await valueOf('apiUrl')).toBe('https://ada.example.com')
  })

  it('lose nothing when a save comes a moment too late, before its page knows of the other', async () => {
    // Nothing is told to this page: it saves on what it has seen.
    await grace.page.route('**/events*', (route) => route.abort())
    await disagree('https://grace.example.com/3', 'https://ada.example.com/3')
    const drawer = await openReview(grace.page)
    await drawer.getByRole('button', { name: 'Save' }).click()
    await drawer.getByText(/^Ada saved https:\/\/ada\.example\.com\/3/).waitFor()
    expect(await valueOf('apiUrl')).toBe('https://ada.example.com/3')
    expect(await cell(grace.page, 'apiUrl').textContent()).toContain('https://grace.example.com/3')
  })
})
