import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { measureLaidOut, overhang } from '../measure-page.ts'
import { openDashboard, type Dashboard } from '../open-dashboard.ts'
import { settle } from '../page/settle.ts'

/** As long as a name may be. */
const key = 'endless'.padEnd(128, 'KeyOfMany.Parts_')
const flag = 'switch'.padEnd(128, 'FlagOfMany')
/** Markup, a line from right to left, and several thousand characters without a place to break. */
const hostile = (by: string) =>
  `<img src=x onerror="document.documentElement.dataset.taken=1"> \u202Eevil \u2067שלום${'w'.repeat(4000)}${by}`

let dashboard: Dashboard
const ids = { schema: '', version: '', development: '', production: '' }

interface Listed {
  readonly items: readonly { readonly id: string; readonly name: string }[]
}

beforeAll(async () => {
  dashboard = await openDashboard()
  const { ask } = dashboard.service
  for (const { id, name } of (await ask<Listed>('GET /environments')).items) {
    if (name === 'development' || name === 'production') ids[name] = id
  }
  const schema = await ask<{ id: string }>('POST /config-schemas', {
    name: 'web',
    schema: {
      [key]: { type: 'string', tier: 'public', default: hostile('default') },
      [flag]: {
        type: 'boolean',
        tier: 'featureFlags',
        description: hostile('about').slice(0, 900),
      },
    },
  })
  ids.schema = schema.id
  const set = (environmentId: string, value: string) =>
    ask('PUT /config-values', {
      schemaId: ids.schema,
      environmentId,
      values: { [key]: value, [flag]: true },
    })
  await set(ids.development, hostile('first'))
  await set(ids.production, hostile('production'))
  await set(ids.development, hostile('second'))
  const query = `schemaId=${ids.schema}&environmentId=${ids.development}`
  ids.version = (await ask<Listed>(`GET /config-versions?${query}`)).items[1]?.id ?? ''
})
afterAll(() => dashboard.close())

const nothing = () => Promise.resolve()

interface CheckedScreen {
  readonly name: string
  readonly path: () => string
  /** Prepares the screen before it is checked. */
  readonly prepare?: (page: Page) => Promise<void>
}

/** The cell of the long value, in the first column that is shown. */
const cellOf = (page: Page) => page.locator(`[role=gridcell][id$="-${key}"]`).first()

async function openReview(page: Page): Promise<void> {
  await cellOf(page).click()
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: key }).fill(hostile('typed'))
  await page.keyboard.press('Control+s')
  await page.getByRole('dialog', { name: 'Review 1 change' }).waitFor()
}

const list: readonly CheckedScreen[] = [
  { name: 'matrix', path: () => `/config?filter=${key}`, prepare: (page) => cellOf(page).click() },
  {
    name: 'editor',
    path: () => `/config?filter=${key}`,
    async prepare(page) {
      await cellOf(page).click()
      await page.keyboard.press('Enter')
      await page.getByRole('textbox', { name: key }).waitFor()
    },
  },
  { name: 'review', path: () => `/config?filter=${key}`, prepare: openReview },
  {
    name: 'about',
    path: () => `/config?panel=about&key=${key}`,
  },
  { name: 'copy', path: () => `/config?panel=copy&key=${key}&from=production` },
  {
    name: 'paste',
    path: () => '/config?panel=paste',
    async prepare(page) {
      const drawer = page.getByRole('dialog', { name: 'Paste a .env file' })
      await drawer
        .getByLabel('Lines of NAME=value')
        .fill(`${key}='${hostile('pasted')}'\n${key}X=1`)
      await drawer.getByText('unknown').waitFor()
    },
  },
  { name: 'export', path: () => '/config?panel=export&from=production' },
  { name: 'flags', path: () => '/flags' },
  { name: 'schema', path: () => `/schemas?schema=${ids.schema}` },
  { name: 'definition', path: () => `/schemas?schema=${ids.schema}&view=definition` },
  { name: 'history', path: () => `/history?key=${key}` },
  { name: 'diff', path: () => `/history?version=${ids.version}` },
  {
    name: 'restore',
    path: () =>
      `/history?panel=restore&chosen=${encodeURIComponent(JSON.stringify([ids.version]))}`,
  },
  {
    name: 'restore of one key',
    path: () => `/history?version=${ids.version}`,
    async prepare(page) {
      await page.getByRole('button', { name: `Undo only ${key}` }).click()
      await page.getByRole('dialog', { name: `Undo the change of ${key}` }).waitFor()
    },
  },
  {
    name: 'promote',
    path: () => '/config?panel=promote&from=development&to=production',
  },
  { name: 'timeline', path: () => '/timeline' },
]

/** By how much what lies over the page is wider than it is, and whether it or the page is endless. */
const measure = (page: Page) =>
  page.evaluate(() => {
    const top = document.querySelector('dialog[open]')
    const height = Math.max(document.documentElement.scrollHeight, top?.scrollHeight ?? 0)
    return {
      tooWide: top === null ? 0 : top.scrollWidth - top.clientWidth,
      isEndless: height > 6 * innerHeight,
    }
  })

describe('a stored value of thousands of characters under a name of 128', () => {
  it.each(list.map((place) => [place.name, place] as const))(
    'runs nothing, and makes nothing wider than the window or without an end: %s',
    async (name, { path, prepare = nothing }) => {
      const seat = await dashboard.open()
      const { page } = seat
      await seat.go(path())
      await prepare(page)
      for (const width of [1360, 320]) {
        await page.setViewportSize({ width, height: 860 })
        await measureLaidOut(page)
        await settle(page)
        await seat.picture(`hostile-value-${name}-${width}`)
        expect([width, await overhang(page)]).toEqual([width, 0])
        expect([width, await measure(page)]).toEqual([width, { tooWide: 0, isEndless: false }])
      }
      expect(await page.evaluate(() => document.documentElement.dataset['taken'])).toBeUndefined()
      expect(await seat.accessibilityViolations()).toEqual([])
    },
  )

  it('is read to its end where it is compared, and its name as well', async () => {
    const seat = await dashboard.open({ width: 320 })
    const { page } = seat
    await seat.go(`/config?filter=${key}`)
    await openReview(page)
    const drawer = page.getByRole('dialog', { name: 'Review 1 change' })
    const cut = await drawer
      .getByText(key, { exact: true })
      .evaluate((name) => name.scrollWidth - name.clientWidth)
    expect(cut).toBe(0)
    const value = drawer.getByText(hostile('typed'), { exact: true })
    const hidden = () => value.evaluate((text) => text.scrollHeight - text.clientHeight)
    expect(await hidden()).toBeGreaterThan(100)
    await drawer.getByRole('button', { name: 'Show all of it' }).last().click()
    expect(await hidden()).toBe(0)
  })
})
