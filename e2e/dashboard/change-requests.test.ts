import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createConfigFixture, type ConfigFixture } from './config/config-fixture.ts'
import { look, lookEverywhere, press } from './look.ts'
import { openDashboard, type Dashboard, type Seat } from './open-dashboard.ts'
import { ada as adaPerson, addPerson, ageSessions, choose, keptBy } from './people/play-people.ts'

let dashboard: Dashboard
let places: ConfigFixture
let ada: Seat
let grace: Seat

beforeAll(async () => {
  dashboard = await openDashboard()
  places = await createConfigFixture(dashboard.service)
  const { session } = await addPerson(dashboard, { name: 'Grace', role: 'developer' })
  await dashboard.service.ask(`PATCH /environments/${places.environments['production']}`, {
    protection: { approvals: 1 },
  })
  ada = await dashboard.open()
  grace = await dashboard.open({ session })
})
afterAll(() => dashboard.close())

const secret = 'the next secret of production'
const cell = (page: Page, key: string) => page.locator(`[id="cell-3-${key}"]`)
const valueOf = async (key: string) => (await places.read('production'))[key]?.value

async function edit(page: Page, key: string, text: string): Promise<void> {
  await cell(page, key).click()
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

/** Asks as Ada for another e-mail address in production. Returns the number of the request. */
async function ask(title: string, supportEmail: string): Promise<number> {
  const { number } = await dashboard.service.ask<{ number: number }>('POST /change-requests', {
    title,
    operation: {
      kind: 'values',
      body: {
        schemaId: places.schemaId,
        changes: [{ environmentId: places.environments['production'], set: { supportEmail } }],
      },
    },
  })
  return number
}

const says = (page: Page, words: string | RegExp) =>
  page.getByRole('main').getByText(words).first().waitFor()

describe('a change of an environment that needs approvals', () => {
  it('is asked for where Save was, waits in its cell, and is live once somebody else has approved it', async () => {
    const { page } = ada
    await ada.go('/config')
    await edit(page, 'supportEmail', 'help@example.com')
    await edit(page, 'stripeSecretKey', secret)
    await press(page, 'Review 2 changes')
    const review = page.getByRole('dialog', { name: 'Review 2 changes' })
    await review.getByText('production needs 1 approval').waitFor()
    await review.getByLabel('Type "production" to confirm').fill('production')
    await press(review, 'Request approval')
    const dialog = page.getByRole('dialog', { name: 'Request approval' })
    await dialog.getByText('production needs 1 approval.').waitFor()
    expect(await look(ada, 'request-approval')).toEqual([])
    await dialog.getByLabel('Title').fill('Answer at another address')
    await dialog.getByLabel('Why (optional)').fill('The team has moved')
    await press(dialog, 'Request approval')
    await dialog.waitFor({ state: 'detached' })
    // Nothing is staged any more, and nothing has changed: the cell says who waits.
    await review.waitFor({ state: 'detached' })
    expect(await page.locator('[data-staged]').count()).toBe(0)
    await cell(page, 'supportEmail').getByRole('img', { name: 'Waiting: Ada, request 1' }).waitFor()
    expect(await valueOf('supportEmail')).toBeUndefined()
    await cell(page, 'supportEmail').click()
    await page.locator('#cell-line').getByText('Waiting: Ada, request 1').waitFor()
    await press(page, 'Open request 1')
    await says(page, 'It waits for 1 more approval in production.')
    await says(page, 'You asked for this, so somebody else approves it.')
    await says(page, 'A secret changes.')
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)

    await grace.go('/requests')
    await grace.page.getByText('0 of 1 approval').waitFor()
    await grace.page.getByRole('link', { name: 'Answer at another address' }).click()
    await says(grace.page, 'The team has moved')
    await grace.page.getByText('help@example.com').waitFor()
    expect(await keptBy(grace.page)).not.toContain(secret)
    expect(await lookEverywhere(grace, 'request')).toEqual([])
    await grace.page.setViewportSize({ width: 1360, height: 860 })
    await grace.page.getByLabel('Your review (optional)').fill('Checked with the team')
    await press(grace.page, 'Approve')
    // A comment does not take an approval back.
    await grace.page.getByLabel('Your review (optional)').fill('Tell me when it is live')
    await press(grace.page, 'Comment')
    await says(grace.page, 'Tell me when it is live')
    // Her page, which nobody touches, shows it.
    await says(page, 'Checked with the team')
    await press(page, 'Apply now')
    await says(page, 'Its change is live.')
    await says(grace.page, 'Its change is live.')
    expect(await valueOf('supportEmail')).toBe('help@example.com')
    expect(await valueOf('stripeSecretKey')).toBe(secret)
  })

  it('is kept as it was typed when the question is cancelled', async () => {
    const { page } = ada
    await ada.go('/flags')
    await cell(page, 'searchV2').getByRole('switch').click()
    await press(page, 'Review 1 change')
    const review = page.getByRole('dialog', { name: 'Review 1 change' })
    await review.getByLabel('Type "production" to confirm').fill('production')
    await press(review, 'Request approval')
    await page.getByRole('dialog', { name: 'Request approval' }).waitFor()
    await page.keyboard.press('Escape')
    await review.getByRole('alert').waitFor()
    expect(await page.locator('[data-staged]').count()).toBe(1)
    await press(review, 'Keep editing')
    await press(page.getByRole('region', { name: 'Flags' }), 'Discard')
  })
})

