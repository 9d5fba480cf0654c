import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { look, press } from '../look.ts'
import { openDashboard, type Dashboard } from '../open-dashboard.ts'
import { settle } from '../page/settle.ts'
import { choose, keptBy } from './play-people.ts'

let dashboard: Dashboard

beforeAll(async () => {
  dashboard = await openDashboard()
  await dashboard.service.ask('POST /api-keys', { name: 'ci', kind: 'm2m' })
  await dashboard.service.ask('POST /api-keys', { name: 'web-app', kind: 'b2m' })
})
afterAll(() => dashboard.close())

interface ApiKey {
  readonly id: string
  readonly name: string
  readonly environmentIds: readonly string[] | null
  readonly allowedOrigins: readonly string[] | null
  readonly revision: number
}

async function findKey(name: string): Promise<ApiKey | undefined> {
  const { items } = await dashboard.service.ask<{ readonly items: readonly ApiKey[] }>(
    'GET /api-keys',
  )
  return items.find((key) => key.name === name)
}

/** Returns how the service answers somebody with this secret. */
async function askWith(secret: string): Promise<number> {
  const { apiUrl, orgId } = dashboard.service
  const headers = { authorization: `Bearer ${secret}` }
  return (await fetch(`${apiUrl}/organizations/${orgId}/environments`, { headers })).status
}

describe('a key', () => {
  it('that is rotated has two secrets for a while, or one at once', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go('/keys')
    const rotate = async (overlap: string) => {
      await choose(page, 'Actions for ci', 'Rotate')
      await page.getByLabel('Keep the old secret working for').selectOption({ label: overlap })
      await press(page, 'Rotate key')
      const region = page.getByRole('region', { name: 'Server key' })
      const secret = (await region.locator('code').textContent()) ?? ''
      await press(page, 'I have copied it')
      expect(await keptBy(page)).not.toContain(secret)
      return secret
    }
    const first = await rotate('not at all')
    const second = await rotate('a day')
    await page.getByRole('row', { name: /ci/ }).getByText('old secret expires').waitFor()
    await choose(page, 'Actions for ci', 'Rotate')
    expect(await look(seat, 'key-overlap')).toEqual([])
    await press(page, 'Cancel')
    expect(await Promise.all([askWith(first), askWith(second)])).toEqual([200, 200])
    const third = await rotate('not at all')
    await page.getByText('old secret expires').waitFor({ state: 'detached' })
    const answers = await Promise.all([first, second, third].map(askWith))
    expect(answers).toEqual([401, 401, 200])
  })

  it('shows on which days it read secrets', async () => {
    const { service } = dashboard
    await service.asOwner(
      `insert into api_key_secret_reads (org_id, key_id, day, reads)
        select org_id, id, '2026-11-01', 1234 from api_keys where org_id = $1 and name = 'ci'`,
      [service.orgId],
    )
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go('/keys')
    await choose(page, 'Actions for ci', 'Reads of secrets')
    await page.getByRole('row', { name: '2026-11-01 1,234' }).waitFor()
    expect(await look(seat, 'key-secret-reads')).toEqual([])
    await seat.close()
  })

  it('is renamed and restricted, and keeps what nobody changed', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go('/keys')
    await choose(page, 'Actions for web-app', 'Change')
    const dialog = page.getByRole('dialog', { name: 'Change web-app' })
    await dialog.getByLabel('Allowed origins').fill('app.example.com')
    await press(dialog, 'Save')
    await dialog.getByRole('alert').getByText('Use an origin such as').waitFor()
    expect(await look(seat, 'key-change')).toEqual([])
    await dialog.getByLabel('Name').fill('shop')
    await dialog.getByLabel('Allowed origins').fill('https://shop.example.com')
    await dialog.getByLabel('Allowed networks').fill('127.0.0.0/33')
    await press(dialog, 'Save')
    await dialog.getByRole('alert').getByText('Use a network such as').waitFor()
    await dialog.getByLabel('Allowed networks').fill('127.0.0.1/8')
    await dialog.getByLabel('Only selected environments').check()
    await press(dialog, 'Save')
    await dialog.getByText('Select at least one environment.').waitFor()
    await dialog.getByLabel('production').check()
    await press(dialog, 'Save')
    const reach =
      'Public values and flags, in production, from https://shop.example.com, only at 127.0.0.0/8'
    await page.getByRole('cell', { name: reach }).waitFor()
    const changed = await findKey('shop')
    expect(changed?.environmentIds).toHaveLength(1)
    expect(changed?.allowedOrigins).toEqual(['https://shop.example.com'])
  })

  it('is not let loose by a form that does not know yet what it is restricted to', async () => {
    const before = await findKey('shop')
    const seat = await dashboard.open()
    const { page } = seat
    // The names of the environments do not come.
    await page.route(/\/environments(\?|$)/, (route) => route.abort())
    await page.goto(`${dashboard.service.apiUrl}/acme/keys`)
    await choose(page, 'Actions for shop', 'Change')
    await page.getByRole('dialog').getByLabel('Name').fill('store')
    await press(page.getByRole('dialog'), 'Save')
    await page.getByRole('cell', { name: /^store/ }).waitFor()
    const revision = Number(before?.revision) + 1
    expect(await findKey('store')).toEqual({ ...before, name: 'store', revision })
  })
})

/** Lists the elements in which a name shares a line with other text, whose direction it would reverse. */
const findUnisolated = (page: Page, name: string) =>
  page.evaluate((looked) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const { parentElement: around, textContent } = node
      if (around === null || textContent?.includes(looked) !== true) continue
      const { display, unicodeBidi } = getComputedStyle(around)
      const isApart = !display.startsWith('inline') || unicodeBidi.includes('isolate')
      if (!isApart || around.textContent !== looked) found.push(around.outerHTML)
    }
    return found
  }, name)

describe('a name from before that would be refused now', () => {
  it('turns around nothing of what stands beside it', async () => {
    const { service } = dashboard
    const name = 'ci\u202Egpj.exe'
    const { id } = await service.ask<ApiKey>('POST /api-keys', { name: 'ci', kind: 'm2m' })
    await service.asOwner('update api_keys set name = $2 where id = $1', [id, name])
    await service.asOwner('update organizations set name = $2 where id = $1', [service.orgId, name])
    const seat = await dashboard.open()
    const { page } = seat
    for (const path of ['/acme/keys', '/orgs', '/acme/audit']) {
      await page.goto(`${service.apiUrl}${path}`)
      await page.getByText(name).first().waitFor()
      await settle(page)
      expect([path, await findUnisolated(page, name)]).toEqual([path, []])
    }
  })
})
