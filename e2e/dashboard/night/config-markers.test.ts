import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createConfigFixture, type ConfigFixture } from '../config/config-fixture.ts'
import { openDashboard, type Dashboard, type Seat } from '../open-dashboard.ts'

let dashboard: Dashboard
let places: ConfigFixture
let seat: Seat
let page: Page

beforeAll(async () => {
  dashboard = await openDashboard()
  places = await createConfigFixture(dashboard.service)
})
afterAll(() => dashboard.close())

beforeEach(async () => {
  seat = await dashboard.open()
  page = seat.page
  await seat.go('/config')
  await page.getByRole('grid').waitFor()
})

const keysShown = () =>
  page
    .getByRole('rowheader')
    .evaluateAll((cells) => cells.map(({ id }) => id.replace('cell-0-', '')))

const withDriftSign = () =>
  page
    .getByRole('rowheader')
    .filter({ has: page.getByRole('img', { name: 'differs', exact: true }) })
    .evaluateAll((cells) => cells.map(({ id }) => id.replace('cell-0-', '')))

describe('flags that are settled', () => {
  const chip = () => page.getByRole('button', { name: 'Stale', exact: true })

  it('are those that were the same everywhere for more than thirty days, as the address knows', async () => {
    await places.set('production', { searchV2: true })
    await seat.go('/flags')
    await chip().click()
    await page.getByText('No flag is stale').waitFor()
    await page.waitForURL(/[?&]only=settled(&|$)/)
    const inFortyDays = Date.now() + 40 * 24 * 3_600_000
    await page.clock.setFixedTime(inFortyDays)
    await page.reload()
    await page.getByText('1 of 2 flags').waitFor()
    expect(await keysShown()).toEqual(['searchV2'])
    expect(await seat.accessibilityViolations()).toEqual([])
    await seat.picture('flags-settled')
    await chip().click()
    await page.getByText('2 flags', { exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.has('only')).toBe(false)
  })
})

describe('a key that is expected to differ', () => {
  it('is marked from its row, is no drift, and is counted again without the mark', async () => {
    const before = await withDriftSign()
    expect(before).toContain('apiUrl')
    const choose = async (item: string) => {
      await page.getByRole('button', { name: 'Actions for apiUrl' }).click()
      await page.getByRole('menuitem', { name: item, exact: true }).click()
    }
    await choose('Expected to differ')
    await page.getByText('apiUrl may differ between environments.').waitFor()
    await expect.poll(withDriftSign).toEqual(before.filter((key) => key !== 'apiUrl'))
    await page.getByRole('checkbox', { name: 'Only drift or missing' }).check()
    await expect.poll(keysShown).not.toContain('apiUrl')
    await seat.picture('drift-expected-light')
    await page.getByRole('checkbox', { name: 'Only drift or missing' }).uncheck()
    await choose('Count as drift')
    await expect.poll(withDriftSign).toEqual(before)
  })

  it('leads from the badges of the overview to exactly the keys that they count', async () => {
    for (const word of ['missing', 'differ']) {
      await seat.go('')
      const cards = page.getByRole('region', { name: 'Environments' }).getByRole('article')
      const badge = cards
        .filter({ hasText: 'production' })
        .getByRole('link', { name: new RegExp(`^\\d+ ${word}$`) })
      const count = Number.parseInt(await badge.innerText(), 10)
      await badge.click()
      await page.getByRole('grid').waitFor()
      await expect.poll(async () => (await keysShown()).length).toBe(count)
    }
    await page.getByRole('checkbox', { name: /^Only drift between production and / }).click()
    await page.getByText(/^\d+ keys$/).waitFor()
  })
})

describe('the layout of the matrix', () => {
  const headers = () => page.getByRole('columnheader').allInnerTexts()

  it('orders and hides environments for the person in this browser, and in the address', async () => {
    await page.getByRole('button', { name: 'Environments' }).click()
    const dialog = page.getByRole('dialog', { name: 'Order and hide environments' })
    await dialog.getByRole('button', { name: 'Move production up' }).click()
    await dialog.getByRole('button', { name: 'Move production up' }).click()
    await dialog.getByRole('checkbox', { name: 'development' }).uncheck()
    await seat.picture('arrange-environments-light')
    expect(await seat.violationsInBothThemes()).toEqual([])
    expect(await headers()).toEqual(['Key', 'production', 'staging'])
    // A value that is inherited from a hidden environment still names it.
    await page.getByText('↑ development').first().waitFor()
    const address = page.url()
    expect(new URL(address).searchParams.get('hidden')).toContain('development')
    await seat.load('/config')
    await page.getByRole('grid').waitFor()
    await expect.poll(headers).toEqual(['Key', 'production', 'staging'])
    const other = await dashboard.open()
    await other.page.goto(address)
    await other.page.getByRole('grid').waitFor()
    expect(await other.page.getByRole('columnheader').allInnerTexts()).toEqual([
      'Key',
      'production',
      'staging',
    ])
    await other.close()
    await page.getByRole('button', { name: 'Environments 2 of 3' }).click()
    await dialog.getByRole('button', { name: 'Reset' }).click()
    await expect.poll(headers).toEqual(['Key', 'development', 'staging', 'production'])
  })

  it('shows production first on a phone, and then the environment that was chosen last', async () => {
    const phone = await dashboard.open({ width: 390 })
    await phone.go('/config')
    const select = phone.page.getByLabel('Environment', { exact: true })
    expect(await select.inputValue()).toBe('production')
    await phone.picture('matrix-phone-390')
    await select.selectOption('staging')
    await phone.go('/config')
    await expect.poll(() => select.inputValue()).toBe('staging')
  })

  it('keeps the line about a cell visible under a message, also where it is at the lower edge', async () => {
    await page.setViewportSize({ width: 1360, height: 520 })
    await page.locator('[id="cell-1-apiUrl"]').click()
    await page.getByRole('button', { name: 'Actions for newCheckout' }).click()
    await page.getByRole('menuitem', { name: 'Deprecate key' }).click()
    const message = page.getByText('newCheckout is deprecated.')
    await message.waitFor()
    const boxOf = async (selector: string) => {
      const box = await page.locator(selector).boundingBox()
      return { top: box?.y ?? 0, bottom: (box?.y ?? 0) + (box?.height ?? 0) }
    }
    const line = await boxOf('#cell-line')
    expect(line.bottom).toBeGreaterThan(440)
    expect((await boxOf('[aria-label="Messages (F6)"]')).bottom).toBeLessThanOrEqual(line.top)
    await seat.picture('message-over-matrix-light')
    await page.getByRole('button', { name: 'Actions for newCheckout' }).click()
    await page.getByRole('menuitem', { name: 'Remove deprecation' }).click()
    await page.getByText('newCheckout is no longer deprecated.').waitFor()
  })
})

describe('flags with an owner, tags and an end date', () => {
  it('are added with them, marked once they are overdue, and found by them everywhere', async () => {
    await seat.go('/flags?panel=add')
    const form = page.getByRole('dialog', { name: 'Add a flag' })
    await form.getByLabel('Name').fill('oldBanner')
    await form.getByText('Owner, tags, end date').click()
    await form.getByLabel('Owner').fill('Growth team')
    await form.getByLabel('Tags').fill('banner, Banner')
    await form.getByLabel('End date').fill('2020-01-31')
    await form.getByRole('button', { name: 'Review' }).click()
    await form.getByText('The tag Banner is there twice.').waitFor()
    await seat.picture('flag-add-notes-light')
    expect(await seat.violationsInBothThemes()).toEqual([])
    await form.getByLabel('Tags').fill('banner, q1')
    await form.getByRole('button', { name: 'Review' }).click()
    await page.getByText("owner: 'Growth team', tags: ['banner', 'q1']").waitFor()
    const review = page.getByRole('dialog', { name: 'Review oldBanner' })
    await review.getByLabel('Type "production" to confirm').fill('production')
    await review.getByRole('button', { name: 'Add flag' }).click()
    await page.getByText('Added oldBanner.').waitFor()
    const row = page.locator('[id="cell-0-oldBanner"]')
    await row.getByText('overdue', { exact: true }).waitFor()
    expect(await page.getByRole('grid').innerText()).not.toContain('boolean')
    await seat.picture('flags-notes-light')
    expect(await seat.violationsInBothThemes()).toEqual([])

    await page.getByLabel('Tag', { exact: true }).selectOption('q1')
    await page.getByText('1 of 3 flags').waitFor()
    await page.waitForURL(/[?&]tag=q1(&|$)/)
    await page.reload()
    await page.getByText('1 of 3 flags').waitFor()
    expect(await keysShown()).toEqual(['oldBanner'])
    await page.getByLabel('Tag', { exact: true }).selectOption('All tags')
    await page.getByLabel('Owner', { exact: true }).selectOption('Growth team')
    await page.getByText('1 of 3 flags').waitFor()

    await seat.go('')
    const needs = page.getByRole('region', { name: 'Needs attention' })
    const item = needs.getByRole('listitem').filter({ hasText: 'oldBanner' })
    await item.getByText('1 flag is past its end date: oldBanner').waitFor()
    await item.getByRole('link', { name: 'Show' }).click()
    await page.getByText('1 of 3 flags').waitFor()
    expect(await keysShown()).toEqual(['oldBanner'])
    await page.getByRole('button', { name: 'Overdue', pressed: true }).waitFor()

    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill('growth')
    await page.getByRole('option', { name: /^oldBanner.*owner Growth team/ }).waitFor()
  })

  it('lose what an edit empties, which a push would have kept', async () => {
    await seat.go('/flags?panel=edit&key=oldBanner')
    const form = page.getByRole('dialog', { name: 'Edit oldBanner' })
    await form.getByText('Owner, tags, end date').click()
    await form.getByLabel('Owner').fill('')
    await form.getByLabel('End date').fill('')
    await form.getByLabel('Kill switch').check()
    await form.getByRole('button', { name: 'Review' }).click()
    const review = page.getByRole('dialog', { name: 'Review oldBanner' })
    await review.getByText('Growth team → none').waitFor()
    await review.getByText('no → yes').waitFor()
    await review.getByRole('button', { name: 'Save key' }).click()
    await page.getByText('Changed oldBanner.').waitFor()
    const { schema } = await dashboard.service.ask<{ schema: Record<string, object> }>(
      `GET /config-schemas/${places.schemaId}`,
    )
    expect(schema['oldBanner']).toEqual({
      type: 'boolean',
      tier: 'featureFlags',
      required: false,
      hasDefault: true,
      default: false,
      declaredIn: 'dashboard',
      tags: ['banner', 'q1'],
      killSwitch: true,
    })
    await page.getByRole('button', { name: 'Kill switches' }).click()
    await page.getByText('1 of 3 flags').waitFor()
    await seat.go('/flags?panel=rules&key=oldBanner&from=production')
    const drawer = page.getByRole('dialog', { name: 'oldBanner' })
    await drawer.getByText('banner, q1').waitFor()
    await drawer.getByRole('button', { name: 'Turn on oldBanner in production' }).waitFor()
    await seat.picture('flag-kill-switch-light')
    expect(await seat.violationsInBothThemes()).toEqual([])
  })
})
