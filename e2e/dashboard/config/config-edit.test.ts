import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createConfigFixture, type ConfigFixture } from './config-fixture.ts'
import { isNight } from '../../is-night.ts'
import { look } from '../look.ts'
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

/** Both show the cells of flags, by the same component. By day one of them is used. */
const bothScreens = isNight ? ['/flags', '/config'] : ['/flags']

/** The cell of a key, by its column: 1 development, 2 staging, 3 production. */
function cell(key: string, column: number) {
  return page.locator(`[id="cell-${column}-${key}"]`)
}

async function openMatrix(path = '/config'): Promise<void> {
  await seat.go(path)
  await page.getByRole('grid').waitFor()
}

const press = (...keys: readonly string[]) =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())

beforeEach(async () => {
  seat = await dashboard.open()
  page = seat.page
  return () => seat.close()
})

describe('the matrix by keyboard', () => {
  it('moves like a spreadsheet, keeps the focus in a cell and lets it out by Tab', async () => {
    await openMatrix()
    await cell('apiUrl', 1).click()
    const active = () => page.evaluate(() => document.activeElement?.id)
    await press('ArrowDown', 'ArrowRight')
    expect(await active()).toBe('cell-2-checkoutTimeoutMs')
    await press('Control+End')
    expect(await active()).toBe('cell-3-welcomeText')
    await press('Control+Home')
    expect(await active()).toBe('cell-0-apiUrl')
    await press('End', 'Tab')
    expect(await active()).not.toContain('cell-')
    await cell('apiUrl', 1).click()
    await press('/')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'Filter keys',
    )
  })

  it('edits, checks type and constraint in the cell, reviews and saves at once, and takes it back', async () => {
    await openMatrix()
    await cell('checkoutTimeoutMs', 1).click()
    await page.keyboard.type('10x')
    await page.getByText('Type a number').waitFor()
    await press('Enter')
    expect(
      await page.getByRole('textbox', { name: 'checkoutTimeoutMs in development' }).count(),
    ).toBe(1)
    await press('Escape')
    await page.keyboard.type('7')
    await page.getByText('Use at least 100.').waitFor()
    await press('Enter', 'Control+a')
    await page.keyboard.type('2500')
    await press('Enter', 'Space', 'ArrowDown', 'ArrowRight', 'ArrowRight')
    await press('Control+s')
    const drawer = page.getByRole('dialog', { name: 'Review 2 changes' })
    await drawer.waitFor()
    await drawer.getByText('2500').waitFor()
    expect(await look(seat, 'review-light')).toEqual([])
    await drawer.getByRole('button', { name: 'Save' }).click()
    await page.getByText('2 changes saved in development.').waitFor()
    expect((await places.read('development'))['checkoutTimeoutMs']?.value).toBe(2500)
    expect((await places.read('development'))['newCheckout']?.value).toBe(true)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone').waitFor()
    expect((await places.read('development'))['checkoutTimeoutMs']?.value).toBe(1000)
  })

  it('asks for the name of production before it is changed', async () => {
    await openMatrix()
    await cell('supportEmail', 3).click()
    await page.keyboard.type('help@example.com')
    await press('Enter', 'Control+s')
    const save = page.getByRole('button', { name: 'Save' })
    const drawer = page.getByRole('dialog')
    await drawer.getByText('new', { exact: true }).waitFor()
    expect(await save.isDisabled()).toBe(true)
    await drawer.getByLabel('Type "production" to confirm').fill('production')
    await save.click()
    await page.getByText('1 change saved in production.').waitFor()
    expect((await places.read('production'))['supportEmail']?.value).toBe('help@example.com')
  })
})

