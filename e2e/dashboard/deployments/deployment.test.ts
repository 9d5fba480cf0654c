import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { look } from '../look.ts'
import { connectAll } from '../../../packages/server/src/start/testing/connect-organization.ts'
import { openShop, type Shop } from '../../../packages/server/src/start/testing/play-push.ts'
import { openDashboard, type Dashboard, type Seat } from '../open-dashboard.ts'
import { asRole, openPipeline } from './play-deployments.ts'

let dashboard: Dashboard
let shop: Shop
let id: string

interface Listed {
  readonly items: readonly { readonly id: string; readonly sha: string }[]
}

/** The id of the deployment of a commit, once the code host has told of it. */
const arrived = (sha: string) =>
  vi.waitFor(
    async () => {
      const { items } = await dashboard.service.ask<Listed>('GET /deployments')
      const found = items.find((item) => item.sha === sha)
      if (found === undefined) throw new Error('The deployment has not arrived')
      return found.id
    },
    { timeout: 60_000 },
  )

beforeAll(async () => {
  dashboard = await openDashboard()
  const { service } = dashboard
  shop = openShop(service.sandbox)
  await connectAll(service)
  await service.ask('PATCH /integrations/codehost', {
    testWorkflows: [{ workflowId: 'e2e.yml', debounceSeconds: 0 }],
  })
  shop.deploy('staging', ['success'])
  const sha = shop.push('ABC-1 Keep the currency', 'ABC-2 Show the date, and WEB2-4 with it')
  shop.deploy('staging', ['queued', 'in_progress', 'success'])
  id = await arrived(sha)
})
afterAll(() => dashboard.close())

const open = async (seat: Seat) => {
  await seat.go(`/deployments/${id}`)
  return seat.page.getByRole('region', { name: 'Timeline' })
}

