import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createConfigPlaces, type ConfigPlaces } from './config-places.ts'
import { openDashboard, type Dashboard, type Seat } from './open-dashboard.ts'

let dashboard: Dashboard
let places: ConfigPlaces
let seat: Seat
let page: Page

beforeAll(async () => {
  dashboard = await openDashboard()
  places = await createConfigPlaces(dashboard.service)
})
afterAll(() => dashboard.close())
beforeEach(async () => {
  seat = await dashboard.open()
  page = seat.page
  return () => seat.close()
})

const valueIn = async (environment: string, key: string) =>
  (await places.read(environment))[key]?.value

describe('the history', () => {
  it('shows the saves of one key, compares two and restores one', async () => {
    await places.set('production', { apiUrl: 'https://second.example.com' })
    await seat.go(`/history?key=apiUrl&environment=${places.environments['production']}`)
    await page.getByText('https://api.example.com → https://second.example.com').waitFor()
    await page.getByRole('checkbox', { name: 'Choose production version 3' }).check()
    await page.getByRole('checkbox', { name: 'Choose production version 2' }).check()
    await page.getByRole('button', { name: 'Compare' }).click()
    const drawer = page.getByRole('dialog', { name: 'How two versions differ' })
    await drawer.getByText('https://second.example.com').waitFor()
    await seat.picture('compare-light')
    expect(await seat.accessibilityFaults()).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('checkbox', { name: 'Choose production version 3' }).uncheck()
    await page.getByRole('button', { name: 'Restore 1 version' }).click()
    const restore = page.getByRole('dialog', { name: 'Restore a version' })
    await restore.getByText('https://api.example.com').waitFor()
    const submit = restore.getByRole('button', { name: 'Restore' })
    expect(await submit.isDisabled()).toBe(true)
    await restore.getByLabel('Type production to change it').fill('production')
    await submit.click()
    await page.getByText('Restored, as a new version.').waitFor()
    expect(await valueIn('production', 'apiUrl')).toBe('https://api.example.com')
    expect(seat.complaints()).toEqual([])
  })

  it('promotes a secret that nobody sees, after showing that it changes', async () => {
    await seat.go('/history?panel=promote&key=stripeSecretKey')
    const drawer = page.getByRole('dialog', { name: 'Promote values' })
    await drawer.getByLabel('To').selectOption('production')
    await drawer.getByText('A secret: its values are not shown.').waitFor()
    await drawer.getByLabel('Type production to change it').fill('production')
    await drawer.getByRole('button', { name: 'Promote' }).click()
    await page.getByText('Promoted to production.').waitFor()
    expect(await valueIn('production', 'stripeSecretKey')).toBe('the secret of development')
    expect(await page.content()).not.toContain('the secret of development')
  })
})

describe('environments', () => {
  it('are made, protected, refuse what is not confirmed, and are deleted with their values', async () => {
    await seat.go('/environments?panel=create')
    const create = page.getByRole('dialog', { name: 'Create an environment' })
    await page.keyboard.type('preview')
    await create.getByLabel('A comment that says why').check()
    await create.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'preview' }).waitFor()
    const { items } = await dashboard.service.ask<{ items: { id: string; name: string }[] }>(
      'GET /environments',
    )
    const preview = items.find(({ name }) => name === 'preview')?.id
    const write = { schemaId: places.schemaId, environmentId: preview, values: { searchV2: true } }
    await expect(dashboard.service.ask('PUT /config-values', write)).rejects.toThrow(
      'comment_required',
    )
    await dashboard.service.ask('PUT /config-values', { ...write, comment: 'to try it' })
    await page.getByRole('button', { name: 'Actions for preview' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete preview?' })
    await dialog.getByLabel('Why').fill('not used')
    await dialog.getByLabel('Type preview to delete it').fill('preview')
    await dialog.getByRole('button', { name: 'Delete environment' }).click()
    await dialog.getByLabel('Delete its values as well').check()
    await seat.picture('environment-delete-light')
    await dialog.getByRole('button', { name: 'Delete environment' }).click()
    await page.getByText('preview was deleted.').waitFor()
    await page.getByRole('heading', { name: 'preview' }).waitFor({ state: 'detached' })
    expect(seat.complaints()).toEqual([])
  })
})

describe('a schema', () => {
  it('says what another definition would break, and changes nothing', async () => {
    await seat.go(`/schemas?schema=${places.schemaId}&view=change`)
    const field = page.getByLabel('Definition, as JSON')
    await field.fill('{ "apiUrl": { "type": "number", "tier": "public" } }')
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    const report = page.getByRole('list', { name: 'What it would break' })
    await report.getByText('production').waitFor()
    await seat.picture('schema-broken-light')
    expect(await valueIn('production', 'apiUrl')).toBe('https://api.example.com')
    await field.fill('no JSON')
    expect(await page.getByRole('button', { name: 'Check', exact: true }).isDisabled()).toBe(true)
    expect(await seat.accessibilityFaults()).toEqual([])
  })
})