describe('what is staged', () => {
  it('outlasts a reload, but for secrets, which are stored nowhere', async () => {
    await openMatrix()
    await cell('welcomeText', 2).click()
    await page.keyboard.type('Hello')
    await press('Enter')
    await cell('stripeSecretKey', 2).click()
    await page.keyboard.type('sk_live_typed_here')
    await press('Enter')
    await page.getByRole('button', { name: 'Review 2 changes' }).waitFor()
    const kept = await page.evaluate(() =>
      JSON.stringify([
        Object.entries(sessionStorage),
        Object.entries(localStorage),
        document.body.innerHTML,
      ]),
    )
    expect(kept).toContain('Hello')
    expect(kept).not.toContain('sk_live_typed_here')
    page.on('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await page.getByRole('button', { name: 'Review 1 change' }).waitFor()
    await page.getByText('A staged secret was lost when the page was reloaded.').waitFor()
    expect(await cell('welcomeText', 2).textContent()).toContain('Hello')
  })

  it('survives what somebody else saves, which is shown, and asks which of the two is to be', async () => {
    await openMatrix()
    await cell('apiUrl', 1).click()
    await page.keyboard.type('https://mine.example.com')
    await press('Enter')
    await page.getByRole('button', { name: 'Review 1 change' }).waitFor()
    await places.set('development', { apiUrl: 'https://theirs.example.com', welcomeText: 'theirs' })
    await page.locator('[id="cell-1-apiUrl"][aria-invalid=true]').waitFor()
    expect(await cell('apiUrl', 1).textContent()).toContain('https://mine.example.com')
    expect(await cell('welcomeText', 1).textContent()).toContain('theirs')
    await cell('apiUrl', 1).focus()
    await press('Control+s')
    const drawer = page.getByRole('dialog')
    await drawer.getByText('https://theirs.example.com').first().waitFor()
    expect(await drawer.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await seat.picture('conflict-light')
    await drawer.getByRole('button', { name: 'Keep mine' }).click()
    await drawer.getByRole('button', { name: 'Save' }).click()
    await page.getByText('1 change saved in development.').waitFor()
    expect((await places.read('development'))['apiUrl']?.value).toBe('https://mine.example.com')
  })
})

describe('secrets', () => {
  it('are shown on request for as long as the page is looked at, and are in no cache, storage or address', async () => {
    await openMatrix()
    await page.getByRole('button', { name: 'Reveal stripeSecretKey of production' }).click()
    const shown = page.getByRole('dialog', { name: 'stripeSecretKey in production' })
    await shown.getByText('the secret of production').waitFor()
    await shown.getByText('The audit log records this reveal.').waitFor()
    await shown.getByText(/^Hides in (30|2\d) s$/).waitFor()
    expect(await look(seat, 'reveal-light')).toEqual([])
    await shown.getByRole('button', { name: 'Copy the secret' }).click()
    await shown.getByText('Copied').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      'the secret of production',
    )
    const elsewhere = await page.evaluate(() =>
      JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage), location.href]),
    )
    expect(elsewhere).not.toContain('the secret of production')
    await page.evaluate(() => dispatchEvent(new Event('blur')))
    await page.getByText('the secret of production').waitFor({ state: 'detached' })
    const { items } = await dashboard.service.ask<{ items: { action: string }[] }>(
      'GET /audit-events?limit=50',
    )
    expect(items.map(({ action }) => action)).toContain('secret.revealed')
  })

  it('are readable to their last character, one at a time, and hidden by Escape', async () => {
    const long = `begin-${'x'.repeat(3000)}-end`
    await places.set('production', { databaseUrl: long })
    await openMatrix()
    await page.getByRole('button', { name: 'Reveal databaseUrl of production' }).click()
    const shown = page.getByRole('dialog', { name: 'databaseUrl in production' })
    const text = shown.locator('pre')
    await text.waitFor()
    expect(await text.innerText()).toBe(long)
    const box = await text.evaluate((element) => ({
      wraps: element.scrollWidth <= element.clientWidth,
      scrolls: element.scrollHeight > element.clientHeight,
    }))
    expect(box).toEqual({ wraps: true, scrolls: true })
    await seat.picture('reveal-long-light')
    await page.keyboard.press('Escape')
    await shown.waitFor({ state: 'detached' })
    await page.waitForFunction(() => document.activeElement?.id === 'cell-3-databaseUrl')
    await page.getByRole('button', { name: 'Reveal databaseUrl of production' }).click()
    await shown.waitFor()
    await page.getByRole('button', { name: 'Reveal stripeSecretKey of production' }).click()
    await page.getByRole('dialog', { name: 'stripeSecretKey in production' }).waitFor()
    await expect.poll(() => shown.count()).toBe(0)
  })
})

describe('flags', () => {
  it.each(bothScreens)('are staged on %s, in every environment alike', async (path) => {
    await openMatrix(path)
    const before = [await places.read('development'), await places.read('production')]
    await cell('searchV2', 1).getByRole('switch').click()
    await cell('searchV2', 3).getByRole('switch').click()
    await page.getByRole('button', { name: 'Review 2 changes' }).click()
    const review = page.getByRole('dialog', { name: 'Review 2 changes' })
    await review.getByLabel('Type "production" to confirm').fill('production')
    expect([await places.read('development'), await places.read('production')]).toEqual(before)
    await review.getByRole('button', { name: 'Save' }).click()
    await page.getByText('2 changes saved in development, production.').waitFor()
    expect((await places.read('production'))['searchV2']?.value).not.toBe(
      before[1]?.['searchV2']?.value,
    )
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone').waitFor()
    expect((await places.read('production'))['searchV2']?.value).toBe(
      before[1]?.['searchV2']?.value,
    )
  })
})

