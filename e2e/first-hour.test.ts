import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox, type Sandbox } from '@signalbox/sandbox'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { shareBrowser } from './browser.ts'
import { allowAtProvider } from './dashboard/integrations/allow-at-provider.ts'
import { callAsServerKey, setUpInBrowser } from './first-owner.ts'
import { startService, type ServiceProcess } from './start-service.ts'

let directory: string
let sandbox: Sandbox
let service: ServiceProcess
let context: BrowserContext
let page: Page

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-first-hour-'))
  // PostgreSQL runs as another user when the tests run as root, and has to pass through.
  await chmod(directory, 0o711)
  sandbox = await startSandbox()
  const { addresses } = sandbox
  service = await startService({
    env: {
      SIGNALBOX_DATA_DIR: join(directory, 'data'),
      SIGNALBOX_GITHUB_WEB_URL: addresses.githubWeb,
      SIGNALBOX_GITHUB_API_URL: addresses.githubApi,
      SIGNALBOX_JIRA_AUTH_URL: addresses.jiraAuth,
      SIGNALBOX_JIRA_API_URL: addresses.jiraApi,
      SIGNALBOX_SLACK_WEB_URL: addresses.slackWeb,
      SIGNALBOX_SLACK_API_URL: addresses.slackApi,
    },
  })
  context = await (await shareBrowser()).newContext()
  page = await context.newPage()
})

afterAll(async () => {
  await context?.close()
  await service?.stop()
  await sandbox?.close()
  await rm(directory, { recursive: true, force: true })
})

/** Presses the main action of this name. Fails where there is none, or several. */
async function pressPrimary(name: string): Promise<void> {
  const primary = page.locator('main .bg-accent:visible, dialog .bg-accent:visible')
  const named = primary.filter({ hasText: name })
  await named.waitFor()
  expect(await named.count()).toBe(1)
  await named.click()
}

/** Presses the one main action of the open dialog, or else of the page. Fails where there are several. */
async function pressOnly(name: string): Promise<void> {
  const place = (await page.locator('dialog').count()) > 0 ? 'dialog' : 'main'
  const primary = page.locator(`${place} .bg-accent:visible`)
  await primary.filter({ hasText: name }).waitFor()
  expect(await primary.count()).toBe(1)
  await primary.click()
}

/** Reads an address that the open form shows to be copied. */
async function addressOf(label: string): Promise<string> {
  const group = page.getByText(label, { exact: true }).locator('..')
  return (await group.locator('code').textContent()) ?? ''
}

it('the set-up link leads to a flag that an application reads within a minute, by primary buttons alone', async () => {
  const begun = performance.now()
  const keys = await setUpInBrowser(page, service.setupUrl)
  await page.getByRole('link', { name: 'Flags', exact: true }).click()

  await pressOnly('Create a schema')
  await page.getByRole('dialog').getByLabel('Name').fill('web')
  await pressOnly('Create schema')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await pressOnly('Add a flag')
  const form = page.getByRole('dialog')
  await form.getByLabel('Name').fill('newCheckout')
  await form.getByLabel('development').selectOption('on')
  await form.getByLabel('staging').selectOption('on')
  await pressOnly('Review')
  await form.getByLabel('Type "production" to confirm').fill('production')
  await pressOnly('Add flag')
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
}, 120_000)

it('the overview leads to three connected providers by the buttons of each page', async () => {
  await page.getByRole('link', { name: 'Overview' }).first().click()

  await pressPrimary('Connect a code host')
  await pressPrimary('Create the GitHub App')
  await page.getByRole('button', { name: 'Register at GitHub' }).click()
  await page.fill('input[name=name]', 'signalbox-acme')
  await page.click('button')
  await page.getByRole('link', { name: 'Continue in Signalbox' }).click()
  await page.waitForURL('**/integrations/codehost')
  await pressPrimary('Connect GitHub')
  await allowAtProvider(page, service.apiUrl)
  await page.getByText('Connected', { exact: true }).first().waitFor()

  const { jira, slack } = sandbox
  for (const [choice, provider, values] of [
    [
      'an issue tracker',
      'Jira',
      { 'Client ID': jira.app.clientId, 'Client secret': jira.app.clientSecret },
    ],
    [
      'a chat',
      'Slack',
      {
        'Client ID': slack.app.clientId,
        'Client secret': slack.app.clientSecret,
        'Signing secret': slack.app.signingSecret,
      },
    ],
  ] as const) {
    await page.getByRole('link', { name: 'Overview' }).first().click()
    await pressPrimary(`Connect ${choice}`)
    // GitHub Issues can be used already, so it is the main action of its page.
    await page.getByRole('button', { name: `Set up ${provider}` }).click()
    const app = provider === 'Jira' ? jira.app : slack.app
    app.redirectUris = [await addressOf('Callback')]
    for (const [label, value] of Object.entries(values)) {
      await page.getByLabel(label, { exact: true }).fill(value)
    }
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await pressPrimary(`Connect ${provider}`)
    await allowAtProvider(page, service.apiUrl)
    await page.getByText('Connected', { exact: true }).first().waitFor()
  }
  await page.getByRole('link', { name: 'All integrations' }).click()
  await page.getByRole('link', { name: 'Manage' }).first().waitFor()
  expect(await page.getByRole('link', { name: 'Manage' }).count()).toBe(3)
}, 120_000)
