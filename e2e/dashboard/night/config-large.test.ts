import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDashboard, type Dashboard } from '../open-dashboard.ts'
import { press } from '../read-focus.ts'

const keys = Array.from({ length: 2000 }, (_, index) => `key${String(index).padStart(4, '0')}`)
const rowsAtMost = 100

let dashboard: Dashboard

beforeAll(async () => {
  dashboard = await openDashboard()
  const { ask } = dashboard.service
  await ask('POST /environments', { name: 'preview' })
  const schema = Object.fromEntries(
    keys.map((key) => [key, { type: 'string', tier: 'public', default: `of ${key}` }]),
  )
  await ask('POST /config-schemas', { name: 'large', schema })
})
afterAll(() => dashboard.close())

it('a matrix of 2,000 keys in four environments is walked, filtered and edited to its last row, and draws what is in sight', async () => {
  const seat = await dashboard.open()
  const { page } = seat
  await seat.go('/config')
  await page.getByText('2000 keys', { exact: true }).waitFor()
  // Counted at every change of the page, not only when somebody looks.
  await page.evaluate(() => {
    const count = () => {
      const { length } = document.querySelectorAll('[role=row]')
      const { dataset } = document.documentElement
      dataset['rows'] = String(Math.max(length, Number(dataset['rows'] ?? 0)))
    }
    count()
    new MutationObserver(count).observe(document.body, { childList: true, subtree: true })
  })
  const active = () => page.evaluate(() => document.activeElement?.id)
  const last = page.locator('[id="cell-4-key1999"]')

  await page.locator('[id="cell-1-key0000"]').click()
  await press(page, 'Control+End')
  expect(await active()).toBe('cell-4-key1999')
  await page.getByRole('row').filter({ has: last }).getByText('key1999', { exact: true }).waitFor()
  expect(await last.textContent()).toContain('of key1999')
  await expect
    .poll(() =>
      last.evaluate((cell) => {
        const { top, bottom } = cell.getBoundingClientRect()
        return top >= 0 && bottom <= innerHeight
      }),
    )
    .toBe(true)

  await page.keyboard.type('changed')
  await press(page, 'Enter')
  await page.getByRole('button', { name: 'Review 1 change' }).waitFor()
  expect(await last.getAttribute('data-staged')).toBe('true')
  expect(await active()).toBe('cell-4-key1999')

  await press(page, 'Control+Home')
  expect(await active()).toBe('cell-0-key0000')
  await press(page, '/')
  await page.keyboard.type('key1042')
  await page.getByText('1 of 2000 keys').waitFor()
  await page.locator('[id="cell-1-key1042"]').waitFor()
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
  await press(page, 'Control+a', 'Delete')
  await page.getByText('2000 keys', { exact: true }).waitFor()
  await page.locator('[id="cell-0-key0000"]').waitFor()

  const rows = await page.evaluate(() => Number(document.documentElement.dataset['rows']))
  expect(rows).toBeGreaterThan(10)
  expect(rows).toBeLessThanOrEqual(rowsAtMost)
})
