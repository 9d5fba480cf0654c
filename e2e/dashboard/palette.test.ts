import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isNight } from '../is-night.ts'
import { look } from './look.ts'
import { openDashboard, type Dashboard } from './open-dashboard.ts'
import { asRole, openPipeline } from './deployments/play-deployments.ts'

let dashboard: Dashboard
let deploymentId: string

beforeAll(async () => {
  dashboard = await openDashboard()
  const { deploy } = openPipeline(dashboard.service)
  deploymentId = await deploy({ message: 'ABC-1 Keep the currency', ref: 'feat/currency' })
})
afterAll(() => dashboard.close())

const openPalette = async (page: Page) => {
  await page.keyboard.press('Control+k')
  return page.getByRole('combobox', { name: 'Search or jump to' })
}
/** Returns the option that Enter would choose, as a screen reader announces it. */
const active = (page: Page) =>
  page.evaluate(() => {
    const id = document.activeElement?.getAttribute('aria-activedescendant') ?? ''
    return document.getElementById(id)?.textContent ?? ''
  })

describe('the palette', () => {
  it.each(isNight ? (['light', 'dark'] as const) : (['dark'] as const))(
    'finds by the keyboard alone, in the %s theme',
    async (theme) => {
      const seat = await dashboard.open({ theme })
      const { page } = seat
      await seat.go('')
      const field = await openPalette(page)
      await page.keyboard.press('ArrowDown')
      expect(await active(page)).toBe('DeploymentsScreen')
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('ArrowUp')
      expect(await active(page)).toContain('Theme')
      await field.fill('feat/curr')
      await page
        .getByRole('option', { name: /ABC-1 Keep the currency.* feat\/currency → .*Deployed · / })
        .waitFor()
      await page.getByText('Deployments', { exact: true }).last().waitFor()
      await page.getByRole('status').filter({ hasText: '1 result' }).waitFor()
      expect(await look(seat, `palette-${theme}`)).toEqual([])
      await page.keyboard.press('Enter')
      await page.waitForURL(`**/acme/deployments/${deploymentId}`)
    },
  )

  it('begins what it names', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go('')
    // A part of its name finds it, and Enter alone runs nothing.
    await (await openPalette(page)).fill('dark')
    await page.getByRole('option', { name: 'Theme: Dark' }).waitFor()
    expect(await active(page)).toBe('')
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill('theme: dark')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
    await page.getByRole('button', { name: 'Theme: Dark' }).waitFor()
    for (const [action, dialog] of [
      ['Run workflow', 'Run a workflow'],
      ['Invite member', 'Invite'],
      ['Create API key', 'key'],
    ] as const) {
      await (await openPalette(page)).fill(action)
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: new RegExp(dialog, 'i') }).waitFor()
      await page.keyboard.press('Escape')
    }
    // Nothing is connected that a sync could read.
    await openPalette(page)
    await page.getByRole('option', { name: 'Invite member' }).waitFor()
    await expect.poll(() => page.getByRole('option', { name: 'Sync now' }).count()).toBe(0)
  })

  it('offers a viewer what they may do', async () => {
    await asRole(dashboard.service, 'viewer', async () => {
      const seat = await dashboard.open()
      await seat.go('')
      await openPalette(seat.page)
      const options = await seat.page.getByRole('option').allInnerTexts()
      expect(options.join()).toContain('Theme: Dark')
      expect(options.join()).not.toMatch(/Sync now|Run workflow|Invite|Create API key|Audit/)
    })
  })
})
