import { startSandbox, type Sandbox } from '@signalbox/sandbox'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPipeline } from '../deployments/play-deployments.ts'
import { look, lookEverywhere, press } from '../look.ts'
import { openDashboard, type Dashboard, type Seat } from '../open-dashboard.ts'
import { allowAtProvider } from '../integrations/allow-at-provider.ts'

const names = ['gitlab', 'forgejo', 'linear', 'discord']

let sandbox: Sandbox
let dashboard: Dashboard
let seat: Seat
let page: Page

beforeAll(async () => {
  sandbox = await startSandbox()
  const { participants } = (await (await fetch(`${sandbox.origin}/control`)).json()) as {
    readonly participants: readonly {
      readonly name: string
      readonly settings: Readonly<Record<string, string>>
    }[]
  }
  const settings = participants.filter(({ name }) => names.includes(name))
  dashboard = await openDashboard({
    sandbox,
    withoutApps: true,
    more: Object.assign({}, ...settings.map((each) => each.settings)),
  })
  const registered = await fetch(`${sandbox.origin}/control/participants`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ names, service: dashboard.service.apiUrl }),
  })
  if (!registered.ok) throw new Error(`The sandbox refused: ${await registered.text()}`)
  seat = await dashboard.open()
  page = seat.page
})
afterAll(() => dashboard.close())

const region = (name: string) => page.getByRole('region', { name, exact: true })

/** Presses the button that connects a provider, and allows what it asks for. */
async function connect(kind: string, button: string): Promise<void> {
  const { apiUrl } = dashboard.service
  await press(page, button)
  await allowAtProvider(page, apiUrl)
  await page.waitForURL(`${apiUrl}/acme/integrations/${kind}`)
  await page.getByText('Connected', { exact: true }).first().waitFor()
}

async function disconnect(): Promise<void> {
  await press(page, 'Disconnect')
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect', exact: true }).click()
  await page.getByText('Not connected').waitFor()
}

describe('Mattermost', () => {
  it('is set up by its address and connected by a token, with what is wrong beside the field', async () => {
    await seat.go('/integrations/chat')
    await press(page, 'Set up Mattermost')
    const address = page.getByLabel('Address of the Mattermost server')
    await address.fill('ftp://chat.example.com')
    await press(page, 'Save')
    await expect.poll(() => address.getAttribute('aria-invalid')).toBe('true')
    await page.getByText('Enter the address that people open Mattermost with').waitFor()
    expect(await look(seat, 'mattermost-address')).toEqual([])
    await address.fill(sandbox.addresses.mattermost)
    await press(page, 'Save')

    await press(page, 'Connect Mattermost')
    const token = page.getByLabel('Access token of the bot')
    await token.fill(sandbox.mattermost.personToken)
    await press(page, 'Connect')
    await page.getByText('This token belongs to a person.').waitFor()
    expect(await token.getAttribute('aria-invalid')).toBe('true')
    expect(await look(seat, 'mattermost-token')).toEqual([])
    await token.fill(sandbox.mattermost.botToken)
    await press(page, 'Connect')
    await page.getByText('Mattermost is connected.').waitFor()
    await page.getByText('@signalbox on').waitFor()
    expect(await page.content()).not.toContain(sandbox.mattermost.botToken)
    await disconnect()
  })
})

describe('Discord', () => {
  it('says beside a channel that the bot may not post there', async () => {
    await seat.go('/integrations/chat')
    await connect('chat', 'Connect Discord')
    await press(page, 'Choose a channel')
    await page.getByRole('option', { name: /^Public read-only the bot may not post$/ }).waitFor()
    await page.getByRole('option', { name: /^Public general the bot can post$/ }).waitFor()
    await page.getByText('it needs Send Messages and Embed Links').waitFor()
    expect(await look(seat, 'discord-channels')).toEqual([])
    await page.getByRole('option', { name: /deployments/ }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('#deployments').first().waitFor()
  })

  it('says beside the chosen channel that messages would be refused, before the first one', async () => {
    await press(page, 'Choose a channel')
    await page.getByRole('option', { name: /read-only/ }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('not delivering').waitFor()
    const refused = 'Discord doesn’t allow the bot to post in this channel.'
    await page.getByRole('alert').filter({ hasText: refused }).waitFor()
    expect(await look(seat, 'discord-refused-channel')).toEqual([])
    await press(page, 'Choose a channel')
    await page.getByRole('option', { name: /deployments/ }).click()
    await page.getByText('nothing sent yet').waitFor()
  })
})

describe('Linear', () => {
  it('shows its issue with a deployment that names it', async () => {
    await seat.go('/integrations/tracker')
    await connect('tracker', 'Connect Linear')
    const { deploy } = openPipeline(dashboard.service)
    const id = await deploy({ message: 'ABC-1 Keep the currency' })
    await seat.go(`/deployments/${id}`)
    const link = page.getByRole('link', { name: 'ABC-1', exact: true }).first()
    await link.waitFor()
    expect(await link.getAttribute('href')).toContain('/linear/acme/issue/ABC-1')
    await page.getByText('The basket forgets its currency').first().waitFor()
    expect(await look(seat, 'deployment-linear')).toEqual([])
  })
})

describe('GitLab', () => {
  it('that is connected for reading says what it lacks, and has the way to the full access', async () => {
    sandbox.gitlab.codeHost.shop()
    sandbox.gitlab.activity.addProject({ fullPath: 'acme/mail' })
    await seat.go('/integrations/codehost')
    await connect('codehost', 'Connect GitLab for reading only')
    const works = region('What works with GitLab')
    const sentence = 'Signalbox can’t start pipelines or test runs'
    for (const panel of [works, region('Workflows'), region('Tests after a deployment')]) {
      await panel.getByText(sentence).waitFor()
    }
    await works.getByText('Signalbox can’t create webhooks').waitFor()
    await page.getByText('Read only', { exact: true }).waitFor()
    const useless = page.getByRole('button', { name: /^Run |Add a workflow/ })
    expect(await useless.count()).toBe(0)
    expect(await lookEverywhere(seat, 'gitlab-read')).toEqual([])
    await page.setViewportSize({ width: 1360, height: 860 })
    await connect('codehost', 'Connect GitLab again with full access')
    await page.getByText('Full', { exact: true }).waitFor()
    await region('Tests after a deployment')
      .getByRole('button', { name: 'Add a workflow' })
      .waitFor()
    expect(await page.getByText(sentence).count()).toBe(0)
    // Every project has a workflow of the same id: the one that is pressed is run, and not the first.
    const runs = region('Workflows').getByRole('button', { name: 'Run Pipeline' })
    await runs.nth(1).waitFor()
    for (const [at, project] of ['acme/mail', 'acme/shop'].entries()) {
      await runs.nth(at).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText(`${project} .gitlab-ci.yml`).waitFor()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
    }
    await disconnect()
  })
})

describe('Forgejo', () => {
  it('has a sentence, and no button, for what it never has', async () => {
    await seat.go('/integrations/codehost')
    await connect('codehost', 'Connect Forgejo')
    const works = region('What works with Forgejo')
    await works
      .getByText(/has no deployments/)
      .first()
      .waitFor()
    expect(await works.getByRole('img', { name: 'Doesn’t work' }).count()).toBeGreaterThan(0)
    expect(await works.getByRole('button').count()).toBe(0)
    // The workflows of the former code host are not taken for its own.
    const workflows = region('Workflows')
    await workflows.getByText('e2e.yml').first().waitFor()
    await workflows.getByText('.gitlab-ci.yml').first().waitFor({ state: 'detached' })
    expect(await look(seat, 'forgejo')).toEqual([])
  })
})
