import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createConfigFixture, type ConfigFixture } from '../config/config-fixture.ts'
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
})
