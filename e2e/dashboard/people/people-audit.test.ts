import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { look, lookEverywhere, press } from '../look.ts'
import { openDashboard, type Dashboard } from '../open-dashboard.ts'
import { addPerson } from './play-people.ts'

let dashboard: Dashboard

beforeAll(async () => {
  dashboard = await openDashboard()
  await addPerson(dashboard, { name: 'Grace', role: 'developer' })
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
})

describe('the chain', () => {
  it('is whole while nobody meddles, and shows where an event was changed behind its back', async () => {
    const seat = await dashboard.open()
    await seat.go('/audit')
    await press(chain(seat.page), 'Check the chain')
    await chain(seat.page)
      .getByText(/^\d+ events checked: the chain is unbroken/)
      .waitFor()
    const [changed] = await dashboard.service.asOwner<{ readonly sequence: string }>(
      `update audit_events set action = 'member.removed' where org_id = $1 and sequence = 2 returning sequence::text`,
      [dashboard.service.orgId],
    )
    expect(changed?.sequence).toBe('2')
    await press(chain(seat.page), 'Check the chain')
    await chain(seat.page).getByText('Broken').waitFor()
    await chain(seat.page).getByText('Event 2 was changed. Intact before it: 1 event.').waitFor()
    expect(await lookEverywhere(seat, 'audit-broken')).toEqual([])
  })
})