describe('a request', () => {
  it('that is declined waits until the decline is taken back, and ends when its author withdraws it', async () => {
    const number = await ask('Answer nowhere', 'nowhere@example.com')
    await Promise.all([ada.go(`/requests/${number}`), grace.go(`/requests/${number}`)])
    await grace.page.getByLabel('Your review (optional)').fill('Not on a Friday')
    await press(grace.page, 'Decline')
    await says(ada.page, 'It waits until Grace takes the decline back')
    await says(ada.page, 'Not on a Friday')
    expect(await ada.page.getByRole('button', { name: 'Apply now' }).count()).toBe(0)
    await press(grace.page, 'Take the decline back')
    await says(ada.page, 'It waits for 1 more approval in production.')
    await choose(ada.page, `Actions for request ${number}`, 'Withdraw')
    expect(await look(ada, 'request-withdraw')).toEqual([])
    await press(ada.page.getByRole('dialog'), 'Withdraw')
    await says(grace.page, 'Nothing was changed.')
    expect(await grace.page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
  })

  it('that meets the change of somebody else changes nothing, and is asked for again with the new values', async () => {
    const numbers = [
      await ask('Answer first', 'first@example.com'),
      await ask('Answer second', 'second@example.com'),
    ]
    for (const number of numbers) {
      await grace.go(`/requests/${number}`)
      await press(grace.page, 'Approve')
      await press(grace.page, 'Apply now')
      await says(grace.page, /Its change is live|It waits because somebody changed/)
    }
    expect(await valueOf('supportEmail')).toBe('first@example.com')
    await ada.go(`/requests/${numbers[1]}`)
    await ada.page
      .getByRole('heading', { name: 'Somebody changed the same values since' })
      .waitFor()
    await ada.page.getByText('first@example.com').first().waitFor()
    expect(await look(ada, 'request-conflict')).toEqual([])
    await press(ada.page, 'Ask again')
    await says(ada.page, 'It waits for 1 more approval in production.')
    await press(grace.page, 'Approve')
    await press(grace.page, 'Apply now')
    await says(grace.page, 'Its change is live.')
    expect(await valueOf('supportEmail')).toBe('second@example.com')
  })

  it('is edited and scheduled by its author', async () => {
    const number = await ask('Answer later', 'later@example.com')
    const { page } = ada
    await ada.go(`/requests/${number}`)
    await choose(page, `Actions for request ${number}`, 'Edit title and reason')
    await page.getByRole('dialog').getByLabel('Title').fill('Answer tomorrow')
    expect(await look(ada, 'request-edit')).toEqual([])
    await press(page.getByRole('dialog'), 'Save')
    await page.getByRole('heading', { level: 1, name: 'Answer tomorrow' }).waitFor()
    await choose(page, `Actions for request ${number}`, 'Schedule')
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16)
    await page.getByRole('dialog').getByLabel('Apply at').fill(tomorrow)
    expect(await look(ada, 'request-schedule')).toEqual([])
    await press(page.getByRole('dialog'), 'Schedule')
    await says(page, /If it has them by then, it applies itself at/)
    await choose(page, `Actions for request ${number}`, 'Change the time')
    await press(page.getByRole('dialog'), 'Remove the time')
    await says(page, 'It waits for 1 more approval in production.')
  })

  it('is applied without approvals in an emergency, after the password, and another member acknowledges it', async () => {
    const number = await ask('Answer now', 'now@example.com')
    const { page } = ada
    await ada.go(`/requests/${number}`)
    await ageSessions(dashboard)
    await choose(page, `Actions for request ${number}`, 'Apply without approvals')
    const dialog = page.getByRole('dialog', { name: 'Apply without approvals' })
    await dialog.getByLabel('Why it can’t wait').fill('too short')
    expect(await dialog.getByRole('button', { name: 'Apply without approvals' }).isDisabled()).toBe(
      true,
    )
    await dialog.getByLabel('Why it can’t wait').fill('The old address bounces')
    expect(await look(ada, 'request-override')).toEqual([])
    await press(dialog, 'Apply without approvals')
    const question = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await question.getByLabel('Password').fill(adaPerson.password)
    await press(question, 'Confirm')
    await says(page, 'Ada applied it without its approvals: The old address bounces')
    expect(await valueOf('supportEmail')).toBe('now@example.com')
    await grace.go(`/requests/${number}`)
    await press(grace.page, 'Acknowledge')
    await says(page, 'Grace has seen it.')
  })
})

