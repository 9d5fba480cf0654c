import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { coveredParts, overhang, sidewaysParts } from './measure-page.ts'
import { openDashboard, settle, type Dashboard, type Seat } from './open-dashboard.ts'

const markup = `<img src=x onerror="document.documentElement.dataset.taken=1">`
const turned = '\u202Eevil\u2067שלום'
/** A value without an end and without a place to break it. */
const endless = `${markup}${turned}${'w'.repeat(6000)}end`
/** A name as long as a key's may be. */
const longKey = `_${'Wide.key-'.repeat(15)}`.slice(0, 128)

let dashboard: Dashboard
let seat: Seat
let page: Page
const ids = { schema: '', version: '', development: '', staging: '' }

beforeAll(async () => {
  dashboard = await openDashboard()
  const { ask } = dashboard.service
  const { items } = await ask<{ items: { id: string; name: string }[] }>('GET /environments')
  ids.development = items.find(({ name }) => name === 'development')?.id ?? ''
  ids.staging = items.find(({ name }) => name === 'staging')?.id ?? ''
  const text = { type: 'string', default: endless, description: endless.slice(0, 1000) } as const
  const schema = {
    [longKey]: { ...text, tier: 'public' },
    [`${longKey.slice(0, 127)}S`]: { type: 'string', tier: 'secret' },
    [`${longKey.slice(0, 127)}F`]: { type: 'boolean', tier: 'featureFlags', default: false },
  }
  ids.schema = (await ask<{ id: string }>('POST /config-schemas', { name: 'hostile', schema })).id
  for (const [place, environmentId] of [ids.development, ids.staging].entries()) {
    await ask('PUT /config-values', {
      schemaId: ids.schema,
      environmentId,
      comment: endless.slice(0, 400),
      values: {
        [longKey]: `${endless} ${place}`,
        [`${longKey.slice(0, 127)}S`]: `${endless} secret ${place}`,
        [`${longKey.slice(0, 127)}F`]: place === 0,
      },
    })
  }
  const versions = await ask<{ items: { id: string }[] }>(
    `GET /config-versions?schemaId=${ids.schema}`,
  )
  ids.version = versions.items[0]?.id ?? ''
  seat = await dashboard.open()
  page = seat.page
}, 120_000)
afterAll(() => dashboard.close())

async function expectWhole(name: string): Promise<void> {
  for (const width of [1360, 390, 320]) {
    await page.setViewportSize({ width, height: 860 })
    await settle(page)
    await seat.picture(`hostile-value-${name}-${width}`)
    expect([name, width, await overhang(page)]).toEqual([name, width, 0])
    expect([name, width, await sidewaysParts(page)]).toEqual([name, width, []])
    expect([name, width, await coveredParts(page)]).toEqual([name, width, []])
  }
  await page.setViewportSize({ width: 1360, height: 860 })
  expect(await page.evaluate(() => document.documentElement.dataset['taken'])).toBeUndefined()
  expect(seat.complaints()).toEqual([])
}

const screens: readonly (readonly [name: string, path: (of: typeof ids) => string])[] = [
  ['matrix', () => '/config'],
  ['about', () => `/config?panel=about&key=${longKey}`],
  ['copy', () => `/config?panel=copy&key=${longKey}`],
  ['export', () => '/config?panel=export&from=development&format=json'],
  ['flags', () => '/flags'],
  ['schema', ({ schema }) => `/schemas?schema=${schema}`],
  ['definition', ({ schema }) => `/schemas?schema=${schema}&view=definition`],
  ['types', ({ schema }) => `/schemas?schema=${schema}&view=types`],
  ['history', () => '/history'],
  ['version', ({ version }) => `/history?version=${version}`],
  ['promote', (of) => `/history?panel=promote&from=${of.development}&to=${of.staging}`],
  ['restore', ({ version }) => `/history?panel=restore&chosen=["${version}"]`],
  ['timeline', () => '/timeline'],
  ['overview', () => ''],
]

describe('names of keys, and values, of people who mean harm', () => {
  it.each(screens)('run nothing, cover nothing and make no page wider: %s', async (name, path) => {
    await seat.go(path(ids))
    await expectWhole(name)
  })

  it('nor do they where they are edited, reviewed and pasted', async () => {
    await seat.go('/config')
    const cell = page.locator(`[id="cell-1-${longKey}"]`)
    await cell.click()
    await page.keyboard.press('Enter')
    const editor = page.getByRole('textbox', { name: `${longKey} in development` })
    await editor.fill(`${endless} edited`)
    await expectWhole('editor')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Review 1 change' }).click()
    await page.getByRole('dialog').waitFor()
    await expectWhole('review')
    await page.keyboard.press('Escape')
    await seat.go('/config?panel=paste')
    await page.getByLabel('Lines of NAME=value').fill(`${longKey}=${endless}\n${markup}=1\n`)
    await page.getByRole('button', { name: /^Stage/ }).waitFor()
    await expectWhole('paste')
  })

  it('can be read to their end', async () => {
    await seat.go(`/history?version=${ids.version}`)
    const drawer = page.getByRole('dialog')
    await drawer.getByText('end 1').first().waitFor()
    expect(await drawer.textContent()).toContain('wend 1')
  })
})
