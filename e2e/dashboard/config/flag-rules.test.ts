import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createConfigFixture, type ConfigFixture } from './config-fixture.ts'
import { look, lookEverywhere, press } from '../look.ts'
import { openDashboard, type Dashboard, type Seat } from '../open-dashboard.ts'

let dashboard: Dashboard
let places: ConfigFixture
let keys: Record<string, string>
let seat: Seat
let page: Page

beforeAll(async () => {
  dashboard = await openDashboard()
  places = await createConfigFixture(dashboard.service)
  const made = ['staging', 'production'].map(async (environment) => {
    const { secret } = await dashboard.service.ask<{ secret: string }>('POST /api-keys', {
      name: environment,
      kind: 'b2m',
      environmentIds: [places.environments[environment]],
    })
    return [environment, secret] as const
  })
  keys = Object.fromEntries(await Promise.all(made))
})
afterAll(() => dashboard.close())

beforeEach(async () => {
  seat = await dashboard.open()
  page = seat.page
  return () => seat.close()
})

/** Evaluates a flag as an application does, at the delivery. */
async function evaluate(environment: string, key: string, context: object): Promise<unknown> {
  const answer = await fetch(`${dashboard.service.apiUrl}/ofrep/v1/evaluate/flags/${key}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${keys[environment]}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ context }),
  })
  const { value } = (await answer.json()) as { value?: unknown }
  return value
}

const drawer = (name: string) => page.getByRole('dialog', { name, exact: true })

async function openRules(key: string, environment: string): Promise<void> {
  await seat.go(`/flags?panel=rules&key=${key}&from=${environment}`)
  await drawer(key).waitFor()
}

/** Tests a context in the drawer, and returns the outcome with its reason. */
async function test(context: object): Promise<string> {
  const section = page.getByRole('region', { name: 'Test a context' })
  await section.getByLabel('Or paste the context as JSON').fill(JSON.stringify(context))
  return (await section.getByRole('status').textContent()) ?? ''
}

describe('the rules of a flag', () => {
  it('are made, named, ordered and saved with the mouse, and evaluated as the editor says', async () => {
    await seat.go('/flags')
    await page.locator('[id="cell-3-searchV2"]').click({ position: { x: 4, y: 4 } })
    await page.getByRole('button', { name: 'Add rules' }).click()
    const flag = drawer('searchV2')
    await flag.getByRole('button', { name: 'Roll out by percentage' }).click()
    await flag.getByLabel('Percentage, by slider').fill('30')
    await expect.poll(() => flag.getByLabel('Percentage', { exact: true }).inputValue()).toBe('30')
    await flag.getByRole('button', { name: 'Done' }).click()

    await flag.getByRole('button', { name: 'Add rule', exact: true }).click()
    await flag.getByRole('button', { name: 'Done' }).waitFor()
    await flag.getByRole('button', { name: 'Add condition' }).click()
    await flag.getByLabel('Attribute').fill('email')
    await flag.getByLabel('Comparison').selectOption('ends with')
    await flag.getByRole('button', { name: 'Done' }).click()
    await flag.getByText('Type the text to compare with.').waitFor()
    await flag.getByLabel('Value').fill('@acme.example')
    await flag.getByLabel('Name (optional)').fill('staff')
    expect(await lookEverywhere(seat, 'rules-condition')).toEqual([])
    await page.setViewportSize({ width: 1360, height: 860 })
    await flag.getByRole('button', { name: 'Done' }).click()
    // It comes before the rule for everyone, behind which it would never be asked.
    await flag.getByText('on for staff, 30%').first().waitFor()
    const dragUp = async () => {
      const grip = flag.getByRole('button', { name: 'Move rule 2 of 2' })
      const from = await grip.boundingBox()
      const to = await flag.getByRole('button', { name: 'Move rule 1 of 2' }).boundingBox()
      await page.mouse.move((from?.x ?? 0) + 10, (from?.y ?? 0) + 10)
      await page.mouse.down()
      await page.mouse.move((to?.x ?? 0) + 10, (to?.y ?? 0) - 5, { steps: 5 })
      await page.mouse.up()
    }
    await dragUp()
    await flag.getByText('Never used: rule 1 decides for everyone before it.').waitFor()
    await dragUp()
    await flag.getByText('on for staff, 30%').first().waitFor()
    await flag.getByText('Moved to position 1 of 2.').waitFor()
    expect(await lookEverywhere(seat, 'rules')).toEqual([])
    await page.setViewportSize({ width: 1360, height: 860 })

    const staff = { targetingKey: 'user-1', email: 'ada@acme.example' }
    expect(await test(staff)).toContain('Rule 1 decides: all its conditions hold.')
    const others = Array.from({ length: 12 }, (_, n) => ({ targetingKey: `user-${n}` }))
    const expected: boolean[] = []
    for (const context of others) {
      const outcome = await test(context)
      expect(outcome).toMatch(/Rule 2 decides: targetingKey user-\d+ is at [\d.]+%, (in|out)side/)
      expected.push(outcome.startsWith('on'))
    }
    expect(new Set(expected)).toEqual(new Set([true, false]))

    await flag.getByRole('button', { name: 'Review 1 change' }).click()
    const review = drawer('Review 1 change')
    await review.getByText('on for staff, 30%').waitFor()
    await review.getByText('staff: On where email ends with @acme.example').waitFor()
    // Production asks for its name, as for every other change.
    expect(await review.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await review.getByLabel('Type "production" to confirm').fill('production')
    await review.getByRole('button', { name: 'Save' }).click()
    await page.getByText('1 change saved in production.').waitFor()

    await expect.poll(() => evaluate('production', 'searchV2', staff)).toBe(true)
    const served: unknown[] = []
    for (const context of others) served.push(await evaluate('production', 'searchV2', context))
    expect(served).toEqual(expected)
  })

  it('are seen in the matrix, the history, a version and the timeline', async () => {
    await seat.go('/flags')
    await page
      .getByRole('button', { name: /^Rules of searchV2 in production: on for staff/ })
      .click()
    await drawer('searchV2').getByText('On for 30% of everyone').first().waitFor()
    await page.keyboard.press('Escape')
    expect(await lookEverywhere(seat, 'rules-matrix')).toEqual([])
    await page.setViewportSize({ width: 1360, height: 860 })
    await seat.go('/history?key=searchV2')
    await page.getByText('off → on for staff, 30%').waitFor()
    await page
      .getByRole('button', { name: /^production v/ })
      .first()
      .click()
    const version = page.getByRole('dialog')
    await version.getByText('On for 30% of everyone').waitFor()
    expect(await lookEverywhere(seat, 'rules-version')).toEqual([])
    await page.setViewportSize({ width: 1360, height: 860 })
    await seat.go('/timeline')
    await page.getByText('searchV2: off → on for staff, 30%').first().waitFor()
  })

  it('are read after one press from the overview, and everyone else gets the flag in production after five', async () => {
    await seat.go('')
    // Counts what a person presses; what the page presses itself is not trusted.
    await page.evaluate(() => {
      const { dataset } = document.documentElement
      dataset['presses'] = '0'
      const count = ({ isTrusted }: Event) => {
        if (isTrusted) dataset['presses'] = String(Number(dataset['presses']) + 1)
      }
      addEventListener('pointerdown', count, true)
      addEventListener('keydown', count, true)
    })
    const presses = () => page.locator('html').getAttribute('data-presses')
    await page.getByRole('link', { name: 'Flags', exact: true }).click()
    const rules = page.locator('[id="cell-3-searchV2"]').getByRole('button')
    await rules.getByText('on for staff, 30%', { exact: true }).waitFor()
    // All of it is there to be read.
    expect(await rules.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
    expect(await presses()).toBe('1')

    await rules.click()
    await page.getByRole('switch', { name: 'Everyone else in production' }).click()
    await page.getByRole('button', { name: 'Review 1 change' }).last().click()
    const review = drawer('Review 1 change')
    // Filled without a key press: the name is what the protection asks for.
    await review.getByLabel('Type "production" to confirm').fill('production')
    await review.getByRole('button', { name: 'Save' }).click()
    await page.getByText('1 change saved in production.').waitFor()
    expect(await presses()).toBe('5')
  })

  it('are made and saved with the keyboard alone', async () => {
    await seat.go('/flags')
    const focusOn = (name: string) =>
      page.waitForFunction(
        (wanted) =>
          [
            document.activeElement?.getAttribute('aria-label'),
            document.activeElement?.textContent,
          ].includes(wanted),
        name,
      )
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 60; presses += 1) {
        const found = await page.evaluate(() => [
          document.activeElement?.getAttribute('aria-label'),
          document.activeElement?.textContent?.trim(),
          document.activeElement instanceof HTMLInputElement
            ? document.activeElement.labels?.[0]?.textContent?.trim()
            : undefined,
        ])
        if (found.includes(name)) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`No Tab leads to ${name}`)
    }
    const type = (text: string) => page.keyboard.type(text)
    const press = async (...pressed: readonly string[]) => {
      for (const key of pressed) await page.keyboard.press(key)
    }
    // A press of a key on the cell opens its menu, where the rules are.
    await page.locator('[id="cell-2-newCheckout"]').focus()
    await press('Shift+F10')
    await page.getByRole('menuitem', { name: 'Rules: who gets it' }).focus()
    await press('Enter')
    await drawer('newCheckout').waitFor()
    await tabTo('Add rule')
    await press('Enter')
    await tabTo('Add condition')
    await press('Enter')
    await focusOn('Attribute')
    await type('seats')
    await tabTo('Comparison')
    await type('is at least')
    await tabTo('Value')
    await type('5')
    await press('Enter')
    await page.getByText('On where seats is at least 5').first().waitFor()
    await tabTo('Roll out by percentage')
    await press('Enter')
    await tabTo('Percentage, by slider')
    await press('ArrowRight', 'ArrowRight')
    await tabTo('Done')
    await press('Enter')
    await page.getByText('on where seats is at least 5, 12%').first().waitFor()
    await tabTo('Move rule 2 of 2')
    await press('ArrowUp')
    await focusOn('Move rule 1 of 2')
    await page.getByText('Never used: rule 1 decides for everyone before it.').waitFor()
    await press('ArrowDown')
    await focusOn('Move rule 2 of 2')
    await tabTo('Review 1 change')
    await press('Enter')
    await drawer('Review 1 change').waitFor()
    // No Tab leads to a button that waits for the preview.
    const save = drawer('Review 1 change').getByRole('button', { name: 'Save' })
    await expect.poll(() => save.isEnabled()).toBe(true)
    await tabTo('Save')
    await press('Enter')
    await page.getByText('1 change saved in staging.').waitFor()
    const seats = (count: number) =>
      evaluate('staging', 'newCheckout', { targetingKey: 'user-4711', seats: count })
    await expect.poll(() => seats(5)).toBe(true)
    expect(await seats(4)).toBe(
      await evaluate('staging', 'newCheckout', { targetingKey: 'user-4711' }),
    )
  })

  it('of a parent stay its own until an environment gets some, and an open rule is not lost', async () => {
    await openRules('newCheckout', 'staging')
    const flag = drawer('newCheckout')
    await flag.getByRole('button', { name: 'Edit rule 1' }).click()
    await flag.getByLabel('Value').fill('9')
    // A press beside the drawer, or its cross, ends nothing while a rule is open.
    await page.mouse.click(20, 400)
    await flag.getByText('Finish the open rule first.').waitFor()
    expect(await flag.getByLabel('Value').inputValue()).toBe('9')
    await flag.getByLabel('Value').press('Escape')
    await flag.getByText('On where seats is at least 5').first().waitFor()
    await flag.getByRole('button', { name: 'Remove rule 1' }).click()
    await flag.getByText('Unsaved. Current: on where seats is at least 5, 12%.').waitFor()
    await flag.getByRole('button', { name: 'Discard' }).click()
    await flag.getByText('On where seats is at least 5').first().waitFor()
  })
})

describe('rules that serve values', () => {
  const definitionOf = async (key: string) => {
    const path = `GET /config-schemas/${places.schemaId}`
    const { schema } = await dashboard.service.ask<{ schema: Record<string, object> }>(path)
    return schema[key]
  }
  const saveInProduction = async (action: string) => {
    const review = page.getByRole('dialog', { name: /^Review / })
    await review.getByLabel('Type "production" to confirm').fill('production')
    await press(review, action)
    await review.waitFor({ state: 'detached' })
  }
  /** Makes a rule for one plan, and leaves its form open. */
  const addRuleFor = async (flag: Locator, plan: string) => {
    await press(flag, 'Add rule')
    await press(flag, 'Add condition')
    await flag.getByLabel('Attribute').fill('plan')
    await flag.getByLabel('Value', { exact: true }).first().fill(plan)
  }

  it('are made in the browser for a number, tested, reviewed and saved; wrong values stage nothing', async () => {
    const path = `/config-schemas/${places.schemaId}`
    const { schema } = await dashboard.service.ask<{ schema: object }>(`GET ${path}`)
    const seats = { type: 'number', tier: 'public', constraints: { minimum: 1, maximum: 500 } }
    await dashboard.service.ask(`PUT ${path}`, { schema: { ...schema, seats } })
    await seat.go('/config?panel=edit&key=seats')
    await page.getByLabel('Targeted').check()
    await press(page, 'Review')
    await page.getByText('no: rules don’t count → yes: rules may serve other values').waitFor()
    await press(page, 'Save key')
    await page.getByText('Changed seats.').waitFor()

    await press(page, 'Actions for seats')
    await page.getByRole('menuitem', { name: 'Rules: who gets which value' }).click()
    const flag = drawer('seats')
    await flag.getByRole('button', { name: 'production' }).click()
    await flag.getByLabel('Value for everyone in production').fill('five')
    await flag.getByText('Type a number, such as 250 or 0.5.').waitFor()
    await flag.getByLabel('Value for everyone in production').fill('5')
    await page.keyboard.press('Enter')
    await addRuleFor(flag, 'enterprise')
    const served = flag.getByLabel('Value', { exact: true }).last()
    for (const [wrong, violation] of [
      ['many', 'Type a number, such as 250 or 0.5.'],
      ['501', 'Use at most 500.'],
    ] as const) {
      await served.fill(wrong)
      await press(flag, 'Done')
      await flag.getByText(violation).waitFor()
      expect(await served.evaluate((field) => field === document.activeElement)).toBe(true)
    }
    await served.fill('100')
    await press(flag, 'Done')
    await addRuleFor(flag, 'team')
    await flag.getByLabel('A split').check()
    await flag.getByLabel('Value of part 1').fill('10')
    await flag.getByLabel('Percentage of part 1').fill('49')
    await flag.getByLabel('Value of part 2').fill('20')
    await press(flag, 'Done')
    await flag.getByText('The percentages add up to 99, and have to be 100.').waitFor()
    expect(await lookEverywhere(seat, 'rules-split-form')).toEqual([])
    await page.setViewportSize({ width: 1360, height: 860 })
    await flag.getByLabel('Percentage of part 1').fill('50')
    await press(flag, 'Done')
    const words = '5 · 100 where plan is enterprise, 10 for 50% where plan is team'
    await flag.getByRole('button', { name: `production ${words}` }).waitFor()
    expect(await flag.getByRole('listitem').locator('svg rect').count()).toBe(2)
    expect(await test({ targetingKey: 'user-1', plan: 'enterprise' })).toMatch(/^100Rule 1 decides/)
    expect(await test({ targetingKey: 'user-1', plan: 'team' })).toMatch(/^[12]0Rule 2 decides: /)
    expect(await lookEverywhere(seat, 'rules-split')).toEqual([])
    await page.setViewportSize({ width: 1360, height: 860 })
    await page.keyboard.press('Escape')
    await page.locator('[id="cell-3-seats"]').getByText(words).waitFor()
    await press(page, 'Review 1 change')
    await page.getByText('Serves 10 for 50%, 20 for 50% where plan is team').waitFor()
    await saveInProduction('Save')

    await page.locator('[id="cell-3-seats"]').getByText(words).waitFor()
    await expect
      .poll(() => evaluate('production', 'seats', { targetingKey: 'user-1', plan: 'enterprise' }))
      .toBe(100)
    await seat.go('/history?key=seats')
    await page.getByText(`not set → ${words}`).waitFor()
  })

  it('choose variants that the browser gave a flag, which later edits of the flag keep', async () => {
    await seat.go('/flags?panel=edit&key=newCheckout')
    await page.getByText('Variants', { exact: true }).click()
    await press(page, 'Add variant')
    await press(page, 'Review')
    await page.getByText('Use 1 to 64 letters').waitFor()
    await page.keyboard.type('blue')
    await press(page, 'Review')
    await page.getByText('none → control (off), blue (on)').waitFor()
    expect(await look(seat, 'variants-review')).toEqual([])
    await saveInProduction('Save key')

    await openRules('newCheckout', 'production')
    const flag = drawer('newCheckout')
    await addRuleFor(flag, 'enterprise')
    expect(await flag.getByLabel('Variant', { exact: true }).inputValue()).toBe('blue')
    await press(flag, 'Done')
    await flag
      .getByRole('button', { name: 'production off · blue where plan is enterprise' })
      .waitFor()
    expect(await test({ plan: 'enterprise' })).toMatch(/^blueRule 1 decides/)
    await press(flag, 'Review 1 change')
    await saveInProduction('Save')
    await expect
      .poll(() => evaluate('production', 'newCheckout', { plan: 'enterprise' }))
      .toBe(true)

    await seat.go('/flags?panel=about&key=newCheckout')
    await page.getByText('control (off), blue (on)').waitFor()
    await press(page, 'Deprecate')
    await page.getByText('newCheckout is deprecated.').waitFor()
    await seat.go('/flags?panel=edit&key=newCheckout')
    await page.getByLabel('Description').fill('The new checkout')
    await press(page, 'Review')
    await press(page, 'Save key')
    await page.getByText('Changed newCheckout.').waitFor()
    await page.getByTitle('newCheckout: The new checkout').waitFor()
    const variants = [
      { name: 'control', on: false },
      { name: 'blue', on: true },
    ]
    expect(await definitionOf('newCheckout')).toMatchObject({ deprecated: true, variants })
    // A variant that a rule serves is not taken away unnoticed.
    await seat.go('/flags?panel=edit&key=newCheckout')
    await page.getByLabel('Name of variant 2').fill('green')
    await press(page, 'Review')
    await page.getByText('No longer fits in production: Rule 1: ').waitFor()
    expect(await definitionOf('newCheckout')).toMatchObject({ variants })
  })
})