describe('a deployment', () => {
  it('leads back, to its neighbours, and to what else changed then', async () => {
    const { deploy, age } = openPipeline(dashboard.service)
    const [first, second] = [
      await deploy({ repository: 'acme/mail', message: 'Send the receipt' }),
      await deploy({ repository: 'acme/mail', message: 'Send it once' }),
    ]
    await age(first, 1)
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go(`/deployments/${second}`)
    await page.getByRole('link', { name: 'Older', exact: true }).click()
    await page.getByRole('heading', { name: 'Send the receipt' }).waitFor()
    await page.getByRole('link', { name: 'Newer', exact: true }).click()
    await page.getByRole('heading', { name: 'Send it once' }).waitFor()
    await page.getByRole('link', { name: 'Around this moment' }).click()
    await page.waitForURL(/timeline\?at=/)
    await page
      .locator('[aria-current=true]')
      .filter({ hasText: 'Send it once' })
      .getByText('You came from here')
      .waitFor()
    await page.goBack()
    await page
      .getByRole('navigation', { name: 'Breadcrumb' })
      .getByRole('link', { name: 'Deployments' })
      .click()
    await page.getByRole('heading', { name: 'Deployments' }).waitFor()
    expect(seat.complaints()).toEqual([])
  })

  it('fills by itself with issues and tests, and says what mends what was left out', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    const timeline = await open(seat)
    await timeline.getByText('2 of 3 issues linked').waitFor()
    await timeline.getByText(/^Test run .*: passed/).waitFor({ timeout: 120_000 })
    const issues = page.getByRole('region', { name: 'Issues' })
    await issues.getByText('The basket forgets its currency').waitFor()
    await issues.getByText('Mentioned in 1 commit').first().click()
    await issues.getByText('ABC-1 Keep the currency').waitFor()
    const held = timeline.getByRole('listitem').filter({ hasText: 'No channel is chosen.' })
    await held.getByRole('link', { name: 'Choose the channel' }).waitFor()
    await held.getByText('is waiting').waitFor()
    expect(await held.getByText('Failed').count()).toBe(0)
    await page.getByRole('link', { name: 'Compare on GitHub' }).waitFor()
    expect(await look(seat, 'deployment-light')).toEqual([])
  })

  it('shows the message that failed, and sends it again', async () => {
    const { ask, sandbox } = dashboard.service
    await ask('PATCH /integrations/chat', {
      defaultChannelId: sandbox.slack.channelId('deployments'),
    })
    sandbox.slack.refuse('deployments', 'restricted_action')
    shop.push('ABC-1 Once more')
    const refused = await arrived(shop.deploy('staging', ['success']))
    const seat = await dashboard.open({ theme: 'dark' })
    const { page } = seat
    await seat.go(`/deployments/${refused}`)
    await page.getByRole('heading', { name: 'ABC-1 Once more' }).waitFor()
    const failed = page
      .getByRole('listitem')
      .filter({ hasText: 'Message to #deployments: not sent' })
    await failed.waitFor()
    expect(await look(seat, 'deployment-dark')).toEqual([])
    sandbox.slack.refuse('deployments', undefined)
    await failed.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('Sending the message again.').waitFor()
    const messages = page.getByRole('region', { name: 'Message', exact: true })
    await messages.getByText('Sent').waitFor()
  })

  it('runs a workflow, follows it to its run, and gives the focus back', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await open(seat)
    const button = page.getByRole('button', { name: /^Run tests/ }).first()
    await button.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('environment_url').fill('https://staging.example.com')
    // Signalbox fills in what it knows, and asks for nothing of it.
    const filled = dialog.getByRole('region', { name: 'Filled in from the deployment' })
    await filled.getByText('staging', { exact: true }).waitFor()
    expect(await filled.getByRole('term').allInnerTexts()).toEqual([
      'deployment_id',
      'environment',
      'sha',
    ])
    for (const name of ['deployment_id', 'test_run_id', 'environment', 'sha']) {
      expect(await dialog.getByLabel(name, { exact: true }).count()).toBe(0)
    }
    expect(await look(seat, 'run-workflow')).toEqual([])
    await dialog.getByLabel('Branch or tag').fill('nowhere')
    await dialog.getByRole('button', { name: 'Run tests' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Branch or tag').fill('main')
    await dialog.getByRole('button', { name: 'Run tests' }).click()
    await dialog.getByRole('link', { name: 'Open the run' }).waitFor()
    expect(await look(seat, 'run-workflow-started')).toEqual([])
    await page.keyboard.press('Escape')
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  it('is deployed again by the workflow that a person chooses, and its run is followed to the end', async () => {
    const { repository, state } = { repository: shop.repository, state: dashboard.service.sandbox }
    state.github.activity.addWorkflow(repository, {
      name: 'Release',
      file: 'release.yml',
      inputs: ['environment', 'sha', 'reason'],
    })
    await dashboard.service.ask(
      'GET /integrations/codehost/workflows?repositoryId=' + repository.id,
    )
    const seat = await dashboard.open()
    const { page } = seat
    await open(seat)
    await page.getByRole('button', { name: 'Deploy it again' }).click()
    const dialog = page.getByRole('dialog', { name: 'Deploy it again' })
    await dialog.getByText(/^(?:A run of|GitHub didn’t say).* Choose .* that deploys\.$/).waitFor()
    expect(await dialog.getByRole('button', { name: 'Deploy again' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Workflow').selectOption({ label: 'Release' })
    await dialog.getByLabel('reason').fill('The cache was cold')
    expect(await look(seat, 'deploy-again')).toEqual([])
    await dialog.getByRole('button', { name: 'Deploy again' }).click()
    const progress = page.getByRole('region', { name: 'Deploying again' })
    await progress.getByText(/^GitHub started the run|^The run is queued/).waitFor()
    const run = [...repository.runs.values()].at(-1)
    expect(run?.inputs).toMatchObject({ environment: 'staging', reason: 'The cache was cold' })
    expect(run?.inputs['sha']).toMatch(/^[0-9a-f]{40}$/)
    if (run === undefined) throw new Error('Nothing was started')
    state.github.activity.startRun(repository, run)
    await progress.getByText('The run is in progress.').waitFor()
    state.github.activity.finishRun(repository, run, 'success')
    await progress.getByText('The run finished successfully.').waitFor()
    expect(await look(seat, 'deploy-again-finished')).toEqual([])
    await progress.getByRole('button', { name: 'Close' }).click()
    await progress.waitFor({ state: 'detached' })
  })

  it('offers a viewer nothing that they may not do, and says who can', async () => {
    await asRole(dashboard.service, 'viewer', async () => {
      const seat = await dashboard.open()
      const timeline = await open(seat)
      await timeline.getByText('A developer or admin can fix this here.').first().waitFor()
      expect(await timeline.getByRole('button').count()).toBe(0)
    })
  })
})