describe('a dialog that changes an environment', () => {
  /** Asks for what the open dialog sends, and waits until both have closed and the address no longer names it. */
  async function requestApproval(page: Page): Promise<void> {
    const dialog = page.getByRole('dialog', { name: 'Request approval' })
    await press(dialog, 'Request approval')
    await page.locator('dialog[open]').first().waitFor({ state: 'detached' })
    expect(await page.locator('dialog[open]').count()).toBe(0)
    expect(new URL(page.url()).search).not.toContain('panel')
  }

  it('asks for approval, whichever it is, and closes', async () => {
    const { page } = ada
    await ada.go('/config?panel=promote&from=development&to=production')
    await page.getByLabel('All keys set in development').check()
    await page.getByLabel('Type "production" to confirm').fill('production')
    await press(page, 'Request approval')
    await requestApproval(page)
    await ada.go('/environments')
    await choose(page, 'Actions for production', 'Edit')
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('live')
    await page.getByLabel('Type "production" to confirm').fill('production')
    await press(page.getByRole('dialog'), 'Save')
    await requestApproval(page)
    await grace.go('/requests')
    await grace.page
      .getByRole('link', { name: /production/ })
      .first()
      .click()
    await says(grace.page, 'The environment is renamed from production to live.')
    await grace.go('/requests?view=all')
    expect(await lookEverywhere(grace, 'requests')).toEqual([])
  })
})

