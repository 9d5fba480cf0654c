import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createConfigFixture, type ConfigFixture } from './config-fixture.ts'
import { lookEverywhere } from '../look.ts'
import { openDashboard, type Dashboard, type Seat } from '../open-dashboard.ts'

let dashboard: Dashboard
let places: ConfigFixture
let browserKey: string
let seat: Seat
let page: Page

beforeAll(async () => {
  dashboard = await openDashboard()
  places = await createConfigFixture(dashboard.service)
  const { secret } = await dashboard.service.ask<{ secret: string }>('POST /api-keys', {
    name: 'production',
    kind: 'b2m',
    environmentIds: [places.environments['production']],
  })
  browserKey = secret
})
afterAll(() => dashboard.close())

beforeEach(async () => {
  seat = await dashboard.open()
  page = seat.page
  return () => seat.close()
})

/** Evaluates a flag in production as an application does, at the delivery. */
async function evaluate(key: string, context: object): Promise<unknown> {
  const answer = await fetch(`${dashboard.service.apiUrl}/ofrep/v1/evaluate/flags/${key}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${browserKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ context: { targetingKey: 'user-1', ...context } }),
  })
  const { value } = (await answer.json()) as { value?: unknown }
  return value
}

const drawer = (name: string) => page.getByRole('dialog', { name, exact: true })
const wide = () => page.setViewportSize({ width: 1360, height: 860 })

/** Looks at the screen as it stands, and leaves it wide. */
async function look(name: string): Promise<void> {
  expect(await lookEverywhere(seat, name)).toEqual([])
  await wide()
}

/** Saves the groups of a segment as somebody else would. */
async function saveElsewhere(name: string, domain: string): Promise<void> {
  await dashboard.service.ask(`PUT /segments/${name}`, {
    anyOf: [{ when: [{ attribute: 'email', operator: 'endsWith', value: domain }] }],
    confirm: ['production'],
  })
}

describe('a segment', () => {
  it('is created with its groups, and listed with who is in it', async () => {
    await seat.go('/segments')
    await page.getByRole('button', { name: 'New segment' }).click()
    const form = drawer('New segment')
    await form.getByLabel('Name', { exact: true }).fill('beta')
    await form.getByLabel('Attribute').fill('plan')
    await form.getByRole('button', { name: 'Create segment' }).click()
    await form.getByText('Type the text to compare with.').waitFor()
    await form.getByLabel('Value').fill('beta')
    await form.getByRole('button', { name: 'Add group' }).click()
    const second = form.getByRole('group', { name: 'Group 2' })
    await second.getByLabel('Attribute').fill('seats')
    await second.getByLabel('Comparison').selectOption('is more than')
    await second.getByLabel('Value').fill('5')
    // A segment asks for no segment.
    expect(await second.getByRole('option', { name: 'is in segment' }).count()).toBe(0)
    await look('segments-new')
    await form.getByRole('button', { name: 'Create segment' }).click()
    await drawer('beta').getByText('No flag yet.').waitFor()
    await look('segments-one')
    await page.keyboard.press('Escape')
    const row = page.getByRole('row', { name: /^beta/ })
    await row.getByText('plan is beta, or seats is more than 5').waitFor()
    await row.getByText('No flag').waitFor()
    await look('segments')
  })

  it('is asked for by a rule, and a tested context names its group', async () => {
    await seat.go('/flags?panel=rules&key=searchV2&from=production')
    const flag = drawer('searchV2')
    await flag.getByRole('button', { name: 'Add rule', exact: true }).click()
    await flag.getByRole('button', { name: 'Add segment' }).click()
    await flag.getByRole('button', { name: 'Done' }).click()
    await flag.getByText('Choose a segment.').waitFor()
    await flag.getByLabel('Segment', { exact: true }).selectOption('beta')
    await look('segments-rule')
    await flag.getByRole('button', { name: 'Done' }).click()
    await flag.getByText('on for beta').first().waitFor()
    await flag.getByText('On for segment beta').first().waitFor()

    const test = flag.getByRole('region', { name: 'Test a context' })
    await test.getByLabel('seats').fill('6')
    await test.getByText('Rule 1 decides: all its conditions hold.').waitFor()
    await test.getByText('(holds; in group 2 of 2: seats is more than 5)').waitFor()
    await look('segments-context')
    await test.getByLabel('seats').fill('5')
    await test.getByText('(does not hold; in none of its 2 groups)').waitFor()

    await flag.getByRole('button', { name: 'Review 1 change' }).click()
    const review = drawer('Review 1 change')
    await review.getByText('On for segment beta').waitFor()
    await review.getByLabel('Type "production" to confirm').fill('production')
    await review.getByRole('button', { name: 'Save' }).click()
    await page.getByText('1 change saved in production.').waitFor()
    await expect.poll(() => evaluate('searchV2', { seats: 6 })).toBe(true)
    expect(await evaluate('searchV2', { seats: 5 })).toBe(false)
  })

  it('is created from an open rule, which stays open', async () => {
    await seat.go('/flags?panel=rules&key=newCheckout&from=development')
    const flag = drawer('newCheckout')
    await flag.getByRole('button', { name: 'Add rule', exact: true }).click()
    await flag.getByLabel('Name (optional)').fill('partners first')
    await flag.getByRole('button', { name: 'Add segment' }).click()
    await flag.getByRole('button', { name: 'New segment' }).click()
    const form = drawer('New segment')
    await form.getByLabel('Name', { exact: true }).fill('partners')
    // The attributes and values of another segment are proposed.
    const proposed = form.locator('datalist')
    await proposed.locator('option[value="seats"]').first().waitFor({ state: 'attached' })
    await form.getByLabel('Attribute').fill('plan')
    await proposed.locator('option[value="beta"]').first().waitFor({ state: 'attached' })
    await form.getByLabel('Attribute').fill('partner')
    await form.getByLabel('Comparison').selectOption('is true')
    // Neither Escape nor a press beside the drawer loses what was typed, here or in the rule.
    await page.keyboard.press('Escape')
    await page.mouse.click(20, 400)
    await form.getByText('Not saved yet. Cancel discards your edits.').waitFor()
    await form.getByRole('button', { name: 'Create segment' }).click()
    await form.waitFor({ state: 'detached' })
    await expect
      .poll(() => flag.getByLabel('Segment', { exact: true }).inputValue())
      .toBe('partners')
    await expect.poll(() => flag.getByLabel('Name (optional)').inputValue()).toBe('partners first')
  })

  it('is changed after a review of every flag that changes with it, and restored', async () => {
    await seat.go('/segments?segment=beta')
    await drawer('beta').getByRole('button', { name: 'Edit segment' }).click()
    const form = drawer('Edit beta')
    const second = form.getByRole('group', { name: 'Group 2' })
    await second.getByLabel('Value').fill('10')
    await page.keyboard.press('Escape')
    await form.getByText('Not saved yet. Cancel discards your edits.').waitFor()
    expect(await second.getByLabel('Value').inputValue()).toBe('10')
    await form.getByRole('button', { name: 'Review' }).click()
    const review = drawer('Review beta')
    await review.getByRole('list', { name: 'Flags that change' }).getByText('searchV2').waitFor()
    await review.getByText('seats is more than 10').waitFor()
    expect(await review.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await review.getByLabel('Why (optional)').fill('Larger teams first')
    await review.getByLabel('Type "production" to confirm').fill('production')
    await look('segments-review')
    await review.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved beta. 1 flag changed in production.').waitFor()
    await expect.poll(() => evaluate('searchV2', { seats: 6 })).toBe(false)
    const undo = page.getByRole('button', { name: 'Undo', exact: true }).last()
    await undo.click()
    await page.getByText('Undone. beta is as it was before.').waitFor()
    await expect.poll(() => evaluate('searchV2', { seats: 6 })).toBe(true)

    const shown = drawer('beta')
    await shown.getByText('“Larger teams first”').waitFor()
    await shown.getByText('seats is more than 10').first().waitFor()
    await look('segments-versions')
    await shown.getByRole('button', { name: 'Restore version 2…' }).click()
    const restore = drawer('Restore version 2 of beta')
    await restore.getByRole('list', { name: 'Flags that change' }).getByText('searchV2').waitFor()
    await restore.getByLabel('Type "production" to confirm').fill('production')
    await restore.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('Restored version 2 of beta. 1 flag changed in production.').waitFor()
    await expect.poll(() => evaluate('searchV2', { seats: 6 })).toBe(false)
    await undo.click()
    await expect.poll(() => evaluate('searchV2', { seats: 6 })).toBe(true)
  })

  it('is named in the matrix, the history, a version, the timeline and the audit log', async () => {
    await seat.go('/flags')
    await page
      .getByRole('button', { name: /^Rules of searchV2 in production: on for beta/ })
      .waitFor()
    await seat.go('/history')
    await page.getByText('searchV2 (segment beta changed)').first().waitFor()
    expect(await page.getByText('with the same value').count()).toBe(0)
    await seat.go('/history?key=searchV2')
    await page.getByText('segment beta changed: on for beta').first().waitFor()
    await page
      .getByRole('button', { name: /^production v/ })
      .first()
      .click()
    const version = page.getByRole('dialog')
    await version.getByRole('link', { name: 'Segment beta changed' }).waitFor()
    await version.getByText(/seats is more than 10 .*seats is more than 5/).waitFor()
    await look('segments-history')
    await seat.go('/timeline')
    const row = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name: 'Segment beta changed' }) })
      .first()
    await row.getByRole('link', { name: 'beta', exact: true }).waitFor()
    // The title says it once, and the lines below say who was in it and who has the flag.
    expect((await row.innerText()).match(/segment beta changed/gi)).toHaveLength(1)
    await page
      .getByText(/seats is more than 10 .*seats is more than 5/)
      .first()
      .waitFor()
    await look('segments-timeline')
    await seat.go('/audit')
    await page
      .getByRole('cell', { name: /changed segment beta/ })
      .first()
      .waitFor()
  })

  it('follows a change of somebody else, and asks whose edits count', async () => {
    await seat.go('/segments?segment=staff')
    await drawer('staff').getByText('email ends with @acme.example').first().waitFor()
    await saveElsewhere('staff', '@acme.test')
    await drawer('staff').getByText('email ends with @acme.test').first().waitFor()
    await drawer('staff').getByRole('button', { name: 'Edit segment' }).click()
    const form = drawer('Edit staff')
    await form.getByLabel('Value').fill('@mine.example')
    await saveElsewhere('staff', '@theirs.example')
    await form.getByText(/saved version 3 while you were editing\./).waitFor()
    await look('segments-conflict')
    await form.getByRole('button', { name: 'Keep mine' }).click()
    await expect.poll(() => form.getByLabel('Value').inputValue()).toBe('@mine.example')
    await form.getByRole('button', { name: 'Review' }).click()
    const review = drawer('Review staff')
    await review.getByText('No flag changes.').waitFor()
    await review.getByText('email ends with @theirs.example').waitFor()
    // Nothing is told to this page any more: the server refuses to write over what the person has not seen.
    await page.route('**/segments/staff', (route) =>
      route.request().method() === 'GET' ? route.abort() : route.continue(),
    )
    await saveElsewhere('staff', '@late.example')
    await review.getByRole('button', { name: 'Save' }).click()
    await review.getByRole('alert').waitFor()
    expect(await review.getByRole('alert').textContent()).toMatch(/version/)
  })

  it('is not deleted while a flag uses it, and is afterwards', async () => {
    await seat.go('/segments?segment=beta')
    await drawer('beta').getByRole('button', { name: 'Delete segment' }).click()
    const rejection = drawer('beta is in use')
    await look('segments-in-use')
    await rejection.getByRole('link', { name: 'searchV2' }).click()
    await drawer('searchV2').getByText('On for segment beta').first().waitFor()
    await seat.go('/segments?segment=partners&panel=delete')
    const confirm = drawer('Delete partners?')
    await confirm.getByLabel('Type "partners" to confirm').fill('partners')
    await confirm.getByRole('button', { name: 'Delete segment' }).click()
    await page.getByText('partners was deleted.').waitFor()
    await page.getByRole('row', { name: /^staff/ }).waitFor()
    await page.getByRole('row', { name: /^partners/ }).waitFor({ state: 'detached' })
    expect(seat.complaints()).toEqual([])
  })
})
