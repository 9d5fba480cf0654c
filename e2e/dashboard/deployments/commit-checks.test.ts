import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createConfigFixture, type ConfigFixture } from '../config/config-fixture.ts'
import { look, lookEverywhere, press } from '../look.ts'
import { openDashboard, type Dashboard, type Seat } from '../open-dashboard.ts'
import { openPipeline } from './play-deployments.ts'
import { openRunner, toSha, type Runner } from './play-runner.ts'

let dashboard: Dashboard
let fixture: ConfigFixture
let runner: Runner
let ada: Seat
let deploymentId: string

beforeAll(async () => {
  dashboard = await openDashboard()
  fixture = await createConfigFixture(dashboard.service)
  deploymentId = await openPipeline(dashboard.service).deploy({ environment: 'production' })
  runner = await openRunner(dashboard.service)
  ada = await dashboard.open()
})
afterAll(() => dashboard.close())

const sha = toSha('4f1c2aa')
const definition = {
  supportEmail: { type: 'string', tier: 'public' },
  apiUrl: { type: 'string', tier: 'public' },
  newCheckout: { type: 'boolean', tier: 'featureFlags', default: false },
  mapsKey: { type: 'string', tier: 'secret' },
}

describe('the check of a commit', () => {
  it('is explained before there is one', async () => {
    const { page } = ada
    await ada.go('/deployments')
    await press(page, 'Commit checks')
    await page.getByRole('heading', { name: 'No commit checks yet' }).waitFor()
    await page.getByText('signalbox check --upload').waitFor()
    expect(await lookEverywhere(ada, 'checks-empty')).toEqual([])
    await page.setViewportSize({ width: 1360, height: 860 })
  })

  it('says what each environment lacks, leads to it, and turns by itself when it is set', async () => {
    const { page } = ada
    const { id } = await runner.upload({ sha }, definition)
    await page.getByText('production lacks supportEmail and mapsKey.').waitFor()
    expect(await lookEverywhere(ada, 'checks')).toEqual([])
    await page.setViewportSize({ width: 1360, height: 860 })
    await page.getByRole('link', { name: '4f1c2aa' }).click()
    await page.getByRole('heading', { level: 1, name: 'Configuration of 4f1c2aa' }).waitFor()
    expect(page.url()).toContain(`/acme/deployments/checks/${id}`)
    const web = page.getByRole('region', { name: 'Schema web' })
    await web.getByText('Push the schema first: the key is new.').first().waitFor()
    expect(await lookEverywhere(ada, 'check')).toEqual([])
    await page.setViewportSize({ width: 1360, height: 860 })
    await web.getByRole('link', { name: 'Set value of supportEmail in production' }).click()
    await page.locator('[id="cell-3-supportEmail"]').waitFor()

    await ada.go(`/deployments/checks/${id}`)
    await fixture.set('production', { supportEmail: 'help@example.com' })
    // Half a minute after a change, values are compared again. It is as if that had passed.
    await dashboard.service.asOwner(`update commit_check_dues set due_at = now()`)
    // The page, which nobody touches, shows it.
    await page
      .getByRole('status')
      .getByText('production lacks mapsKey.')
      .waitFor({ timeout: 20_000 })
    expect(await look(ada, 'check-again')).toEqual([])
  })
})

it('a deployment says what its environment lacks, and leads to the check', async () => {
  const { page } = ada
  const deployment = await dashboard.service.ask<{ readonly sha: string }>(
    `GET /deployments/${deploymentId}`,
  )
  await runner.upload({ sha: deployment.sha }, definition)
  await ada.go(`/deployments/${deploymentId}`)
  await page.getByText('Needs a key that production lacks: mapsKey.').waitFor()
  expect(await lookEverywhere(ada, 'deployment-needs')).toEqual([])
  await page.setViewportSize({ width: 1360, height: 860 })
  await page.getByRole('link', { name: 'Set the values' }).click()
  const start = deployment.sha.slice(0, 7)
  await page.getByRole('heading', { level: 1, name: `Configuration of ${start}` }).waitFor()
})
