import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { look, lookEverywhere, press } from '../look.ts'
import { openDashboard, type Dashboard, type Seat } from '../open-dashboard.ts'
import { openPipeline } from '../deployments/play-deployments.ts'

let dashboard: Dashboard
let seat: Seat
let page: Page

beforeAll(async () => {
  dashboard = await openDashboard()
  const { service } = dashboard
  const { jira, slack } = service.sandbox
  jira.offerSecondSite()
  await consentToSecondSite(dashboard)
  slack.addChannel({ name: 'release-notes' })
  for (let at = 0; at < 3000; at += 1) {
    slack.addChannel({ name: `team-${String(at).padStart(4, '0')}` })
  }
  slack.addChannel({ name: 'zebra' })
  await service.connect('tracker')
  await service.connect('chat')
  slack.invite('releases')
  const { deploy } = openPipeline(service)
  await deploy({ environment: 'production', state: 'failure', message: 'ABC-1 It fails' })
  await deploy({ environment: 'staging', message: 'ABC-2 It works' })
  seat = await dashboard.open()
  page = seat.page
})
afterAll(() => dashboard.close())

const combobox = () => page.getByRole('combobox', { name: 'Channel' })
const option = (name: RegExp) => page.getByRole('option', { name }).first()

/** As if the person had let the application reach another site earlier: what they grant is kept for both. */
async function consentToSecondSite({ service: { sandbox } }: Dashboard): Promise<void> {
  const { jira, addresses } = sandbox
  const body = new URLSearchParams({
    audience: 'api.atlassian.com',
    client_id: jira.app.clientId,
    scope: 'read:jira-work offline_access',
    redirect_uri: jira.app.redirectUris[0] ?? '',
    state: 'earlier',
    response_type: 'code',
    prompt: 'consent',
    site: 'acme-labs',
    decision: 'allow',
  })
  const { status } = await fetch(`${addresses.jiraAuth}/authorize`, {
    method: 'POST',
    body,
    redirect: 'manual',
  })
  if (status !== 302) throw new Error(`The consent was answered with ${status}`)
}

describe('Jira, where two sites were granted', () => {
  it('waits for one to be chosen, on the card and on its page', async () => {
    await seat.go('/integrations')
    await page.getByText('Waiting for you').waitFor()
    expect(await look(seat, 'integrations-choose-site')).toEqual([])
    await page.getByRole('link', { name: 'Choose' }).click()
    await page.getByRole('heading', { name: 'Choose the site' }).waitFor()
    expect(await look(seat, 'tracker-choose-site')).toEqual([])
    const site = page.getByRole('listitem').filter({ hasText: 'acme-labs' })
    await site.getByRole('button', { name: 'Use it' }).click()
    await page.getByRole('heading', { name: 'Tracked projects' }).waitFor()
    await press(page, 'Selected only')
    await option(/^LAB/).waitFor()
  })
})

describe('the channels of Slack', () => {
  it('are looked through further and further, where there are three thousand', async () => {
    await seat.go('/integrations/chat')
    await press(page, 'Choose a channel')
    await page.getByText(/^100 channels\. The list is longer/).waitFor()
    await combobox().fill('zebra')
    // The first thousands are looked through at once, and the rest when asked.
    const found = option(/zebra/)
    const further = page.getByRole('button', { name: 'Load more' })
    await found.or(further).first().waitFor()
    await expect
      .poll(async () => {
        if (await found.isVisible()) return true
        if (await further.isVisible()) await further.click()
        return false
      })
      .toBe(true)
  })

  it('say which are private and whether the bot is in them, those with it first; to ask again keeps what is typed', async () => {
    // Nobody but a member is told of a private channel; whom the bot has just left is what an older answer says.
    await page.route('**/integrations/chat/channels?*', async (route) => {
      const response = await route.fetch()
      const said = await response.text()
      await route.fulfill({
        response,
        body: said.replaceAll('"isMember":true', '"isMember":false'),
      })
    })
    await combobox().fill('release')
    await option(/^Private releases invite the bot first$/).waitFor()
    expect(await page.getByRole('option').allInnerTexts()).toEqual([
      'release-notes',
      expect.stringContaining('releases'),
    ])
    await page.unrouteAll()
    await press(page, 'Refresh')
    await option(/^Private releases the bot is in it$/).waitFor()
    await option(/^Public release-notes$/).waitFor()
    expect(await page.getByRole('option').allInnerTexts()).toEqual([
      expect.stringContaining('releases'),
      'release-notes',
    ])
    expect(await combobox().inputValue()).toBe('release')
  })

  it('say which are archived, and beside the field why one is not taken', async () => {
    await combobox().fill('old')
    await option(/old.*archived/).waitFor()
    await page.keyboard.press('Enter')
    await page
      .getByRole('alert')
      .filter({ hasText: /archived/i })
      .waitFor()
    expect(await look(seat, 'channel-refused')).toEqual([])
    expect(await combobox().evaluate((field) => field === document.activeElement)).toBe(true)
  })

  it('are chosen by the keyboard alone, and the focus goes back', async () => {
    await page.keyboard.press('Escape')
    const button = page.getByRole('button', { name: 'Choose a channel' })
    await expect
      .poll(() => button.evaluate((element) => element === document.activeElement))
      .toBe(true)
    await page.keyboard.press('Enter')
    await combobox().waitFor()
    await page.keyboard.type('general')
    await option(/general/).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('#general').first().waitFor()
  })

  it('are some of them alone where a permission was not granted, and say which', async () => {
    const { asOwner, orgId } = dashboard.service
    await asOwner(
      `update integrations set state = 'degraded', scopes = array_remove(scopes, 'groups:read')
        where org_id = $1 and kind = 'chat'`,
      [orgId],
    )
    await seat.go('/integrations/chat')
    await page.getByText('groups:read').first().waitFor()
    await press(page, 'Choose a channel')
    await page
      .getByText(/Private channels are missing, because groups:read was not granted/)
      .waitFor()
    expect(await look(seat, 'channels-partial')).toEqual([])
    await page.keyboard.press('Escape')
    const other = await dashboard.open()
    await other.go('/integrations/chat')
    await other.page.getByText('groups:read').first().waitFor()
    expect(await lookEverywhere(other, 'chat-degraded')).toEqual([])
  })
})
