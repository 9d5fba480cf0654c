import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openShop, type Shop } from '../../../packages/server/src/start/testing/play-push.ts'
import { allowAtProvider } from './allow-at-provider.ts'
import { look, press } from '../look.ts'
import { openDashboard, type Dashboard } from '../open-dashboard.ts'

let dashboard: Dashboard
let shop: Shop

beforeAll(async () => {
  dashboard = await openDashboard()
  shop = openShop(dashboard.service.sandbox)
})
afterAll(() => dashboard.close())

describe('the integrations', () => {
  it('are shown with what each unlocks before anything is connected', async () => {
    const seat = await dashboard.open()
    await seat.go('/integrations')
    await seat.page.getByText('One message per deployment').waitFor()
    expect(await seat.violationsInBothThemes('main')).toEqual([])
  })

  it('are connected through the consent pages of their providers', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    for (const [kind, name] of [
      ['codehost', 'GitHub'],
      ['tracker', 'Jira'],
      ['chat', 'Slack'],
    ] as const) {
      await seat.go('/integrations')
      await press(page, `Connect ${name}`)
      await allowAtProvider(page, dashboard.service.apiUrl)
      await page.waitForURL(`${dashboard.service.apiUrl}/acme/integrations/${kind}`)
      await page.getByText('Connected', { exact: true }).first().waitFor()
      expect(await look(seat, `integration-${kind}`)).toEqual([])
    }
  })

  it('let a channel be chosen by typing, and say that it delivers once it has', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go('/integrations/chat')
    await press(page, 'Choose a channel')
    await page.getByRole('combobox', { name: 'Channel' }).fill('deploy')
    await page
      .getByRole('option', { name: /deployments/ })
      .first()
      .waitFor()
    expect(await look(seat, 'channel-picker')).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('Nothing sent yet').waitFor()
    await press(page, 'Send a test')
    await page.getByText(/^Sent to #deployments/).waitFor()
    await page.getByText('delivering', { exact: true }).waitFor()
  })

  it('track chosen projects', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go('/integrations/tracker')
    await press(page, 'Selected only')
    await page.getByRole('combobox', { name: 'Add a project' }).fill('ABC')
    await page.getByRole('option', { name: /^ABC/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('list', { name: 'Tracked projects' }).getByText('ABC').waitFor()
    expect(await look(seat, 'tracker-projects')).toEqual([])
  })

  it('are disconnected once the person confirms, and show what happened at the provider', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go('/integrations/tracker')
    await press(page, 'Disconnect')
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect', exact: true }).click()
    await page.getByText('Not connected').waitFor()
    await page.getByText('Last disconnected').waitFor()
    // Names the step that is left to the person.
    await page.getByRole('link', { name: 'Revoke it there' }).waitFor()
    expect(await look(seat, 'tracker-disconnected')).toEqual([])
  })
})

describe('routes', () => {
  it('make a route with a look at the past', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go('/notifications')
    await page.getByRole('button', { name: 'New route' }).first().click()
    await page.getByLabel('Name').fill('Failures')
    await page
      .getByRole('option', { name: /deployments/ })
      .first()
      .click()
    await page.getByLabel('Which deployments').selectOption('failures')
    // No ticked environment is not the same as all of them.
    await page.getByLabel('Only selected environments').check()
    await press(page, 'Save')
    await page.getByText('Select at least one environment.').waitFor()
    await page.getByLabel('All environments, also those created later').check()
    await page.getByText(/of the last \d+ deployments|No deployments yet/).waitFor()
    expect(await look(seat, 'route-new')).toEqual([])
    await press(page, 'Save')
    await page.getByRole('cell', { name: 'Failures', exact: true }).waitFor()
  })

  it('show a webhook with what was sent, and do it once more', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go('/webhooks')
    // They appear without a reload.
    shop.push('ABC-1 Keep the currency')
    await page.getByRole('button', { name: 'Open', exact: true }).first().click()
    await page.getByRole('heading', { name: 'Payload' }).waitFor()
    expect(await look(seat, 'webhook')).toEqual([])
    await press(page, 'Replay')
    await page.getByText('The webhook is being replayed.').waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL(/\/webhooks$/)
  })
})
