import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { look, lookEverywhere, press } from '../look.ts'
import { openDashboard, type Dashboard } from '../open-dashboard.ts'
import { addPerson, type Person } from './play-people.ts'

let dashboard: Dashboard
let grace: Person

beforeAll(async () => {
  dashboard = await openDashboard({
    more: { SIGNALBOX_RATE_LIMITS: 'export=1m/2,session=1000/1000,write=1000/1000' },
  })
  grace = await addPerson(dashboard, { name: 'Grace', role: 'developer' })
  // Hostile to a spreadsheet, and to a page.
  await dashboard.service.ask('POST /api-keys', { name: '=1+1<img src=x>', kind: 'm2m' })
})
afterAll(() => dashboard.close())

const chain = (page: Page) => page.getByRole('region', { name: 'Hash chain' })

/** Presses a button that saves a file, and answers what came. */
async function download(page: Page, button: string): Promise<{ name: string; text: string }> {
  const coming = page.waitForEvent('download')
  await press(page, button)
  const file = await coming
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

describe('the audit log', () => {
  it('is narrowed by its filters, which the address holds', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go('/audit')
    await page.getByRole('cell', { name: 'Grace joined as developer' }).waitFor()
    await page.getByLabel('Action').selectOption({ label: 'API keys: all actions' })
    await page.getByLabel('Who').selectOption({ label: 'Ada' })
    await page.getByRole('cell', { name: 'Grace joined' }).waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: 'Ada created API key =1+1<img src=x>' }).waitFor()
    expect(await look(seat, 'audit-filtered')).toEqual([])

    const url = new URL(page.url())
    expect(url.searchParams.get('action')).toBe('key.')
    const other = await dashboard.open()
    await other.page.goto(url.href)
    await other.page.getByRole('cell', { name: 'Ada created API key =1+1<img src=x>' }).waitFor()
    expect(await other.page.getByLabel('Action').inputValue()).toBe('key.')
    expect(await other.page.getByLabel('Who').locator('option:checked').textContent()).toBe('Ada')
    await other.close()

    await page.getByLabel('Search').fill('rocket')
    await page.getByText('Nothing matches').waitFor()
    await page.getByRole('link', { name: 'Clear the filters' }).click()
    await page.getByRole('cell', { name: 'Grace joined' }).waitFor()
    expect(await page.getByLabel('Search').inputValue()).toBe('')
    await page.getByLabel('Search').fill('grace')
    await page.getByRole('cell', { name: /=1\+1/ }).waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: 'Grace joined' }).waitFor()
    await page.waitForURL(/\?query=grace$/)
    for (const one of [seat, other]) await one.close()
  })

  it('is exported as it is filtered, and no cell is a formula', async () => {
    const seat = await dashboard.open()
    await seat.go('/audit?action=key.created')
    const csv = await download(seat.page, 'Export CSV')
    expect(csv.name).toMatch(/\.csv$/)
    const [head = '', ...lines] = csv.text.trim().split('\r\n')
    expect(head).toContain('action')
    expect(lines.length).toBeGreaterThanOrEqual(1)
    for (const line of lines) expect(line).toContain('key.created')
    expect(csv.text).toContain("'=1+1")

    const { name, text } = await download(seat.page, 'Export JSON Lines')
    expect(name).toMatch(/\.jsonl$/)
    const events = text
      .trim()
      .split('\n')
      .map((line): { action: string } => JSON.parse(line))
    expect(events).toHaveLength(lines.length)
    expect(new Set(events.map(({ action }) => action))).toEqual(new Set(['key.created']))
  })

  it('says in the page why it is not exported once more, and from when on it is', async () => {
    const octocat = await addPerson(dashboard, { name: 'Octocat', role: 'admin' })
    const seat = await dashboard.open({ session: octocat.session })
    const { page } = seat
    await seat.go('/audit')
    await download(page, 'Export CSV')
    await download(page, 'Export JSON Lines')
    const saved: string[] = []
    page.on('download', (file) => saved.push(file.suggestedFilename()))
    await press(page, 'Export CSV')
    const why = page.getByRole('alert')
    await why.getByText(/is used up.* Try again after \d+:\d\d:\d\d/).waitFor()
    expect(await look(seat, 'audit-export-refused')).toEqual([])
    expect(saved).toEqual([])
    // It does not stay for the next try, which may succeed.
    await page.route('**/audit-events/export?*', (route) =>
      route.fulfill({
        contentType: 'text/csv',
        headers: { 'content-disposition': 'attachment; filename="later.csv"' },
        body: 'sequence\r\n',
      }),
    )
    expect((await download(page, 'Export CSV')).name).toBe('later.csv')
    expect(await why.count()).toBe(0)
  })

  it('is shown to admins and owners alone', async () => {
    const seat = await dashboard.open({ session: grace.session })
    await seat.go('/audit')
    await seat.page.getByText('Your role does not allow this').first().waitFor()
    expect(await look(seat, 'audit-developer')).toEqual([])
  })
})

describe('the chain', () => {
  it('is whole while nobody meddles', async () => {
    const seat = await dashboard.open()
    await seat.go('/audit')
    await press(chain(seat.page), 'Check the chain')
    await chain(seat.page).getByText('Intact').waitFor()
    await chain(seat.page)
      .getByText(/^\d+ events checked: the chain is unbroken/)
      .waitFor()
    expect(await look(seat, 'audit-intact')).toEqual([])
  })

  it('is checked again for whoever is sent the address, and stays in it while the log is filtered', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go('/audit')
    await press(chain(page), 'Check the chain')
    await page.getByLabel('Action').selectOption('key.')
    await page.waitForURL(/\?action=key\.&check=chain$/)
    const other = await dashboard.open()
    await other.page.goto(page.url())
    await chain(other.page).getByText('Intact').waitFor()
    expect(await other.page.getByLabel('Action').inputValue()).toBe('key.')
    for (const one of [seat, other]) await one.close()
  })

  it('is gone through when somebody asks, and not with each event that comes', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    const checks: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/audit-events/chain')) checks.push(request.url())
    })
    await seat.go('/audit?check=chain')
    await chain(page).getByText('Intact').waitFor()
    await dashboard.service.ask('POST /api-keys', { name: 'meanwhile', kind: 'm2m' })
    await page.getByRole('cell', { name: /meanwhile/ }).waitFor()
    expect(checks).toHaveLength(1)
    await press(chain(page), 'Check the chain')
    await expect.poll(() => checks).toHaveLength(2)
  })

  it('shows where an event was changed behind its back, and who reads it is told in both themes and on a phone', async () => {
    const [changed] = await dashboard.service.asOwner<{ readonly sequence: string }>(
      `update audit_events set action = 'member.removed' where org_id = $1 and sequence = 2 returning sequence::text`,
      [dashboard.service.orgId],
    )
    expect(changed?.sequence).toBe('2')
    const seat = await dashboard.open()
    await seat.go('/audit')
    await press(chain(seat.page), 'Check the chain')
    await chain(seat.page).getByText('Broken').waitFor()
    await chain(seat.page).getByText('Event 2 was changed. Intact before it: 1 event.').waitFor()
    expect(await lookEverywhere(seat, 'audit-broken')).toEqual([])
  })
})
