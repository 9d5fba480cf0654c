import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectAll } from '../../../packages/server/src/start/testing/connect-organization.ts'
import { allowAtProvider } from '../integrations/allow-at-provider.ts'
import { look, lookEverywhere, press } from '../look.ts'
import { asRole } from '../deployments/play-deployments.ts'
import { openDashboard, type Dashboard, type Seat } from '../open-dashboard.ts'

describe('integrations in trouble', () => {
  let dashboard: Dashboard
  let seat: Seat
  let page: Page

  beforeAll(async () => {
    dashboard = await openDashboard()
    await connectAll(dashboard.service)
    await dashboard.service.ask('PATCH /integrations/tracker', { projectKeys: ['ABC'] })
    seat = await dashboard.open()
    page = seat.page
  })
  afterAll(() => dashboard.close())

  it('that have to be connected again say why, and keep their settings when they are', async () => {
    const { sandbox, ask, apiUrl } = dashboard.service
    sandbox.jira.removeGrant()
    await ask('GET /integrations/tracker/projects').catch(() => undefined)
    const other = await dashboard.open()
    await other.go('/integrations/tracker')
    await other.page.getByText('Connect again', { exact: true }).first().waitFor()
    expect(await lookEverywhere(other, 'tracker-reauth')).toEqual([])
    await other.close()
    await seat.go('/integrations/tracker')
    await page.getByRole('alert').filter({ hasText: 'Connect it again.' }).first().waitFor()
    // Nobody could be asked for projects: that none of them matches would not be true.
    const projects = page.getByRole('region', { name: 'Tracked projects' })
    await projects.getByText('The access to Jira has ended.').waitFor()
    expect(await projects.getByText('Nothing matches').count()).toBe(0)
    await press(page, 'Connect Jira again')
    await allowAtProvider(page, apiUrl)
    await page.getByText('Connected', { exact: true }).first().waitFor()
    await page.getByRole('list', { name: 'Tracked projects' }).getByText('ABC').waitFor()
  })

  it('that were suspended lead to where that is lifted, and come back by themselves', async () => {
    const { github } = dashboard.service.sandbox
    const [installation] = [...github.state.installations.values()]
    if (installation === undefined) throw new Error('The App is not installed')
    await seat.go('/integrations/codehost')
    github.installations.suspend(installation)
    await page.getByText('Suspended', { exact: true }).first().waitFor()
    await page.getByRole('link', { name: 'Unsuspend it at GitHub' }).waitFor()
    expect(await page.getByRole('button', { name: /^Connect/ }).count()).toBe(0)
    expect(await look(seat, 'codehost-suspended')).toEqual([])
    await seat.go('/integrations')
    expect(await look(seat, 'integrations-suspended')).toEqual([])
    github.installations.unsuspend(installation)
    await page.getByText('Suspended', { exact: true }).waitFor({ state: 'detached' })
  })

  it('whose access was revoked deliver nothing, on the page of the chat and for each route', async () => {
    const { sandbox, ask, apiUrl } = dashboard.service
    const defaultChannelId = sandbox.slack.channelId('deployments')
    await ask('PATCH /integrations/chat', { defaultChannelId })
    await ask('POST /notification-routes', {
      name: 'Releases',
      channelId: defaultChannelId,
      match: {},
      events: ['deployment'],
    })
    await seat.go('/notifications')
    await page.getByRole('row', { name: /Releases.*nothing sent yet/i }).waitFor()
    await seat.go('/integrations/chat')
    await press(page, 'Send a test')
    await page.getByText('delivering', { exact: true }).waitFor()
    sandbox.slack.uninstall()
    await page.getByText('not delivering', { exact: true }).waitFor()
    expect(await page.getByText('delivering', { exact: true }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Send a test' }).count()).toBe(0)
    expect(await lookEverywhere(seat, 'chat-revoked')).toEqual([])
    await seat.go('/notifications')
    await page.getByRole('row', { name: /Releases.*not delivering/i }).waitFor()
    expect(await lookEverywhere(seat, 'routes-revoked')).toEqual([])
    await page.getByRole('link', { name: 'Open the connection' }).click()
    await press(page, 'Connect Slack again')
    await allowAtProvider(page, apiUrl)
    await page.getByText('Connected', { exact: true }).first().waitFor()
    await page.getByText('delivering', { exact: true }).waitFor()
  })

  it('that lack what only a person grants offer it, and keep it when they are connected again', async () => {
    const { sandbox, apiUrl } = dashboard.service
    const history = page.getByText('channels:history', { exact: true })
    const connect = async (name: string) => {
      await press(page, name)
      await allowAtProvider(page, apiUrl)
      await page.getByText('Connected', { exact: true }).first().waitFor()
    }
    await seat.go('/integrations/chat')
    await page.getByText(/can’t look for a message/).waitFor()
    expect(await history.count()).toBe(0)
    expect(await lookEverywhere(seat, 'chat-more-access')).toEqual([])
    await connect('Connect Slack again with more access')
    await history.waitFor()
    expect(await page.getByRole('button', { name: /^Connect/ }).count()).toBe(0)
    sandbox.slack.uninstall()
    await connect('Connect Slack again')
    await history.waitFor()
  })

  it('that were disconnected say whether the provider took it back', async () => {
    const { sandbox } = dashboard.service
    await seat.go('/integrations/chat')
    await press(page, 'Disconnect')
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect', exact: true }).click()
    const last = page.getByRole('definition').filter({ hasText: 'revoke' })
    await last.getByText('Slack has revoked the access.').waitFor()
    // Once is enough.
    expect((await last.innerText()).match(/revoked/g)).toHaveLength(1)
    expect(await look(seat, 'chat-disconnected')).toEqual([])
    expect(await page.getByRole('link', { name: 'Revoke it there' }).count()).toBe(0)
    // A provider that is away is asked again, and it is said meanwhile.
    const away = { kind: 'answer', status: 503 } as const
    sandbox.faults.add({ provider: 'github', request: 'DELETE /', times: 50, fault: away })
    await seat.go('/integrations/codehost')
    await press(page, 'Disconnect')
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect', exact: true }).click()
    await page.getByText(/Signalbox is asking GitHub to revoke the access/).waitFor()
    sandbox.faults.reset()
  })
})

describe('a server that no application is registered for', () => {
  let dashboard: Dashboard
  beforeAll(async () => {
    dashboard = await openDashboard({ withoutApps: true })
  })
  afterAll(() => dashboard.close())

  it('says so on every card, says what to enter where, and beside its field what is wrong', async () => {
    const other = await dashboard.open()
    await other.go('/integrations')
    await other.page.getByRole('link', { name: 'Set up a code host' }).waitFor()
    expect(await lookEverywhere(other, 'integrations-not-set-up')).toEqual([])
    await other.close()
    const seat = await dashboard.open({ theme: 'dark' })
    const { page } = seat
    await seat.go('/integrations')
    const row = page.getByRole('row', { name: /GitHub/ })
    await row.getByRole('link', { name: 'Set up' }).waitFor()
    expect(await page.getByRole('link', { name: /^Set up / }).count()).toBe(3)
    await row.getByRole('button', { name: 'Actions for GitHub' }).click()
    await page.getByRole('menuitem', { name: 'Enter an existing GitHub App' }).click()
    await page.getByText('contents: read').waitFor()
    expect(await look(seat, 'provider-app-github')).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('row', { name: /Jira/ }).getByRole('button', { name: 'Set up' }).click()
    await page.getByLabel('Client ID').fill('jira-client')
    await page.getByLabel('Client secret').fill('short')
    await press(page, 'Save')
    const secret = page.getByLabel('Client secret')
    await expect.poll(() => secret.getAttribute('aria-invalid')).toBe('true')
  })

  it('has the button that sets it up on the page of each, and tells others whom to ask', async () => {
    const seat = await dashboard.open({ theme: 'dark' })
    const { page } = seat
    await seat.go('/integrations/codehost')
    await page.getByRole('button', { name: 'Create the GitHub App' }).waitFor()
    await page.getByText('GitHub organization (optional)').waitFor()
    expect(await look(seat, 'integration-create-app')).toEqual([])
    await page.getByLabel('GitHub organization').fill('not a name')
    await press(page, 'Create the GitHub App')
    await page.getByRole('alert').first().waitFor()
    await press(page, 'Enter an existing App')
    await page.getByText('can’t reach this server').waitFor()
    await page.keyboard.press('Escape')
    await seat.go('/integrations/tracker')
    await press(page, 'Set up Jira')
    await page
      .getByText(`${dashboard.service.apiUrl}/integrations/tracker/oauth/callback`)
      .waitFor()
    expect(await look(seat, 'integration-enter-app')).toEqual([])
    await seat.close()
    await asRole(dashboard.service, 'developer', async () => {
      const developer = await dashboard.open()
      await developer.go('/integrations/codehost')
      await developer.page.getByText('An operator of the server sets it up first').waitFor()
      expect(await developer.page.getByRole('button', { name: /Create|Set up/ }).count()).toBe(0)
    })
  })
})
