import type { Page, Route } from 'playwright-core'
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

const valueIn = async (environment: string, key: string) =>
  (await places.read(environment))[key]?.value

/** Written in pieces: scanners would take the whole for a token that leaked. */
const token = `ghp_${'aB3'.repeat(12)}`

/** The versions that changed a key, newest first, as the list calls them. */
async function listVersions(key: string): Promise<readonly string[]> {
  const { items } = await dashboard.service.ask<{
    items: { environmentId: string; version: number }[]
  }>(`GET /config-versions?schemaId=${places.schemaId}&key=${key}`)
  const names = new Map(Object.entries(places.environments).map(([name, id]) => [id, name]))
  return items.map(({ environmentId, version }) => `${names.get(environmentId)} version ${version}`)
}

describe('the history', () => {
  it('shows the saves of one key, compares two and restores one', async () => {
    await places.set('production', { apiUrl: 'https://second.example.com' })
    await seat.go(`/history?key=apiUrl&environment=${places.environments['production']}`)
    await page.getByText('https://api.example.com → https://second.example.com').waitFor()
    await page.getByRole('checkbox', { name: 'Choose production version 3' }).check()
    await page.getByRole('checkbox', { name: 'Choose production version 2' }).check()
    await page.getByRole('button', { name: 'Compare' }).click()
    const drawer = page.getByRole('dialog', { name: 'Compare two versions' })
    await drawer.getByText('https://second.example.com').waitFor()
    expect(await look(seat, 'compare-light')).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('checkbox', { name: 'Choose production version 3' }).uncheck()
    await page.getByRole('button', { name: 'Restore 1 version' }).click()
    const restore = page.getByRole('dialog', { name: 'Restore a version' })
    await restore.getByText('https://api.example.com').waitFor()
    const submit = restore.getByRole('button', { name: 'Restore' })
    expect(await submit.isDisabled()).toBe(true)
    await restore.getByLabel('Type "production" to confirm').fill('production')
    await submit.click()
    await page.getByText('Restored as a new version.').waitFor()
    expect(await valueIn('production', 'apiUrl')).toBe('https://api.example.com')
  })

  it('undoes one key of a change in three presses, and leaves the others and later changes alone', async () => {
    await places.set('production', { apiUrl: 'https://wrong.example.com', welcomeText: 'Wrong' })
    await places.set('production', { databaseUrl: 'postgres://later' })
    await seat.go(`/history?environment=${places.environments['production']}`)
    await page.getByText(/^apiUrl: .* → https:\/\/wrong\.example\.com$/).waitFor()
    await page.getByText('databaseUrl: secret changed').first().waitFor()
    await seat.picture('history-light')
    await page.getByRole('row').nth(2).getByRole('button').click()
    const drawer = page.getByRole('dialog', { name: 'Changes of this version' })
    await drawer.getByRole('button', { name: 'Undo this change' }).waitFor()
    expect(await look(seat, 'version-ways-back-light')).toEqual([])
    await drawer.getByRole('button', { name: 'Undo only apiUrl' }).click()
    const restore = page.getByRole('dialog', { name: 'Undo the change of apiUrl' })
    await restore.getByText('https://wrong.example.com').waitFor()
    await restore.getByLabel('Type "production" to confirm').fill('production')
    await restore.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone. The values are saved as a new version.').waitFor()
    expect(await valueIn('production', 'apiUrl')).toBe('https://api.example.com')
    expect(await valueIn('production', 'welcomeText')).toBe('Wrong')
    expect(await valueIn('production', 'databaseUrl')).toBe('postgres://later')
    await page.getByRole('row').nth(1).getByRole('button').click()
    await drawer.getByText('This version is current.').waitFor()
    expect(await drawer.getByRole('button', { name: /^Restore v/ }).isDisabled()).toBe(true)
  })

  it('includes secrets for the two environments alone for which somebody ticks them', async () => {
    await seat.go('/config?panel=promote&from=development&to=production')
    const drawer = page.getByRole('dialog', { name: 'Promote values' })
    await drawer.getByRole('radio', { name: 'All keys set in development' }).check()
    const secrets = drawer.getByRole('checkbox', { name: 'Secrets (1)' })
    await secrets.waitFor()
    const held = Promise.withResolvers<undefined>()
    const answerLate = async (route: Route) => {
      await held.promise
      await route.continue()
    }
    await page.route('**/config-values/promote', answerLate, { times: 1 })
    const asked = page.waitForRequest('**/config-values/promote')
    await secrets.check()
    await asked
    // The box and its names stay while the preview loads, and afterwards.
    expect(await secrets.isChecked()).toBe(true)
    held.resolve(undefined)
    const changes = drawer.getByRole('list', { name: 'Changes in production' })
    await changes.getByText('stripeSecretKey').waitFor()
    await drawer.getByRole('checkbox', { name: 'Secrets (1)', checked: true }).waitFor()
    await drawer.getByLabel('To', { exact: true }).selectOption('staging')
    await drawer.getByText('No change: the values are the same.').waitFor()
    await drawer.getByLabel('To', { exact: true }).selectOption('production')
    await drawer.getByRole('checkbox', { name: 'Secrets (1)', checked: false }).waitFor()
    await changes.waitFor()
    expect(await changes.getByText('stripeSecretKey').count()).toBe(0)
  })

  it('restores and promotes nothing over what somebody has saved since it was shown', async () => {
    await places.set('production', { supportEmail: 'older@example.com' })
    await places.set('production', { supportEmail: 'shown@example.com' })
    const [, older] = (await listVersions('supportEmail')).filter((one) =>
      one.startsWith('production'),
    )
    await seat.go(`/history?key=supportEmail&environment=${places.environments['production']}`)
    await page.getByRole('checkbox', { name: `Choose ${older}`, exact: true }).check()
    await page.getByRole('button', { name: 'Restore 1 version' }).click()
    const restore = page.getByRole('dialog', { name: 'Restore a version' })
    await restore.getByText('shown@example.com').waitFor()
    await places.set('production', { supportEmail: 'urgent@example.com' })
    await restore.getByLabel('Type "production" to confirm').fill('production')
    await restore.getByRole('button', { name: 'Restore' }).click()
    await restore.getByText('urgent@example.com').waitFor()
    await restore.getByText(/production is at version \d+, not \d+/).waitFor()
    expect(await valueIn('production', 'supportEmail')).toBe('urgent@example.com')
    await restore.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('Restored as a new version.').waitFor()
    expect(await valueIn('production', 'supportEmail')).toBe('older@example.com')

    await seat.go('/config?panel=promote&keys=%5B%22supportEmail%22%5D')
    const promotion = page.getByRole('dialog', { name: 'Promote values' })
    await promotion.getByLabel('To').selectOption('production')
    await promotion.getByText('older@example.com').waitFor()
    await places.set('production', { supportEmail: 'urgent@example.com' })
    await promotion.getByLabel('Type "production" to confirm').fill('production')
    await promotion.getByRole('button', { name: 'Promote 1 change', exact: true }).click()
    await promotion.getByText('urgent@example.com').waitFor()
    expect(await valueIn('production', 'supportEmail')).toBe('urgent@example.com')
  })

  it('promotes a secret that nobody sees, after showing that it changes', async () => {
    await seat.go('/config?panel=promote&keys=%5B%22stripeSecretKey%22%5D')
    const drawer = page.getByRole('dialog', { name: 'Promote values' })
    await drawer.getByLabel('To').selectOption('production')
    await drawer.getByText('Secret values (hidden)').waitFor()
    await drawer.getByLabel('Type "production" to confirm').fill('production')
    await drawer.getByRole('button', { name: 'Promote' }).click()
    await page.getByText('Promoted 1 change to production.').waitFor()
    expect(await valueIn('production', 'stripeSecretKey')).toBe('the secret of development')
    expect(await page.content()).not.toContain('the secret of development')
  })

  it('promotes a public value that looks like a secret only where somebody says that it is none', async () => {
    await dashboard.service.ask('PUT /config-values', {
      schemaId: places.schemaId,
      environmentId: places.environments['development'],
      values: { welcomeText: token },
      allowPlain: ['welcomeText'],
    })
    await seat.go('/config?panel=promote&from=development&to=production')
    const drawer = page.getByRole('dialog', { name: 'Promote values' })
    await drawer.getByRole('radio', { name: 'All keys set in development' }).check()
    const suspects = drawer.getByRole('list', { name: 'Looks like a secret' })
    await suspects.getByText('a token of GitHub').waitFor()
    await drawer.getByLabel('Type "production" to confirm').fill('production')
    expect(await drawer.getByRole('button', { name: 'Promote' }).isDisabled()).toBe(true)
    expect(await look(seat, 'promote-looks-like-secret')).toEqual([])
    await suspects.getByLabel('welcomeText is no secret').check()
    await drawer.getByRole('list', { name: 'Changes in production' }).waitFor()
    await drawer.getByRole('button', { name: /^Promote \d+ changes?$/ }).click()
    await page.getByText(/^Promoted \d+ changes? to production\.$/).waitFor()
    expect(await valueIn('production', 'welcomeText')).toBe(token)
  })
})
