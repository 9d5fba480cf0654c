import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createConfigFixture, type ConfigFixture } from './config-fixture.ts'
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
beforeEach(async () => {
  seat = await dashboard.open()
  page = seat.page
  return () => seat.close()
})

/** The cell of a key, by its column: 1 development, 2 staging, 3 production. */
const cell = (key: string, column: number) => page.locator(`[id="cell-${column}-${key}"]`)

type Shown = Readonly<Record<string, unknown>>
const definition = async () =>
  (
    await dashboard.service.ask<{ schema: Readonly<Record<string, Shown>> }>(
      `GET /config-schemas/${places.schemaId}`,
    )
  ).schema
const definitionOf = async (key: string): Promise<Shown> => (await definition())[key] ?? {}

describe('a key that is added', () => {
  it('is checked beside its fields, reviewed, and there with its default; its line for the code is given', async () => {
    await seat.go('/config')
    await page.getByRole('button', { name: 'Add key' }).click()
    const form = page.getByRole('dialog', { name: 'Add a key' })
    await page.keyboard.type('apiurl')
    await form.getByRole('button', { name: 'Review' }).click()
    await form.getByText('This schema already has the key apiUrl.').waitFor()
    await form.getByLabel('Name').fill('pageSize')
    await form.getByRole('button', { name: 'public' }).click()
    await form.getByLabel('Type').selectOption('number')
    await form.getByLabel('Default').fill('20')
    await form.getByText('Constraints').click()
    await form.getByLabel('Minimum', { exact: true }).fill('100')
    await form.getByLabel('Maximum', { exact: true }).fill('10')
    await form.getByRole('button', { name: 'Review' }).click()
    await form.getByText('No value can satisfy minimum and maximum together.').waitFor()
    await form.getByLabel('Minimum', { exact: true }).fill('1')
    await form.getByLabel('Maximum', { exact: true }).fill('100')
    await form.getByRole('button', { name: 'Review' }).click()

    const review = page.getByRole('dialog', { name: 'Review pageSize' })
    const effects = review.getByRole('list', { name: 'Value in each environment' })
    await effects.waitFor()
    expect(await effects.getByText('default 20').count()).toBe(3)
    await review.getByText('pageSize: number({ min: 1, max: 100, default: 20 }),').waitFor()
    expect(await look(seat, 'key-add-review-light')).toEqual([])
    expect(await review.getByRole('button', { name: 'Add key' }).isDisabled()).toBe(true)
    await review.getByLabel('Type "production" to confirm').fill('production')
    await review.getByRole('button', { name: 'Add key' }).click()
    await page.getByText('Added pageSize.').waitFor()
    await cell('pageSize', 3).getByText('20', { exact: true }).waitFor()
    expect((await places.read('production'))['pageSize']?.value).toBe(20)
    // Nothing of the other keys was touched by writing the definition anew.
    expect((await places.read('production'))['stripeSecretKey']?.value).toBe(
      'the secret of production',
    )
  })

  it('leaves the defaults of secrets, which the page is not shown, as they are', async () => {
    const worker = await dashboard.service.ask<{ id: string }>('POST /config-schemas', {
      name: 'worker',
      schema: { token: { type: 'string', tier: 'secret', default: 'the secret default' } },
    })
    await seat.go(`/config?schema=${worker.id}&panel=add`)
    const form = page.getByRole('dialog', { name: 'Add a key' })
    await form.getByLabel('Name').fill('pageSize')
    await form.getByRole('button', { name: 'public' }).click()
    await form.getByLabel('Type').selectOption('number')
    await form.getByLabel('Default').fill('20')
    await form.getByRole('button', { name: 'Review' }).click()
    const review = page.getByRole('dialog', { name: 'Review pageSize' })
    await review.getByLabel('Type "production" to confirm').fill('production')
    await review.getByRole('button', { name: 'Add key' }).click()
    await page.getByText('Added pageSize.').waitFor()
    const { schema } = await dashboard.service.ask<{ schema: object }>(
      `GET /config-schemas/${worker.id}`,
    )
    expect(schema).toMatchObject({ token: { hasDefault: true }, pageSize: {} })
    await dashboard.service.ask(`DELETE /config-schemas/${worker.id}?force=true`)
  })
})

