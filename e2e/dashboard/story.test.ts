import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openShop, type Shop } from '../../packages/server/src/start/testing/play-push.ts'
import { openDashboard, type Dashboard, type Seat } from './open-dashboard.ts'

let dashboard: Dashboard
let shop: Shop
let seat: Seat
let page: Page

beforeAll(async () => {
  dashboard = await openDashboard()
  shop = openShop(dashboard.service.sandbox)
  seat = await dashboard.open()
  page = seat.page
})
afterAll(async () => {
  await seat.close()
  await dashboard.close()
})

const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

/** Goes through the pages of a provider, allows everything, and comes back. */
async function connect(kind: string, name: string): Promise<void> {
  const { apiUrl } = dashboard.service
  await seat.go('/integrations')
  await press(`Connect ${name}`)
  await page.waitForURL((url) => !url.href.startsWith(apiUrl))
  while (!page.url().startsWith(apiUrl)) {
    const before = page.url()
    await page
      .getByRole('button', { name: /allow|install|accept|authorize/i })
      .first()
      .click()
    await page.waitForURL((url) => url.href !== before)
  }
  await page.waitForURL(`${apiUrl}/acme/integrations/${kind}`)
}

/** What an application reads with a browser key. */
async function readAsApplication(key: string): Promise<unknown> {
  const { ask, apiUrl, orgId } = dashboard.service
  const { secret } = await ask<{ secret: string }>('POST /api-keys', { name: 'app', kind: 'b2m' })
  const address = `${apiUrl}/organizations/${orgId}/config/values/${key}?environment=development`
  const answer = await fetch(address, { headers: { authorization: `Bearer ${secret}` } })
  const { value } = (await answer.json()) as { readonly value: unknown }
  return value
}

describe('from nothing to a value that an application reads', { timeout: 120_000 }, () => {
  it('connects all three providers through their consent pages', async () => {
    await connect('codehost', 'GitHub')
    await connect('tracker', 'Jira')
    await connect('chat', 'Slack')
    await press('Choose a channel')
    await page.getByRole('combobox', { name: 'Channel' }).fill('deployments')
    await page.getByRole('option', { name: /deployments/ }).click()
    await page.getByText('#deployments').waitFor()
    expect(seat.complaints()).toEqual([])
  })

  it('shows a push as it becomes a deployment with issues and one message', async () => {
    await dashboard.service.ask('PATCH /integrations/codehost', {
      testWorkflows: [{ workflowId: 'e2e.yml', debounceSeconds: 0 }],
    })
    await seat.go('/deployments')
    shop.push('ABC-1 Keep the currency')
    shop.deploy('staging', ['queued', 'in_progress', 'success'])
    await page.getByRole('link', { name: 'ABC-1 Keep the currency' }).first().click()
    const timeline = page.getByRole('region', { name: 'Timeline' })
    await timeline.getByText('1 of 1 issue linked').waitFor()
    await seat.picture('story-deployment')
    await timeline.getByText(/^Test run .*: passed/).waitFor({ timeout: 45_000 })
    await page
      .getByRole('region', { name: 'Message', exact: true })
      .getByText('#deployments')
      .waitFor()
    const told = () => dashboard.service.sandbox.slack.messages('deployments')
    await expect.poll(() => told().length, { timeout: 20_000 }).toBe(1)
  })

  it('edits a value in the matrix, and an application sees it; restored, it sees the former one', async () => {
    await dashboard.service.ask('POST /config-schemas', {
      name: 'web',
      schema: { title: { type: 'string', tier: 'public', default: 'Shop' } },
    })
    await seat.go('/config')
    await page.locator('[id="cell-1-title"]').click()
    await page.keyboard.type('Shop of Acme')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+s')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('1 change saved in development.').waitFor()
    expect(await readAsApplication('title')).toBe('Shop of Acme')
    await press('Undo')
    await page.getByText('Taken back').waitFor()
    expect(await readAsApplication('title')).toBe('Shop')
    expect(seat.complaints()).toEqual([])
  })
})
