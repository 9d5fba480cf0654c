import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openShop, type Shop } from '../../../packages/server/src/start/testing/play-push.ts'
import { look, press } from '../look.ts'
import { openDashboard, type Dashboard, type Seat } from '../open-dashboard.ts'

let dashboard: Dashboard
let shop: Shop
let seat: Seat
let page: Page

beforeAll(async () => {
  dashboard = await openDashboard()
  const { service } = dashboard
  shop = openShop(service.sandbox)
  const { activity } = service.sandbox.github
  activity.addWorkflow(shop.repository, { name: 'Build', file: 'build.yml' })
  activity.addWorkflow(shop.repository, {
    name: 'Nightly',
    file: 'nightly.yml',
    inputs: [],
    state: 'disabled_manually',
  })
  activity.addWorkflow(shop.repository, {
    name: 'Clean up',
    file: 'clean-up.yml',
    inputs: [
      { name: 'where', type: 'choice', required: true, options: ['staging', 'production'] },
      { name: 'keep', type: 'number', required: true, description: 'How many are kept.' },
      { name: 'dry_run', type: 'boolean', default: 'true', description: 'Nothing is deleted.' },
      { name: 'reason', required: true },
    ],
    autoRun: { conclusion: 'success' },
  })
  shop.push('ABC-1 Keep the currency')
  await service.connect('codehost')
  await service.ask('POST /environments', { name: 'preview' })
  shop.deploy('preview/42', ['success'])
  shop.deploy('staging', ['success'])
})
afterAll(() => dashboard.close())

const region = (name: string) => page.getByRole('region', { name, exact: true })

describe('the page of the code host', () => {
  beforeAll(async () => {
    seat = await dashboard.open()
    page = seat.page
    await seat.go('/integrations/codehost')
  })
  afterAll(() => seat.close())

  it('tracks a repository, and stops tracking it', async () => {
    const tracked = page.getByRole('switch', { name: 'Track acme/shop' })
    await region('Repositories')
      .getByText(/\d of \d tracked/)
      .waitFor()
    const before = await tracked.getAttribute('aria-checked')
    await tracked.click()
    await page
      .locator(`[aria-label="Track acme/shop"][aria-checked="${before !== 'true'}"]`)
      .waitFor()
    await tracked.click()
    await page
      .locator(`[aria-label="Track acme/shop"][aria-checked="${before === 'true'}"]`)
      .waitFor()
    expect(seat.complaints()).toEqual([])
  })

  it('maps environments by a rule, by which their deployments are recorded from then on', async () => {
    const environments = region('Environments')
    await environments.getByText('preview/42').waitFor()
    await environments.getByRole('button', { name: 'Add a rule' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name on GitHub').fill('preview/*')
    await dialog.getByLabel('Environment', { exact: true }).selectOption({ label: 'preview' })
    await press(page, 'Save')
    await dialog.waitFor({ state: 'detached' })
    const found = environments.getByRole('row', { name: /preview\/42/ })
    await found.getByText('by a rule').waitFor()
    expect(await look(seat, 'codehost-rules')).toEqual([])
    // Deployments that the rule maps are recorded there.
    const { items } = await dashboard.service.ask<{
      readonly items: readonly { readonly id: string; readonly name: string }[]
    }>('GET /environments')
    const preview = items.find(({ name }) => name === 'preview')
    const recorded = () =>
      dashboard.service.ask<{ readonly items: readonly { readonly hostEnvironment: string }[] }>(
        `GET /deployments?environmentId=${preview?.id}`,
      )
    await expect.poll(recorded).toMatchObject({ items: [{ hostEnvironment: 'preview/42' }] })
  })

  it('restricts API keys to the workflows that are chosen, at first all that can be started', async () => {
    const workflows = region('Workflows')
    const read = () =>
      dashboard.service.ask<{ keyWorkflows: readonly object[] | null }>(
        'GET /integrations/codehost',
      )
    const choice = workflows.getByRole('combobox')
    await choice.selectOption('only the workflows chosen below')
    await expect.poll(async () => (await read()).keyWorkflows?.length).toBe(2)
    const boxOf = (name: string) =>
      workflows.getByRole('checkbox', { name: `API keys start ${name}` })
    expect(await boxOf('Build').isChecked()).toBe(false)
    for (const box of [boxOf('Clean up'), boxOf('End to end')]) {
      await expect.poll(() => box.isChecked()).toBe(true)
      await box.click()
      await expect.poll(() => box.isChecked()).toBe(false)
    }
    await workflows.getByText('None is chosen, so API keys start no workflow.').waitFor()
    expect((await read()).keyWorkflows).toEqual([])
    expect(await seat.accessibilityViolations()).toEqual([])
    // It stays so: the person of the next test runs every workflow nevertheless.
  })

  it('runs a workflow with what it asks for, and says beside the field what is wrong', async () => {
    await region('Workflows').getByRole('button', { name: 'Run Clean up' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('where').selectOption('staging')
    await dialog.getByLabel('keep').fill('3')
    await dialog.getByLabel('reason').fill('Too many')
    expect(await dialog.getByRole('checkbox', { name: /dry_run/ }).isChecked()).toBe(true)
    await dialog.getByLabel('Branch or tag').fill('nowhere')
    await press(page, 'Run workflow')
    const ref = dialog.getByLabel('Branch or tag')
    await expect.poll(() => ref.getAttribute('aria-invalid')).toBe('true')
    expect(await look(seat, 'run-typed-inputs')).toEqual([])
    await ref.fill('main')
    await press(page, 'Run workflow')
    await dialog.getByText(/^GitHub started the run\.|^The run /).waitFor()
    await press(page, 'Done')
    const started = region('Started by hand').getByRole('row', { name: /Clean up/ })
    await started.getByText('by Ada').first().waitFor()
    await started.getByRole('link', { name: 'Open the run' }).waitFor()
    const [run] = [...shop.repository.runs.values()]
    expect(run?.inputs).toMatchObject({
      where: 'staging',
      keep: '3',
      dry_run: 'true',
      reason: 'Too many',
    })
  })

  it('adds a workflow that tests deployments, and calls it by its name', async () => {
    await press(page, 'Add a workflow')
    const dialog = page.getByRole('dialog')
    await dialog
      .getByLabel('Workflow')
      .selectOption({ label: 'End to end (.github/workflows/e2e.yml)' })
    expect(await look(seat, 'test-workflow-dialog')).toEqual([])
    // An empty field is no number, and an empty selection does not mean every environment.
    const wait = dialog.getByLabel('Wait, in seconds')
    await wait.fill('')
    await press(page, 'Save')
    expect(await wait.evaluate((input: HTMLInputElement) => input.validity.valueMissing)).toBe(true)
    await wait.fill('5')
    await dialog.getByLabel('Only selected environments').check()
    await press(page, 'Save')
    await dialog.getByText('Select at least one environment.').waitFor()
    await dialog.getByLabel('All environments except production').check()
    await press(page, 'Save')
    await region('Tests after a deployment')
      .getByRole('cell', { name: /End to end/ })
      .waitFor()
  })
})