describe('a key that is added with its values', () => {
  it('takes four presses for a secret of production, and the screen goes to its row', async () => {
    await seat.go('')
    let presses = 0
    const press = async (name: string, role: 'link' | 'button' = 'button') => {
      presses += 1
      await page.getByRole(role, { name, exact: true }).click()
    }
    await press('Configuration', 'link')
    await press('Add key')
    const form = page.getByRole('dialog', { name: 'Add a key' })
    await page.keyboard.type('paymentToken')
    await form.getByLabel('production').fill('the new secret\nof two lines')
    await press('Review')
    const review = page.getByRole('dialog', { name: 'Review paymentToken' })
    const effects = review.getByRole('list', { name: 'Value in each environment' })
    await effects.getByText('a new secret value (hidden)').waitFor()
    expect(await effects.getByText('needs a value').count()).toBe(2)
    expect(await page.getByText('the new secret').count()).toBe(0)
    await review.getByLabel('Type "production" to confirm').fill('production')
    await page.getByRole('dialog').getByRole('button', { name: 'Add key' }).click()
    presses += 1
    await page.waitForFunction(() => document.activeElement?.id === 'cell-1-paymentToken')
    expect(presses).toBe(4)
    expect((await places.read('production'))['paymentToken']?.value).toBe(
      'the new secret\nof two lines',
    )
    expect((await places.read('development'))['paymentToken']?.value).toBeUndefined()
  })
})

describe('an open value of a key that looks like a secret', () => {
  const token = `ghp_${'aB3'.repeat(12)}`

  it('is stored with a new key, or as a default, only when somebody says that it is none', async () => {
    await seat.go('/config?panel=add&tier=public')
    const form = page.getByRole('dialog', { name: 'Add a key' })
    await form.getByLabel('Name').fill('mapsKey')
    await form.getByLabel('development', { exact: true }).fill(token)
    await form.getByRole('button', { name: 'Review' }).click()
    await form.getByText('This has the form of a token of GitHub').waitFor()
    expect(await look(seat, 'key-looks-like-secret')).toEqual([])
    await form.getByLabel('mapsKey is no secret').check()
    await form.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Add key' }).click()
    await page.getByText('Added mapsKey.').waitFor()
    expect((await places.read('development'))['mapsKey']?.value).toBe(token)

    await seat.go('/config?panel=edit&key=mapsKey')
    const edit = page.getByRole('dialog', { name: 'Edit mapsKey' })
    const other = token.replaceAll('a', 'c')
    await edit.getByLabel('Default').fill(other)
    await edit.getByRole('button', { name: 'Review' }).click()
    await edit.getByText('This has the form of a token of GitHub').waitFor()
    await edit.getByLabel('mapsKey is no secret').check()
    await edit.getByRole('button', { name: 'Review' }).click()
    const review = page.getByRole('dialog', { name: 'Review mapsKey' })
    await review.getByLabel('Type "production" to confirm').fill('production')
    await review.getByRole('button', { name: 'Save key' }).click()
    await page.getByText('Changed mapsKey.').waitFor()
    expect((await definitionOf('mapsKey'))['default']).toBe(other)
  })
})

