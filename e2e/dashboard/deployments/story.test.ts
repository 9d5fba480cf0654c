import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox, type Sandbox } from '@signalbox/sandbox'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from '../../../packages/server/src/settings.ts'
import type { Service } from '../../../packages/server/src/start/service.ts'
import { startService } from '../../../packages/server/src/start/start-service.ts'
import {
  registerAt,
  sandboxVariables,
} from '../../../packages/server/src/start/testing/connect-organization.ts'
import { openShop, type Shop } from '../../../packages/server/src/start/testing/play-push.ts'
import {
  createTestDatabase,
  type TestDatabase,
} from '../../../packages/server/src/store/testing/test-database.ts'
import { silentLog } from '../../../packages/server/src/telemetry/log.ts'
import { shareBrowser } from '../../browser.ts'
import type { Caller } from '../../call.ts'
import { serveConfigPage, type ConfigPage } from '../../config-page.ts'
import { callAsServerKey, setUpInBrowser, type FirstKeys } from '../../first-owner.ts'
import { allowAtProvider } from '../integrations/allow-at-provider.ts'

let directory: string
let sandbox: Sandbox
let database: TestDatabase
let service: Service
let apiUrl: string
let browser: Browser
let context: BrowserContext
let page: Page
let shop: Shop
const complaints: string[] = []
let keys: FirstKeys
let asServer: Caller

beforeAll(async () => {
  ;[directory, database, sandbox, browser] = await Promise.all([
    mkdtemp(join(tmpdir(), 'signalbox-story-')),
    createTestDatabase(),
    startSandbox(),
    shareBrowser(),
  ])
  const settings = readSettings({
    ...sandboxVariables(sandbox),
    DATABASE_URL: database.databaseUrl,
    SIGNALBOX_ROOT_KEY: 'A'.repeat(43),
    SIGNALBOX_DATA_DIR: directory,
    SIGNALBOX_API_PORT: '0',
    SIGNALBOX_DELIVERY_PORT: '0',
  })
  service = await startService(settings, silentLog)
  apiUrl = service.apiUrl ?? ''
  await registerAt(sandbox, apiUrl)
  shop = openShop(sandbox)
  context = await browser.newContext({ viewport: { width: 1360, height: 860 } })
  page = await context.newPage()
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text())
  })
})
afterAll(async () => {
  await context.close()
  await service.close()
  await sandbox.close()
  await database.drop()
  await rm(directory, { recursive: true, force: true })
})

const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const go = (path: string) => page.goto(`${apiUrl}/acme${path}`)

/** Goes through the pages of a provider, allows everything, and comes back. */
async function connect(kind: string, name: string): Promise<void> {
  await go('/integrations')
  await press(`Connect ${name}`)
  await allowAtProvider(page, apiUrl)
  await page.waitForURL(`${apiUrl}/acme/integrations/${kind}`)
}

