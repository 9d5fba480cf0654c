import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox, type Sandbox } from '@signalbox/sandbox'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { shareBrowser } from './browser.ts'
import { allowAtProvider } from './dashboard/integrations/allow-at-provider.ts'
import { setUpInBrowser } from './first-owner.ts'
import { startService, type ServiceProcess } from './start-service.ts'

let directory: string
let sandbox: Sandbox
let service: ServiceProcess

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
})

afterAll(async () => {
  await service?.stop()
  await sandbox?.close()
  await rm(directory, { recursive: true, force: true })
})

/** Presses a main action of the page. Fails where there is none, or several of that name: there is one for each provider. */
async function pressPrimary(page: Page, name: string): Promise<void> {
  const primary = page.locator('main .bg-accent:visible, dialog .bg-accent:visible')
  const named = primary.filter({ hasText: name })
  await named.waitFor()
  expect(await named.count()).toBe(1)
  await named.click()
}

/** Reads an address that the open form shows to be copied. */
async function addressOf(page: Page, label: string): Promise<string> {
  const group = page.getByText(label, { exact: true }).locator('..')
  return (await group.locator('code').textContent()) ?? ''
}

it('the set-up link leads to three connected providers by the buttons of each page', async () => {
  const context = await (await shareBrowser()).newContext()
  const page = await context.newPage()
  await setUpInBrowser(page, service.setupUrl)

  await pressPrimary(page, 'Connect a code host')
  await pressPrimary(page, 'Create the GitHub App')
  await page.getByRole('button', { name: 'Register at GitHub' }).click()
  await page.fill('input[name=name]', 'signalbox-acme')
  await page.click('button')
  await page.getByRole('link', { name: 'Continue in Signalbox' }).click()
  await page.waitForURL('**/integrations/codehost')
  await pressPrimary(page, 'Connect GitHub')
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
    await pressPrimary(page, `Connect ${choice}`)
    // GitHub Issues can be used already, so it is the main action of its page.
    await page.getByRole('button', { name: `Set up ${provider}` }).click()
    const app = provider === 'Jira' ? jira.app : slack.app
    app.redirectUris = [await addressOf(page, 'Callback')]
    for (const [label, value] of Object.entries(values)) {
      await page.getByLabel(label, { exact: true }).fill(value)
    }
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await pressPrimary(page, `Connect ${provider}`)
    await allowAtProvider(page, service.apiUrl)
    await page.getByText('Connected', { exact: true }).first().waitFor()
  }
  await page.getByRole('link', { name: 'All integrations' }).click()
  await page.getByRole('link', { name: 'Manage' }).first().waitFor()
  expect(await page.getByRole('link', { name: 'Manage' }).count()).toBe(3)
  await context.close()
}, 120_000)
