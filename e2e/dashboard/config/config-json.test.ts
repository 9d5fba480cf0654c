import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDashboard, type Dashboard } from '../open-dashboard.ts'

let dashboard: Dashboard
let schemaId: string
let environmentId: string

beforeAll(async () => {
  dashboard = await openDashboard()
  const { ask } = dashboard.service
  const { items } = await ask<{ items: { id: string; name: string }[] }>('GET /environments')
  environmentId = items.find(({ name }) => name === 'development')?.id ?? ''
  const constraints = { type: 'object', properties: { limit: { type: 'number', maximum: 50 } } }
  const schema = { banner: { type: 'json', tier: 'public', constraints } }
  schemaId = (await ask<{ id: string }>('POST /config-schemas', { name: 'shapes', schema })).id
})
afterAll(() => dashboard.close())

it('a cell of JSON names the line that is none, shows what the schema refuses, and is saved and compared', async () => {
  const seat = await dashboard.open()
  const { page } = seat
  await seat.go('/config')
  const cell = page.locator('[id="cell-1-banner"]')
  await cell.click()
  const press = (key: string) => page.keyboard.press(key)
  await press('Enter')
  await page.keyboard.type('{\n"limit": 5\n"limit": 6\n}')
  await page.getByText('Line 3: Expected "," or "}"').waitFor()
  await press('Control+a')
  await page.keyboard.type('{"limit":\n 60}')
  await press('Control+Enter')
  await cell.getByText('{"limit":60}').waitFor()
  await press('Control+s')
  const drawer = page.getByRole('dialog', { name: 'Review 1 change' })
  await drawer.getByText('limit: Use a number of at most 50.').waitFor()
  await press('Escape')
  await cell.focus()
  await press('Enter')
  // The value comes back on several lines.
  const field = page.getByRole('textbox', { name: 'banner in development' })
  expect(await field.inputValue()).toBe('{\n  "limit": 60\n}')
  await press('Control+a')
  await page.keyboard.type('{"limit": 6}')
  await press('Control+Enter')
  await press('Control+s')
  await drawer.getByText('{"limit":6}').waitFor()
  await drawer.getByRole('button', { name: 'Save' }).click()
  await page.getByText('1 change saved in development.').waitFor()
  const query = `schemaId=${schemaId}&environmentId=${environmentId}`
  const { values } = await dashboard.service.ask<{ values: { banner: { value: unknown } } }>(
    `GET /config-values?${query}`,
  )
  expect(values.banner.value).toEqual({ limit: 6 })
  await seat.close()
})