describe('a key that exists', () => {
  const openMenu = async (key: string) =>
    page.getByRole('button', { name: `Actions for ${key}` }).click()

  it('is edited from its row, and the review names what no longer fits before anything is saved', async () => {
    await seat.go('/config')
    await openMenu('apiUrl')
    await page.getByRole('menuitem', { name: 'Edit key' }).click()
    const form = page.getByRole('dialog', { name: 'Edit apiUrl' })
    await form.getByLabel('Description').fill('The address of the API')
    await form.getByLabel('Required').uncheck()
    await form.getByText('Constraints').click()
    await form.getByLabel('Maximum length').fill('25')
    await form.getByRole('button', { name: 'Review' }).click()
    const review = page.getByRole('dialog', { name: 'Review apiUrl' })
    await review.getByText('format uri → at most 25 characters, format uri').waitFor()
    await review.getByText('Your code declares this key. The next').waitFor()
    expect(await look(seat, 'key-edit-review-light')).toEqual([])
    await review.getByText('No longer fits in development: ').waitFor()
    expect(await review.getByRole('button', { name: 'Save key' }).isDisabled()).toBe(true)
    expect((await definitionOf('apiUrl'))['description']).toBe('Where the API answers')
    await review.getByLabel('Save it even though values no longer fit').check()
    await review.getByRole('button', { name: 'Save key' }).click()
    await review.waitFor({ state: 'detached' })
    expect(await definitionOf('apiUrl')).toEqual({
      type: 'string',
      tier: 'public',
      description: 'The address of the API',
      constraints: { format: 'uri', maxLength: 25 },
      required: false,
      hasDefault: false,
    })
  })

  it('that somebody else changes meanwhile is not overwritten: the person chooses', async () => {
    const rewrite = async (description: string) => {
      const shown = await definition()
      const schema = { ...shown, apiUrl: { ...shown['apiUrl'], description } }
      await dashboard.service.ask(`PUT /config-schemas/${places.schemaId}`, { schema })
    }
    await seat.go('/config?panel=edit&key=apiUrl')
    const form = page.getByRole('dialog', { name: 'Edit apiUrl' })
    await form.getByLabel('Description').fill('Mine')
    await rewrite('Theirs')
    await form.getByText('Somebody else changed this key while you were editing.').waitFor()
    const review = form.getByRole('button', { name: 'Review' })
    expect(await review.isDisabled()).toBe(true)
    await form.getByRole('button', { name: 'Take theirs' }).click()
    await expect.poll(() => form.getByLabel('Description').inputValue()).toBe('Theirs')
    await form.getByLabel('Description').fill('Mine')
    await review.click()
    const effect = page.getByRole('dialog', { name: 'Review apiUrl' })
    // Until it is there, another change is told of in the form.
    await effect.getByRole('button', { name: 'Save key' }).waitFor()
    await rewrite('Theirs again')
    await effect.getByRole('button', { name: 'Keep mine' }).waitFor()
    expect(await effect.getByRole('button', { name: 'Save key' }).isDisabled()).toBe(true)
    await effect.getByRole('button', { name: 'Keep mine' }).click()
    await effect.getByText('Theirs again → Mine').waitFor()
    await effect.getByRole('button', { name: 'Save key' }).click()
    await page.getByText('Changed apiUrl.').waitFor()
    expect((await definitionOf('apiUrl'))['description']).toBe('Mine')
  })

  it('is deleted from its drawer after its name was typed, and the others stay', async () => {
    const before = Object.keys(await definition())
    await seat.go('/config?panel=about&key=searchV2')
    await page.getByRole('button', { name: 'Delete key' }).click()
    const question = page.getByRole('dialog', { name: 'Delete searchV2?' })
    await question.getByText('Applications lose its value in development, production.').waitFor()
    await seat.picture('key-delete-light')
    const remove = question.getByRole('button', { name: 'Delete key' })
    expect(await remove.isDisabled()).toBe(true)
    await question.getByLabel('Type "searchV2" to confirm').fill('searchV2')
    await remove.click()
    await page.getByText('Deleted searchV2.').waitFor()
    expect(Object.keys(await definition())).toEqual(before.filter((key) => key !== 'searchV2'))
    expect((await places.read('production'))['stripeSecretKey']?.value).toBe(
      'the secret of production',
    )
  })
})

describe('what is staged', () => {
  it('is thrown away after a question that is in the address', async () => {
    await seat.go('/config')
    for (const key of ['apiUrl', 'supportEmail']) {
      await cell(key, 1).click()
      await page.keyboard.type('https://next.example.com')
      await page.keyboard.press('Enter')
    }
    await page.getByRole('button', { name: 'Review 2 changes' }).waitFor()
    await page.getByRole('button', { name: 'Discard' }).first().click()
    const question = page.getByRole('dialog', { name: 'Discard 2 changes?' })
    await question.waitFor()
    expect(page.url()).toContain('panel=discard')
    await question.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('button', { name: 'Review 2 changes' }).waitFor({ state: 'detached' })
    await expect.poll(() => page.locator('[data-staged]').count()).toBe(0)
  })
})
