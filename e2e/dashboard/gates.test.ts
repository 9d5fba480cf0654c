import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPipeline } from './deployments/play-deployments.ts'
import { openRunner, toSha, type Runner } from './deployments/play-runner.ts'
import { look, lookEverywhere, press } from './look.ts'
import { openDashboard, type Dashboard, type Seat } from './open-dashboard.ts'
import { ada as adaPerson, addPerson, ageSessions, choose } from './people/play-people.ts'

let dashboard: Dashboard
let runner: Runner
let ada: Seat
let grace: Seat
let deploymentId: string

beforeAll(async () => {
  dashboard = await openDashboard()
  const pipeline = openPipeline(dashboard.service)
  await pipeline.deploy({ environment: 'production' })
  deploymentId = await pipeline.deploy({ environment: 'production', state: 'in_progress' })
  runner = await openRunner(dashboard.service)
  const { session } = await addPerson(dashboard, { name: 'Grace', role: 'developer' })
  ada = await dashboard.open()
  grace = await dashboard.open({ session })
})
afterAll(() => dashboard.close())

const wide = (page: Page) => page.setViewportSize({ width: 1360, height: 860 })
const says = (page: Page, words: string | RegExp) =>
  page.getByRole('main').getByText(words).first().waitFor()

describe('a gate', () => {
  it('is made of rules in words', async () => {
    const { page } = ada
    await ada.go('/gates')
    await page.getByRole('heading', { name: 'No gates yet' }).waitFor()
    expect(await look(ada, 'gates-empty')).toEqual([])
    await page.getByRole('main').getByRole('button', { name: 'New gate' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New gate' })
    await dialog.getByLabel('Name').fill('Production')
    expect(await dialog.getByRole('button', { name: 'Create gate' }).isDisabled()).toBe(true)
    await dialog.getByLabel('production', { exact: true }).check()
    const add = (kind: string) => dialog.getByLabel('Add a rule').selectOption(kind)
    await add('approvals')
    await add('tests')
    await dialog.getByLabel('Not longer ago than, in hours').fill('6')
    await add('freeze')
    await dialog.getByLabel('Time zone').selectOption('Europe/Berlin')
    await dialog.getByText(/^No freeze is on: Friday from 15:00 to 23:59/).waitFor()
    expect(await lookEverywhere(ada, 'gate-new')).toEqual([])
    await wide(page)
    await press(dialog, 'Create gate')
    await says(page, '1 person approves it, of those who may change values there.')
    await says(page, 'Tests of the same commit passed in development within 6 hours.')
    expect(await lookEverywhere(ada, 'gates')).toEqual([])
    await wide(page)
  })

  it('is changed', async () => {
    const { page } = ada
    await choose(page, 'Actions for Production', 'Change')
    const dialog = page.getByRole('dialog', { name: 'Change Production' })
    await press(dialog, 'Remove: Tests of the same commit passed in development within 6 hours.')
    await dialog.getByRole('button', { name: /^Remove: No freeze/ }).click()
    await press(dialog, 'Save')
    await page.getByText(/^Tests of the same commit/).waitFor({ state: 'detached' })
    expect(await page.getByText(/^No freeze is on/).count()).toBe(0)
  })
})

describe('a deployment that asks', () => {
  it('waits for people, is there without a reload, and goes on once one approves', async () => {
    await Promise.all([ada.go('/gates'), grace.go('/gates')])
    const { id } = await runner.ask({ sha: toSha('4f1c2aa') }, 'production')
    await grace.page.getByRole('link', { name: '4f1c2aa to production' }).click()
    expect(grace.page.url()).toContain(`/acme/gates/${id}`)
    expect(await lookEverywhere(grace, 'decision')).toEqual([])
    await wide(grace.page)
    await press(grace.page, 'Approve')
    const dialog = grace.page.getByRole('dialog', { name: 'Approve 4f1c2aa to production' })
    await dialog.getByLabel('Comment (optional)').fill('Checked on staging')
    expect(await look(grace, 'decision-approve')).toEqual([])
    await press(dialog, 'Approve')
    await says(grace.page, 'Checked on staging')
    await says(grace.page, /^It (?:waited|went on)/)
    expect(await grace.page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
    // Her page, which nobody touches, no longer lists it.
    await says(ada.page, 'No deployment waits.')
    expect((await runner.ask({ sha: toSha('4f1c2aa') }, 'production')).state).toBe('passed')
    await press(ada.page, 'All')
    await ada.page.getByRole('link', { name: '4f1c2aa to production' }).waitFor()
    expect(await look(ada, 'decisions')).toEqual([])
  })

  it('says on its page what it waits for', async () => {
    const deployment = await dashboard.service.ask<{ readonly id: string; readonly sha: string }>(
      `GET /deployments/${deploymentId}`,
    )
    await runner.ask({ sha: deployment.sha }, 'production')
    const { page } = ada
    await ada.go(`/deployments/${deploymentId}`)
    const panel = page.getByRole('region', { name: 'Gate' })
    await panel.getByText('It waits for 1 approval.').waitFor()
    expect(await lookEverywhere(ada, 'deployment-waits')).toEqual([])
    await wide(page)
    await panel.getByRole('link', { name: 'Decide about it' }).click()
    await page.getByRole('button', { name: 'Approve' }).waitFor()
  })

  it('is let through in an emergency, after the password, with the reason', async () => {
    const { id } = await runner.ask({ sha: toSha('9b645de') }, 'production')
    const { page } = ada
    await ada.go(`/gates/${id}`)
    await ageSessions(dashboard)
    await press(page, 'Let it go on')
    const dialog = page.getByRole('dialog', { name: 'Let 9b645de to production go on' })
    expect(await dialog.getByRole('button', { name: 'Let it go on' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Why it can’t wait').fill('The checkout is down')
    expect(await look(ada, 'decision-override')).toEqual([])
    await press(dialog, 'Let it go on')
    const question = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await question.getByLabel('Password').fill(adaPerson.password)
    await press(question, 'Confirm')
    await says(page, /^Ada let it go on/)
    await says(page, 'The checkout is down')
    expect(await look(ada, 'decision-overridden')).toEqual([])
  })

  it('is refused by an admin, and a developer is offered neither', async () => {
    const { id } = await runner.ask({ sha: toSha('77aa001') }, 'production')
    await grace.go(`/gates/${id}`)
    await grace.page.getByRole('button', { name: 'Approve' }).waitFor()
    for (const name of ['Refuse', 'Let it go on'])
      expect(await grace.page.getByRole('button', { name }).count()).toBe(0)
    const { page } = ada
    await ada.go(`/gates/${id}`)
    await press(page, 'Refuse')
    const dialog = page.getByRole('dialog', { name: 'Refuse 77aa001 to production' })
    await dialog.getByLabel('Why').fill('It breaks the cart')
    expect(await look(ada, 'decision-refuse')).toEqual([])
    await press(dialog, 'Refuse')
    await says(grace.page, /^Ada refused it/)
    await says(grace.page, 'It breaks the cart')
  })
})

describe('a freeze', () => {
  it('holds an environment up until its end, which a person brings forward', async () => {
    const { page } = ada
    await ada.go('/environments')
    await choose(page, 'Actions for production', 'Freeze')
    const dialog = page.getByRole('dialog', { name: 'Freeze production' })
    await dialog.getByLabel('Tomorrow at 08:00').check()
    await dialog.getByLabel('Why').fill('The migration runs')
    expect(await lookEverywhere(ada, 'freeze')).toEqual([])
    await wide(page)
    await press(dialog, 'Freeze')
    await dialog.waitFor({ state: 'detached' })
    await says(page, /The migration runs/)
    expect(await lookEverywhere(ada, 'frozen')).toEqual([])
    await wide(page)
    await grace.go('/gates')
    await says(grace.page, /is frozen until .*: The migration runs/)
    expect(await look(grace, 'gates-frozen')).toEqual([])
    await press(page, 'End freeze of production')
    await page.getByText('The migration runs').waitFor({ state: 'detached' })
    await grace.page.getByText('The migration runs').waitFor({ state: 'detached' })
  })
})

it('a gate is deleted, and deployments that wait for it alone go on', async () => {
  const { id } = await runner.ask({ sha: toSha('c0ffee1') }, 'production')
  const { page } = ada
  await Promise.all([ada.go('/gates'), grace.go(`/gates/${id}`)])
  await choose(page, 'Actions for Production', 'Delete')
  expect(await look(ada, 'gate-delete')).toEqual([])
  await press(page, 'Delete gate')
  await page.getByRole('heading', { name: 'No gates yet' }).waitFor()
  await says(grace.page, /^It (?:waited|went on)/)
})
