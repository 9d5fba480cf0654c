import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../browser.ts'
import { startService, type ServiceProcess } from '../start-service.ts'

let directory: string
let service: ServiceProcess
let browser: Browser

const start = (port: string) =>
  startService({
    env: { SIGNALBOX_DATA_DIR: join(directory, 'data'), SIGNALBOX_API_PORT: port },
    timeoutMs: 60_000,
  })

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-restart-'))
  // PostgreSQL runs as another user when the tests run as root, and has to pass through.
  await chmod(directory, 0o711)
  ;[service, browser] = await Promise.all([start('0'), openBrowser()])
})
afterAll(async () => {
  await browser.close()
  await service.stop()
  await rm(directory, { recursive: true, force: true })
})

describe(
  'a page that is open while the server is killed and started again',
  { timeout: 120_000 },
  () => {
    it('says that it is stale, comes back by itself, and shows what changed meanwhile', async () => {
      const page = await browser.newPage()
      await page.goto(service.setupUrl ?? '')
      for (const [label, value] of Object.entries({
        'Your name': 'Ada',
        'E-mail': 'ada@example.com',
        Password: 'correct horse battery',
        'Name of your organization': 'Acme',
      })) {
        await page.getByLabel(label).fill(value)
      }
      await page.getByRole('button', { name: 'Set up' }).click()
      await page.getByRole('link', { name: 'Open the dashboard' }).click()
      await page.locator('[data-live=live]').waitFor()
      await page.goto(`${service.apiUrl}/acme/keys`)
      await page.getByText('First server key').waitFor()

      const { port } = new URL(service.apiUrl)
      await service.kill()
      await page.locator('[data-live=stale]').waitFor()
      expect(await page.getByText('First server key').count()).toBe(1)

      service = await start(port)
      await page.locator('[data-live=live]').waitFor()
      await page.getByRole('link', { name: 'Members' }).click()
      await page.getByText('ada@example.com').waitFor()
    })
  },
)
