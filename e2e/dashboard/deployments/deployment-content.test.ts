import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createConfigFixture, type ConfigFixture } from '../config/config-fixture.ts'
import { look, lookEverywhere, press } from '../look.ts'
import { openDashboard, type Dashboard, type Seat } from '../open-dashboard.ts'
import { hostileText, openPipeline, type Pipeline } from './play-deployments.ts'

let dashboard: Dashboard
let pipeline: Pipeline
let places: ConfigFixture
let seat: Seat
let page: Page

beforeAll(async () => {
  dashboard = await openDashboard()
  pipeline = openPipeline(dashboard.service)
  places = await createConfigFixture(dashboard.service)
  seat = await dashboard.open()
  page = seat.page
})
afterAll(() => dashboard.close())

const region = (name: string) => page.getByRole('region', { name, exact: true })
const step = (title: string) => region('Timeline').getByRole('listitem').filter({ hasText: title })

/** Reports the results of a run as a pipeline does. */
async function report(runId: string, tests: readonly object[]): Promise<void> {
  const { service } = dashboard
  const { secret } = await service.ask<{ readonly secret: string }>('POST /api-keys', {
    name: `ci ${runId}`,
    kind: 'm2m',
  })
  const answer = await fetch(
    `${service.apiUrl}/organizations/${service.orgId}/test-runs/${runId}/report`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ results: { tool: { name: 'playwright' }, tests } }),
    },
  )
  if (!answer.ok) throw new Error(await answer.text())
}

describe('a deployment of which much was left out', () => {
  it.each([
    [
      'ABC-1 is not looked up',
      /^Open (?:Jira|the issue tracker)$/,
      '/integrations/tracker',
      'Jira',
    ],
    ['No message', /^Open (?:Slack|the chat)$/, '/integrations/chat', 'Slack'],
    ['No tests', 'Choose the workflow', '/integrations/codehost', 'GitHub'],
  ])('leads from "%s" to where it is mended', async (title, button, path, heading) => {
    const id = await pipeline.deploy({ message: 'ABC-1 Keep the currency' })
    await seat.go(`/deployments/${id}`)
    await step(title).getByRole('link', { name: button }).click()
    await page.waitForURL(`**/acme${path}`)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    const connect = { name: `Connect ${heading}`, exact: true }
    await page.getByRole('button', connect).waitFor()
    expect(seat.complaints()).toEqual([])
  })

  it('leads from a run that is not there to one that is started, or says what is missing', async () => {
    const id = await pipeline.deploy()
    await seat.go(`/deployments/${id}`)
    await step('No tests').getByRole('button', { name: 'Run tests' }).click()
    await page
      .getByRole('dialog')
      .getByText(/connect/i)
      .first()
      .waitFor()
    expect(await look(seat, 'run-workflow-unconnected')).toEqual([])
    await page.keyboard.press('Escape')
  })
})

