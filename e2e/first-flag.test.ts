import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { shareBrowser } from './browser.ts'
import { callAsServerKey, setUpInBrowser } from './first-owner.ts'
import { startService, type ServiceProcess } from './start-service.ts'

let directory: string
let service: ServiceProcess

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-first-flag-'))
  // PostgreSQL runs as another user when the tests run as root, and has to pass through.
  await chmod(directory, 0o711)
  service = await startService({ env: { SIGNALBOX_DATA_DIR: join(directory, 'data') } })
})

afterAll(async () => {
  await service?.stop()
  await rm(directory, { recursive: true, force: true })
})

/** Presses the one main action of the open dialog, or else of the page. Fails where there are several, or none. */
async function pressPrimary(page: Page, name: string): Promise<void> {
  const place = (await page.locator('dialog').count()) > 0 ? 'dialog' : 'main'
  const primary = page.locator(`${place} .bg-accent:visible`)
  await primary.filter({ hasText: name }).waitFor()
  expect(await primary.count()).toBe(1)
  await primary.click()
}

it('leads from the set-up link to a flag that an application reads within a minute, by primary buttons alone', async () => {
  const context = await (await shareBrowser()).newContext()
  const page = await context.newPage()
  const begun = performance.now()
  const keys = await setUpInBrowser(page, service.setupUrl)
  await page.getByRole('link', { name: 'Flags', exact: true }).click()

  await pressPrimary(page, 'Create a schema')
  await page.getByRole('dialog').getByLabel('Name').fill('web')
  await pressPrimary(page, 'Create schema')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await pressPrimary(page, 'Add a flag')
  const form = page.getByRole('dialog')
  await form.getByLabel('Name').fill('newCheckout')
  await form.getByLabel('development').selectOption('on')
  await form.getByLabel('staging').selectOption('on')
  await pressPrimary(page, 'Review')
  await form.getByLabel('Type "production" to confirm').fill('production')
  await pressPrimary(page, 'Add flag')
  await page.getByRole('switch', { name: 'newCheckout in production' }).waitFor()

  const call = await callAsServerKey(service.apiUrl, keys.server)
  const { items } = await call<{ items: { id: string; name: string }[] }>('GET', '/environments')
  const schemas = await call<{ items: { id: string }[] }>('GET', '/config-schemas')
  const flags: Record<string, unknown> = {}
  for (const { id, name } of items) {
    const address = `${service.configUrl}/snapshots/${schemas.items[0]?.id}/${id}`
    const answer = await fetch(address, { headers: { authorization: `Bearer ${keys.browser}` } })
    const { featureFlags } = (await answer.json()) as { featureFlags: { newCheckout: boolean } }
    flags[name] = featureFlags.newCheckout
  }
  expect(flags).toEqual({ development: true, staging: true, production: false })
  expect(performance.now() - begun).toBeLessThan(60_000)
  await context.close()
}, 120_000)