/** Each goes on where the one before it has stopped. */
describe('from the first start to a value that an application reads', { timeout: 150_000 }, () => {
  it('begins with the link that the start printed: the owner is made in the browser', async () => {
    keys = await setUpInBrowser(page, service.setupUrl)
    asServer = await callAsServerKey(apiUrl, keys.server)
    expect(complaints).toEqual([])
  })

  it('connects all three providers through their consent pages, and chooses what is tested and told', async () => {
    await connect('codehost', 'GitHub')
    await connect('tracker', 'Jira')
    await connect('chat', 'Slack')
    await press('Choose a channel')
    await page.getByRole('combobox', { name: 'Channel' }).fill('deployments')
    await page.getByRole('option', { name: /deployments/ }).click()
    await page.getByText('#deployments').waitFor()
    await asServer('PATCH', '/integrations/codehost', {
      testWorkflows: [{ workflowId: 'e2e.yml', debounceSeconds: 0 }],
    })
    expect(complaints).toEqual([])
  })

  it('fills the timeline of a push in a page that was open before it, which is never loaded again', async () => {
    const { activity, state } = sandbox.github
    const creator = state.accounts.get('ada')
    if (creator === undefined) throw new Error('The seed has lost its accounts.')
    await go('/deployments')
    await page.getByRole('heading', { name: 'No deployments yet' }).waitFor()
    await page.locator('[data-live=live]').waitFor()
    await page.evaluate(() => document.documentElement.setAttribute('data-kept', 'yes'))

    shop.push('ABC-1 Keep the currency')
    const deployment = activity.deploy(shop.repository, {
      ref: 'main',
      creator,
      environment: 'staging',
    })
    const tell = (to: 'queued' | 'in_progress' | 'success') =>
      activity.setDeploymentStatus(shop.repository, deployment, { state: to, creator })
    tell('queued')
    await page.getByRole('link', { name: 'ABC-1 Keep the currency' }).first().click()
    const timeline = page.getByRole('region', { name: 'Timeline' })
    await timeline.getByText('1 of 1 issue linked').waitFor()
    expect(await timeline.getByText(/^Test run/).count()).toBe(0)

    tell('in_progress')
    await page.getByText('Running', { exact: true }).first().waitFor()
    tell('success')
    await timeline.getByText(/^Test run .*: passed/).waitFor({ timeout: 60_000 })
    expect(await page.locator('html').getAttribute('data-kept')).toBe('yes')
    expect(complaints).toEqual([])
  })

  it('is told of once, in the channel, with its issue', async () => {
    const told = () => sandbox.slack.messages('deployments')
    await expect.poll(() => told().length, { timeout: 30_000 }).toBe(1)
    const chat = await context.newPage()
    await chat.goto(`${sandbox.addresses.slackWeb}/channels`)
    await chat
      .getByRole('link', { name: /# deployments/ })
      .first()
      .click()
    await chat.getByText('ABC-1').first().waitFor()
    await chat.close()
  })

  it('shows a value that was edited, reviewed and saved to an open application, and the former one once it is restored', async () => {
    const application = await serveApplication()
    const shown = await context.newPage()
    await shown.goto(application.url)
    const heading = (name: string) => shown.getByRole('heading', { name, exact: true })
    await heading('Shop').waitFor()

    await edit('Shop of Acme')
    await heading('Shop of Acme').waitFor()
    await edit('Shop of Ada')
    await heading('Shop of Ada').waitFor()

    await go('/history?key=title')
    await page.getByText('Shop of Acme → Shop of Ada').waitFor()
    await page.getByRole('checkbox', { name: 'Choose development version 2' }).check()
    await press('Restore 1 version')
    const drawer = page.getByRole('dialog', { name: 'Restore a version' })
    await drawer.getByText('Shop of Acme').first().waitFor()
    await drawer.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('Restored as a new version.').waitFor()
    await heading('Shop of Acme').waitFor()
    expect(complaints).toEqual([])
    await shown.close()
    await application.close()
  })
})

/** A page that reads the title with the browser key of the set-up, after its definition was pushed. */
async function serveApplication(): Promise<ConfigPage> {
  const { id: schemaId } = await asServer<{ id: string }>('POST', '/config-schemas', {
    name: 'web',
    schema: { title: { type: 'string', tier: 'public', default: 'Shop' } },
  })
  const { items } = await asServer<{ items: { id: string; name: string }[] }>(
    'GET',
    '/environments',
  )
  const environmentId = items.find(({ name }) => name === 'development')?.id ?? ''
  const { configUrl: serverUrl = '' } = service
  return serveConfigPage({ serverUrl, token: keys.browser, schemaId, environmentId, key: 'title' })
}

/** Edits the title of development in the matrix, looks at what changes, and saves it. */
async function edit(value: string): Promise<void> {
  await go('/config')
  await page.locator('[id="cell-1-title"]').click()
  await page.keyboard.type(value)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+s')
  const review = page.getByRole('dialog')
  await review.getByText(value).first().waitFor()
  await review.getByRole('button', { name: 'Save' }).click()
  await page.getByText('1 change saved in development.').waitFor()
}