describe('a deployment with everything', () => {
  let id: string

  beforeAll(async () => {
    const { ask } = dashboard.service
    await pipeline.deploy({ environment: 'production' })
    await places.set('production', { checkoutTimeoutMs: 4000, supportEmail: 'help@example.com' })
    id = await pipeline.deploy({ environment: 'production', message: 'ABC-2 Show the date' })
    const run = await ask<{ readonly id: string }>('POST /test-runs', {
      deploymentId: id,
      name: 'End to end',
    })
    await ask(`PATCH /test-runs/${run.id}`, { state: 'running' })
    await report(run.id, [
      { name: 'pays with a card', status: 'passed', duration: 900 },
      {
        name: 'pays by invoice',
        suite: 'checkout',
        status: 'failed',
        duration: 1200,
        message: `Expected 200, received 500\n${hostileText}`,
      },
      { name: 'shows the date', status: 'passed', duration: 300, retries: 1, flaky: true },
    ])
    await ask(`PATCH /test-runs/${run.id}`, { state: 'failed' })
    const other = await ask<{ readonly id: string }>('POST /test-runs', {
      deploymentId: id,
      name: 'Load',
    })
    await ask(`PATCH /test-runs/${other.id}`, { state: 'running' })
    await pipeline.deploy({ environment: 'production', message: 'It comes between' })
    await ask(`PATCH /test-runs/${other.id}`, { state: 'passed', passed: 3, failed: 0 })
  })

  it('names the tests that failed and those that are flaky, with what went wrong', async () => {
    await seat.go(`/deployments/${id}`)
    const doubtful = region('Tests').getByRole('list', { name: 'Tests in doubt' })
    const failed = doubtful.getByRole('listitem').filter({ hasText: 'pays by invoice' })
    await failed.getByText('checkout').waitFor()
    await failed.getByText('Expected 200, received 500').waitFor()
    await doubtful
      .getByRole('listitem')
      .filter({ hasText: 'flaky' })
      .getByText('shows the date')
      .waitFor()
    expect(await doubtful.getByRole('listitem').count()).toBe(2)
    expect(await page.title()).not.toBe('taken')
  })

  it('says which run cannot be trusted, and leads to the deployment that came between', async () => {
    await region('Tests').getByRole('link', { name: 'The deployment that came between' }).click()
    await page.getByRole('heading', { name: 'It comes between' }).waitFor()
    await page.goBack()
    expect(seat.complaints()).toEqual([])
  })

  it('says which configuration was live with it, and leads to what had changed', async () => {
    const config = region('Configuration at this moment')
    await config.getByText(/keys changed since the previous deployment/).waitFor()
    await config.getByText('checkoutTimeoutMs').waitFor()
    await config.getByText('supportEmail').waitFor()
    await config.getByRole('link', { name: /^Compare with version/ }).click()
    await page.waitForURL('**/acme/history?*against=*')
    await page.getByText('checkoutTimeoutMs').filter({ visible: true }).first().waitFor()
    expect(seat.complaints()).toEqual([])
  })

  it('shows the earlier runs of its own repository, and not those of another one there', async () => {
    const other = await pipeline.deploy({ repository: 'acme/api', environment: 'production' })
    for (const failed of [1, 0, 2]) await pipeline.test(other, { failed })
    const strip = (repository: string) =>
      region('Tests').getByRole('list', { name: `Test runs of ${repository} in this environment` })
    await seat.go(`/deployments/${other}`)
    await expect.poll(() => strip('acme/api').getByRole('listitem').count()).toBe(3)
    await region('Tests').getByText('The last 3 runs of acme/api in this environment').waitFor()
    await seat.go(`/deployments/${id}`)
    await expect.poll(() => strip('acme/shop').getByRole('listitem').count()).toBe(2)
    const untested = await pipeline.deploy({ repository: 'acme/web', environment: 'production' })
    await seat.go(`/deployments/${untested}`)
    await region('Tests')
      .getByText(/^No test runs/)
      .waitFor()
    expect(await region('Tests').getByRole('list').count()).toBe(0)
  })

  it('fits everywhere', async () => {
    const other = await dashboard.open()
    await other.go(`/deployments/${id}`)
    await other.page.getByRole('list', { name: 'Tests in doubt' }).waitFor()
    expect(await lookEverywhere(other, 'deployment-content')).toEqual([])
  })
})

describe('the message of a deployment', () => {
  it('that a route cannot send leads to the channel of that very route', async () => {
    const { service } = dashboard
    await service.connect('chat')
    service.sandbox.slack.refuse('general', 'restricted_action')
    await service.ask('POST /notification-routes', {
      name: 'Staging',
      channelId: service.sandbox.slack.channelId('general'),
      events: ['deployment'],
      match: { environmentIds: null, branches: null, states: 'always' },
    })
    const id = await pipeline.deploy()
    await seat.go(`/deployments/${id}`)
    await step('not sent').getByRole('link', { name: 'Choose the channel' }).click()
    await page.waitForURL('**/acme/notifications?route=*')
    const drawer = page.getByRole('dialog')
    await drawer.getByText('#general').waitFor()
    await press(page, 'Choose another')
    await drawer.getByRole('combobox', { name: 'Channel' }).fill('deployments')
    await drawer
      .getByRole('option', { name: /deployments/ })
      .first()
      .click()
    await press(page, 'Save')
    await page.getByRole('cell', { name: '#deployments' }).waitFor()
    await seat.go(`/deployments/${id}`)
    await region('Message').getByText('Sent').waitFor()
    expect(seat.complaints()).toEqual([])
  })
})