describe('a public value that looks like a secret', () => {
  it('is held in the review until somebody says that it is none', async () => {
    const token = `ghp_${'aB3'.repeat(12)}`
    await openMatrix()
    await cell('welcomeText', 1).click()
    await page.keyboard.type(token)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Review 1 change' }).click()
    const review = page.getByRole('dialog', { name: 'Review 1 change' })
    await review.getByRole('alert').getByText('a token of GitHub').waitFor()
    const save = review.getByRole('button', { name: 'Save' })
    expect(await save.isDisabled()).toBe(true)
    expect(await look(seat, 'looks-like-secret')).toEqual([])
    await review.getByLabel('It is no secret').check()
    await review.getByRole('alert').waitFor({ state: 'detached' })
    await save.click()
    await page.getByText('1 change saved in development.').waitFor()
    expect((await places.read('development'))['welcomeText']?.value).toBe(token)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone').waitFor()
  })
})

describe('kill switches', () => {
  const readProduction = async () => {
    const query = `schemaId=${places.schemaId}&environmentId=${places.environments['production']}`
    const { values } = await dashboard.service.ask<{
      values: Record<string, { value?: unknown; rules?: readonly unknown[] }>
    }>(`GET /config-values?${query}`)
    return { value: values['searchV2']?.value, rules: values['searchV2']?.rules ?? [] }
  }
  beforeAll(async () => {
    const { ask } = dashboard.service
    const path = `/config-schemas/${places.schemaId}`
    const { schema } = await ask<{ schema: Record<string, object> }>(`GET ${path}`)
    const searchV2 = { ...schema['searchV2'], killSwitch: true }
    await ask(`PUT ${path}`, { schema: { ...schema, searchV2 } })
    await ask('PUT /config-values', {
      schemaId: places.schemaId,
      environmentId: places.environments['production'],
      values: { searchV2: false },
      rules: { searchV2: [{ when: [], serve: { percent: 10 } }] },
    })
  })

  it.each(bothScreens)(
    'are off for everyone after one press in production on %s, and come back through the review',
    async (path) => {
      const before = await readProduction()
      await openMatrix(path)
      await cell('searchV2', 3).getByRole('button', { name: 'Turn off' }).click()
      await page.getByText('searchV2 is off for everyone in production.').waitFor()
      // The rule that waits keeps its id.
      const turnedOff = expect.objectContaining({ when: [], serve: false, aside: 'off' })
      const off = [turnedOff, ...before.rules]
      expect(await readProduction()).toEqual({ value: false, rules: off })
      await cell('searchV2', 3).getByText('off (on for 10% waits)').waitFor()
      await seat.picture(`kill-switch-off-${path.slice(1)}`)
      await cell('searchV2', 3).getByRole('button', { name: 'Turn on' }).click()
      const review = page.getByRole('dialog', { name: 'Review 1 change' })
      await review.getByRole('button', { name: 'Keep editing' }).click()
      await cell('searchV2', 3).getByRole('button', { name: 'Review' }).click()
      await review.getByText('on for 10%', { exact: true }).waitFor()
      expect(await readProduction()).toEqual({ value: false, rules: off })
      await review.getByLabel('Type "production" to confirm').fill('production')
      await review.getByRole('button', { name: 'Save' }).click()
      await page.getByText('1 change saved in production.').waitFor()
      expect(await readProduction()).toEqual(before)
    },
  )

  it('ask where the environment is protected', async () => {
    const production = `/environments/${places.environments['production']}`
    const { ask } = dashboard.service
    await ask(`PATCH ${production}`, {
      protection: { confirm: true, comment: false },
      confirm: 'production',
    })
    const before = await readProduction()
    await openMatrix('/flags')
    await cell('searchV2', 3).getByRole('button', { name: 'Turn off' }).click()
    const review = page.getByRole('dialog', { name: 'Review 1 change' })
    await review.getByLabel('Type "production" to confirm').waitFor()
    expect(await readProduction()).toEqual(before)
  })
})

describe('a key with a list of allowed values', () => {
  it('offers them in its cell, begins with the typed one, and is staged by Enter', async () => {
    const { id } = await dashboard.service.ask<{ id: string }>('POST /config-schemas', {
      name: 'lists',
      schema: {
        currency: {
          type: 'string',
          tier: 'public',
          default: 'EUR',
          constraints: { enum: ['EUR', 'GBP', 'USD'] },
        },
      },
    })
    await openMatrix(`/config?schema=${id}`)
    await cell('currency', 1).click()
    await page.keyboard.type('u')
    const choice = page.getByRole('combobox', { name: 'currency in development' })
    expect(await choice.inputValue()).toBe('USD')
    expect(await choice.locator('option').allTextContents()).toEqual(['EUR', 'GBP', 'USD'])
    expect(await seat.accessibilityViolations()).toEqual([])
    await press('ArrowUp', 'Enter')
    await cell('currency', 1).getByText('GBP').waitFor()
    await press('Control+s')
    await page.getByRole('dialog', { name: 'Review 1 change' }).waitFor()
  })
})
