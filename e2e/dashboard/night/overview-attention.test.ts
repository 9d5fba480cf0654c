import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createConfigFixture } from '../config/config-fixture.ts'
import { lookEverywhere } from '../look.ts'
import { openDashboard, type Dashboard } from '../open-dashboard.ts'
import { openPipeline } from '../deployments/play-deployments.ts'

let dashboard: Dashboard

interface Overview {
  readonly needsYou: readonly {
    readonly code: string
    readonly next: { readonly label: string; readonly href: string }
  }[]
}

beforeAll(async () => {
  dashboard = await openDashboard()
  const { service } = dashboard
  const { ask, asOwner, orgId, sandbox } = service
  const { deploy, test, age, lead } = openPipeline(service)
  for (const [at, hours] of [30, 52, 7, 3, 11, 26].entries()) {
    const id = await deploy({ environment: 'staging' })
    await test(id, { failed: at === 2 ? 2 : 0 })
    await age(id, 12 - at * 2)
    await lead(id, hours)
  }
  await createConfigFixture(service)
  await test(await deploy({ environment: 'production' }), { failed: 3 })
  await service.connect('tracker')
  sandbox.jira.removeGrant()
  await ask('GET /integrations/tracker/projects').catch(() => undefined)
  await service.connect('chat')
  await ask('PATCH /integrations/chat', {
    defaultChannelId: sandbox.slack.channelId('deployments'),
  })
  sandbox.slack.refuse('deployments', 'restricted_action')
  await deploy({ environment: 'development' })
  for (const name of ['old', 'older', 'oldest', 'outdated', 'outworn']) {
    const key = await ask<{ readonly id: string }>('POST /api-keys', { name, kind: 'm2m' })
    await asOwner(
      `update api_keys set expires_at = now() + interval '3 days' where org_id = $1 and id = $2`,
      [orgId, key.id],
    )
  }
})
afterAll(() => dashboard.close())

/** Maps the kind of an item to what its screen must show. */
const subjects: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  integration_attention: (page) =>
    page.getByRole('button', { name: 'Connect Jira again' }).waitFor(),
  message_failed: (page) => page.getByText('not delivering').first().waitFor(),
  missing_keys: async (page) => {
    await page.getByLabel('Only missing in production').waitFor()
    const keys = await page.locator('[role=rowheader]').allTextContents()
    expect(keys).toEqual([expect.stringMatching(/^supportEmail/)])
    await page.waitForFunction(
      () => document.activeElement?.getAttribute('aria-label') === 'supportEmail in production',
    )
  },
  tests_failed: (page) => page.getByText('Failed', { exact: true }).first().waitFor(),
  key_expires: (page) => page.getByRole('row', { name: /old/ }).first().waitFor(),
}

describe('the overview', () => {
  it('says on the card of an environment what is missing there and what differs', async () => {
    const seat = await dashboard.open()
    await seat.go('')
    const cards = seat.page.getByRole('region', { name: 'Environments' }).getByRole('article')
    const production = cards.filter({ hasText: 'production' })
    await production.getByText(/^\d+ missing$/).waitFor()
    await production.getByText(/^\d+ differ$/).waitFor()
    expect(seat.complaints()).toEqual([])
  })

  it('leads from everything that needs a person to a screen that shows it', async () => {
    const { ask } = dashboard.service
    const listed = () => ask<Overview>('GET /overview')
    await expect
      .poll(async () => (await listed()).needsYou.map(({ code }) => code))
      .toEqual(expect.arrayContaining(Object.keys(subjects)))
    const { needsYou } = await listed()
    const seat = await dashboard.open()
    for (const { code, next } of needsYou) {
      await seat.load('')
      // Its count may have grown meanwhile, and its title with it.
      const needs = seat.page.getByRole('region', { name: 'Needs attention' })
      // There are more than are shown at first, unless some of it has mended itself meanwhile.
      const more = needs.getByRole('button', { name: /^Show \d+ more$/, expanded: false })
      const link = needs.locator(`a[href="/acme${next.href}"]`).filter({ hasText: next.label })
      await more.or(link.first()).first().waitFor()
      if (await more.isVisible()) await more.click()
      await link.first().click()
      await seat.page.waitForURL((url) =>
        `${url.pathname}${url.search}`.startsWith(`/acme${next.href}`),
      )
      await subjects[code]?.(seat.page)
    }
  })

  it('leads from failed tests to the timeline of their environment at that moment', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go('?all=true')
    const item = page
      .getByRole('region', { name: 'Needs attention' })
      .getByRole('listitem')
      .filter({ hasText: 'Tests failed in production' })
    await item.getByRole('link', { name: 'Around this moment' }).click()
    await page.waitForURL((url) => url.pathname === '/acme/timeline' && url.searchParams.has('at'))
    await page.getByRole('heading', { name: 'Timeline', level: 1 }).waitFor()
    await page.getByLabel('Environment').waitFor()
    await expect
      .poll(() => page.getByLabel('Environment').locator('option:checked').textContent())
      .toBe('production')
    expect(await seat.accessibilityViolations()).toEqual([])
  })

  it('shows every kind of entry without cutting any text, in every window', async () => {
    const other = await dashboard.open()
    await other.go('')
    await other.page.getByRole('img', { name: /^Median lead time/ }).waitFor()
    expect(await lookEverywhere(other, 'overview-attention')).toEqual([])
  })
})
