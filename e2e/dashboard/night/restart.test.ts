import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shareBrowser } from '../../browser.ts'
import { callAsServerKey, setUpInBrowser } from '../../first-owner.ts'
import { startService, type ServiceProcess } from '../../start-service.ts'

let directory: string
let service: ServiceProcess
let browser: Browser

const start = (port: string) =>
  startService({
    env: { SIGNALBOX_DATA_DIR: join(directory, 'data'), SIGNALBOX_API_PORT: port },
    timeoutMs: 120_000,
  })

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-restart-'))
  // PostgreSQL runs as another user when the tests run as root, and has to pass through.
  await chmod(directory, 0o711)
  ;[service, browser] = await Promise.all([start('0'), shareBrowser()])
}, 150_000)
afterAll(async () => {
  await service.stop()
  await rm(directory, { recursive: true, force: true })
})

const cell = (page: Page, key: string) => page.locator(`[id="cell-1-${key}"]`)

describe(
  'a page that is open while the server is killed and started again',
  { timeout: 240_000 },
  () => {
    it('says that it is stale, keeps what is staged, and shows what was changed meanwhile without being loaded again', async () => {
      const context = await browser.newContext()
      const page = await context.newPage()
      const keys = await setUpInBrowser(page, service.setupUrl)
      const call = await callAsServerKey(service.apiUrl, keys.server)
      const { id: schemaId } = await call<{ id: string }>('POST', '/config-schemas', {
        name: 'web',
        schema: {
          title: { type: 'string', tier: 'public', default: 'Shop' },
          theme: { type: 'string', tier: 'public', default: 'plain' },
        },
      })
      const { items } = await call<{ items: { id: string; name: string }[] }>(
        'GET',
        '/environments',
      )
      const environmentId = items.find(({ name }) => name === 'development')?.id

      await page.goto(`${service.apiUrl}/acme/config`)
      await cell(page, 'title').click()
      await page.keyboard.type('Staged before the end')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Review 1 change' }).waitFor()
      await page.locator('[data-live=live]').waitFor()
      await page.evaluate(() => document.documentElement.setAttribute('data-kept', 'yes'))

      const { port } = new URL(service.apiUrl)
      await service.kill()
      await page.locator('[data-live=stale]').waitFor()
      expect(await cell(page, 'title').textContent()).toContain('Staged before the end')

      // The page hears nothing of the restarted server until somebody else has changed what it shows.
      await context.setOffline(true)
      service = await start(port)
      await call('PUT', '/config-values', { schemaId, environmentId, values: { theme: 'changed' } })
      expect(await cell(page, 'theme').textContent()).toContain('plain')
      await context.setOffline(false)

      await page.locator('[data-live=live]').waitFor()
      await cell(page, 'theme').getByText('changed').waitFor()
      expect(await cell(page, 'title').textContent()).toContain('Staged before the end')
      expect(await page.locator('html').getAttribute('data-kept')).toBe('yes')
      await context.close()
    })
  },
)