describe('a rollout in steps', () => {
  const flag = (page: Page) => page.getByRole('dialog', { name: 'searchV2', exact: true })
  const plan = (page: Page) => flag(page).getByRole('region', { name: 'Rollout' })
  const form = (page: Page) => page.getByRole('dialog', { name: 'Roll out in steps' })
  const openFlag = async (environment: string) => {
    await ada.go(`/flags?panel=rules&key=searchV2&from=${environment}`)
    await press(flag(ada.page), 'Roll out in steps')
    await form(ada.page).waitFor()
  }
  /** Presses a button of the plan, and confirms it. */
  const pressAndConfirm = async (page: Page, button: string) => {
    await press(plan(page), button)
    const dialog = page.getByRole('dialog', { name: '?' })
    expect(await look(ada, `rollout-${button}`)).toEqual([])
    await press(dialog, button)
    await dialog.waitFor({ state: 'detached' })
  }
  const shareOf = async (environment: string): Promise<unknown> => {
    const { rules = [] } = (await places.read(environment))['searchV2'] as {
      rules?: readonly { readonly serve: unknown }[]
    }
    return rules.at(-1)?.serve
  }

  it('is made from a template, goes on when pressed, pauses when somebody changes the flag, and is taken back', async () => {
    await places.set('development', { searchV2: false })
    const signal = await dashboard.service.ask<{ id: string }>('POST /signals', {
      name: 'errors',
      spec: { kind: 'alert' },
    })
    const { page } = ada
    await page.setViewportSize({ width: 1360, height: 860 })
    await openFlag('development')
    const third = form(page).getByRole('group', { name: 'Step 3' })
    await third.getByLabel('Percentage').fill('20')
    await form(page).getByText('Step 3 serves no more than the one before.').waitFor()
    expect(await form(page).getByRole('button', { name: 'Start the rollout' }).isDisabled()).toBe(
      true,
    )
    await press(third, 'Remove step 3')
    await form(page).getByText('Release templates').click()
    await form(page).getByLabel('Keep these steps as').fill('Three days')
    await press(form(page), 'Keep')
    await form(page).getByText('5% for 1 d, then 25% for 1 d, then 100% for 1 d').waitFor()
    await press(form(page), 'Add step')
    await form(page).getByLabel('Take the steps of').selectOption('No template')
    await form(page).getByLabel('Take the steps of').selectOption('Three days')
    await form(page).getByRole('group', { name: 'Step 4' }).waitFor({ state: 'detached' })
    await third.getByText('Choose signals for this step').click()
    await third.getByLabel('errors').check()
    await third.getByText('Watched by errors').waitFor()
    expect(await lookEverywhere(ada, 'rollout-form')).toEqual([])
    await press(form(page), 'Delete template')
    await form(page).getByLabel('Take the steps of').waitFor({ state: 'detached' })
    await press(form(page), 'Start the rollout')
    await plan(page)
      .getByText(/^Next: 25% tomorrow at \d\d:\d\d\.$/)
      .waitFor()
    expect(await shareOf('development')).toEqual({ percent: 5 })
    const { items } = await dashboard.service.ask<{ items: { steps: object[] }[] }>(
      'GET /rollout-plans',
    )
    expect(items[0]?.steps).toMatchObject([{}, {}, { percent: 100, signals: [signal.id] }])
    await pressAndConfirm(page, 'Next')
    await plan(page).locator('[aria-current=step]').getByText('25%').waitFor()
    expect(await lookEverywhere(ada, 'rollout')).toEqual([])
    await page.setViewportSize({ width: 1360, height: 860 })
    expect(await shareOf('development')).toEqual({ percent: 25 })

    await places.set('development', { searchV2: true })
    await plan(page).getByText('Paused: Ada has changed the flag.').waitFor()
    await pressAndConfirm(page, 'Resume')
    await press(plan(page), 'Pause')
    await plan(page).getByText('Paused: Ada has paused it.').waitFor()
    await pressAndConfirm(page, 'Restore')
    await flag(page)
      .getByText(/^Last rollout, .*: Restored: Ada has taken it back\.$/)
      .waitFor()
    expect(await shareOf('development')).toBeUndefined()
    await press(flag(page), 'Roll out in steps')
    await page.keyboard.press('Escape')
    await form(page).waitFor({ state: 'detached' })
    await dashboard.service.ask(`DELETE /signals/${signal.id}`)
  })

  it('is asked for as a whole where changes need approvals, and its request says the steps', async () => {
    await openFlag('production')
    const { page } = ada
    await form(page).getByLabel('Type "production" to confirm').fill('production')
    await form(page).getByRole('group', { name: 'Step 2' }).getByLabel('Needs an approval').check()
    await press(form(page), 'Request approval')
    const dialog = page.getByRole('dialog', { name: 'Request approval' })
    await dialog.getByLabel('Title').fill('Search for all')
    await press(dialog, 'Request approval')
    await dialog.waitFor({ state: 'detached' })
    await grace.go('/requests')
    await grace.page.getByRole('link', { name: 'Search for all' }).click()
    await says(grace.page, '25% for 1 d, after an approval')
    await says(grace.page, /100%/)
    expect(await lookEverywhere(grace, 'request-rollout')).toEqual([])
    await grace.page.setViewportSize({ width: 1360, height: 860 })
    await press(grace.page, 'Approve')
    await press(grace.page, 'Apply now')
    await says(grace.page, 'Its change is live.')
    expect(await shareOf('production')).toEqual({ percent: 5 })
    await ada.go('/flags?panel=rules&key=searchV2&from=production')
    await plan(page)
      .getByText(/^Next: 25% tomorrow at .*, after an approval\.$/)
      .waitFor()
    const words = 'Rolling out: 5%, step 1 of 4'
    await cell(page, 'searchV2').locator(`[aria-label="${words}"]`).waitFor()
    await page.keyboard.press('Escape')
    await page.locator('#cell-line').getByText(words).waitFor()
    expect(await lookEverywhere(ada, 'rollout-mark')).toEqual([])
  })
})
