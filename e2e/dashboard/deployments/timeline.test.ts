import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createConfigFixture, type ConfigFixture } from '../config/config-fixture.ts'
import { lookEverywhere } from '../look.ts'
import { openDashboard, type Dashboard, type Seat } from '../open-dashboard.ts'
import { noonZone } from '../page/noon-zone.ts'
import { asRole, openPipeline } from './play-deployments.ts'

const timeZone = noonZone()

let dashboard: Dashboard
let places: ConfigFixture
let deleted: string

beforeAll(async () => {
  dashboard = await openDashboard({
    more: { SIGNALBOX_KEEP_DEPLOYMENTS: '60' },
  })
  const { deploy, test, age } = openPipeline(dashboard.service)
  deleted = await deploy({ message: 'ABC-9 Print the receipt', state: 'failure' })
  await test(deleted, { failed: 1 })
  await age(deleted, 100)
  const first = await deploy({ message: 'ABC-1 Keep the currency' })
  await test(first, { failed: 0 })
  // Within a day of the moment that is jumped to, which is the beginning of a minute.
  await age(first, 1 - 2 / 1440)
  await test(await deploy({ message: 'ABC-2 Round the total' }), { failed: 3 })
  await deploy({ repository: 'acme/mail', message: 'Send the receipt' })
  places = await createConfigFixture(dashboard.service)
  await dashboard.service.ask('PUT /config-values', {
    schemaId: places.schemaId,
    environmentId: places.environments['production'],
    values: { checkoutTimeoutMs: 2000 },
    comment: 'ABC-3 Patience',
  })
})
afterAll(() => dashboard.close())

/** The row of the change that is called so. */
const row = ({ page }: Seat, title: string | RegExp) =>
  page.getByRole('listitem').filter({ has: page.getByRole('link', { name: title, exact: true }) })

describe('the timeline', () => {
  it('shows deployments, tests, configuration and flags as one list, each with who, why and what proves it', async () => {
    const seat = await dashboard.open({ timeZone })
    await seat.go('/timeline')
    const deployed = row(seat, 'ABC-2 Round the total')
    await deployed.getByText('Deployed', { exact: true }).waitFor()
    await deployed.getByText('3 failing').waitFor()
    // Its tests are shown with it, and not as an entry of their own.
    expect(await seat.page.getByText('End to end').count()).toBe(0)
    const written = row(seat, 'Values written in web').filter({ hasText: 'production' })
    const why = written.filter({ hasText: 'Patience' })
    await why.getByText('checkoutTimeoutMs').waitFor()
    expect(await why.getByRole('list', { name: 'Changed keys' }).innerText()).toMatch(/1000\s+2000/)
    await why.getByText('ABC-3', { exact: true }).waitFor()
    await why.getByText('Ada', { exact: true }).waitFor()
    await seat.page.getByRole('region', { name: 'Yesterday' }).waitFor()
  })

  it('shows a flag that somebody flips without being loaded again', async () => {
    const seat = await dashboard.open({ timeZone })
    await seat.go('/timeline')
    await row(seat, 'ABC-2 Round the total').waitFor()
    expect(await row(seat, 'newCheckout: off → on').count()).toBe(0)
    await places.set('production', { newCheckout: true })
    await row(seat, 'newCheckout: off → on').getByText('production').waitFor()
  })

  it('shows only the changes of a key whose name is pressed, until its filter is taken away', async () => {
    const seat = await dashboard.open({ timeZone })
    const { page } = seat
    await seat.go('/timeline')
    await page.getByRole('button', { name: 'Only changes of checkoutTimeoutMs' }).first().click()
    await row(seat, 'ABC-2 Round the total').waitFor({ state: 'detached' })
    expect(page.url()).toContain('key=checkoutTimeoutMs')
    await page.getByRole('button', { name: 'Key checkoutTimeoutMs' }).click()
    await row(seat, 'ABC-2 Round the total').waitFor()
  })

  it('shows the time of day, with the age as its tooltip', async () => {
    const seat = await dashboard.open({ timeZone })
    await seat.go('/timeline')
    const time = row(seat, 'ABC-2 Round the total').locator('time')
    expect(await time.innerText()).toMatch(/^\d{1,2}:\d{2}:\d{2}/)
    expect(await time.getAttribute('title')).toMatch(/just now|ago$/)
    const zone = await seat.page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone)
    expect(await seat.page.getByText(`Times in ${zone}`).count()).toBe(1)
  })

  it('leads to all that is known of a change, and to its way back', async () => {
    const seat = await dashboard.open({ timeZone })
    const { page } = seat
    await seat.go('/timeline')
    await row(seat, 'ABC-2 Round the total')
      .getByRole('link', { name: /^Previous: / })
      .click()
    await page.getByRole('heading', { name: 'ABC-1 Keep the currency' }).waitFor()
    await page.goBack()
    await row(seat, 'newCheckout: off → on')
      .getByRole('link', { name: 'newCheckout: off → on' })
      .click()
    await page.getByRole('dialog').getByText('newCheckout').first().waitFor()
    await page.goBack()
    await row(seat, 'newCheckout: off → on')
      .getByRole('link', { name: /^Restore version \d+…$/ })
      .click()
    await page.getByRole('dialog', { name: /^Restore/ }).waitFor()
    expect(seat.complaints()).toEqual([])
  })

  it('offers the way back to nobody who may not go it', async () => {
    await asRole(dashboard.service, 'viewer', async () => {
      const seat = await dashboard.open({ timeZone })
      await seat.go('/timeline')
      const flip = row(seat, 'newCheckout: off → on')
      await flip.waitFor()
      expect(await flip.getByRole('link', { name: /^Restore version \d+…$/ }).count()).toBe(0)
    })
  })

  it('answers what changed between two times of today within three clicks from the overview', async () => {
    const seat = await dashboard.open({ timeZone })
    const { page } = seat
    const { asOwner, orgId } = dashboard.service
    const twoHoursAgo = new Date(Date.now() - 2 * 3_600_000)
    await asOwner(
      `update deployments set created_at = $2 where org_id = $1 and commit_message = 'Send the receipt'`,
      [orgId, twoHoursAgo],
    )
    const toTime = (minutes: number) => {
      const at = new Date(twoHoursAgo.getTime() + minutes * 60_000)
      return at.toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
    }
    await seat.go('')
    let clicks = 0
    const click = async (part: Locator) => {
      clicks += 1
      await part.click()
    }
    await click(page.getByRole('link', { name: 'Timeline', exact: true }))
    await click(page.getByLabel('From time'))
    await page.getByLabel('From time').fill(toTime(-15))
    await click(page.getByLabel('To time'))
    await page.getByLabel('To time').fill(toTime(15))
    await row(seat, 'Send the receipt').waitFor()
    await row(seat, 'ABC-2 Round the total').waitFor({ state: 'detached' })
    expect(clicks).toBe(3)
    expect(page.url()).toMatch(/from=.*to=/)
    await page.reload()
    await row(seat, 'Send the receipt').waitFor()
  })

  it('jumps to a moment, marks it, and shows what happened around it', async () => {
    const seat = await dashboard.open({ timeZone })
    const { page } = seat
    await seat.go('/timeline')
    await page.getByRole('button', { name: 'Jump to a moment' }).click()
    await page.getByRole('dialog').getByLabel('Time').press('Enter')
    await page.getByText('The moment you jumped to').waitFor()
    await row(seat, 'ABC-2 Round the total').waitFor()
    // The list from before the jump stays until the new one has come.
    await row(seat, 'ABC-1 Keep the currency').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: '± 1 day' }).click()
    await page.waitForURL(/span=1440/)
    await row(seat, 'ABC-1 Keep the currency').waitFor()
    expect(await seat.violationsInBothThemes()).toEqual([])
    await seat.picture('timeline-jumped')
  })

  it('opens an end again once its date is cleared, and names a period that ends before it begins', async () => {
    const seat = await dashboard.open({ timeZone })
    const { page } = seat
    await seat.go('/timeline?from=2026-11-20T14:00:00.000Z')
    await page.getByLabel('From date').fill('')
    await page.waitForURL((url) => !url.search.includes('from'))
    await expect.poll(() => page.getByLabel('From time').inputValue()).toBe('')
    // Firefox reports 2:30 AM while 2:30 PM is typed: the day that followed from it does not stay.
    for (const [field, time] of [
      ['From time', '14:00'],
      ['To time', '02:30'],
      ['To time', '14:30'],
    ] as const) {
      await page.getByLabel(field).fill(time)
      await expect.poll(() => page.getByLabel(field).inputValue()).toBe(time)
    }
    const ends = () => {
      const { searchParams } = new URL(page.url())
      return ['from', 'to'].map((end) => Date.parse(searchParams.get(end) ?? ''))
    }
    await expect.poll(() => (ends()[1] ?? 0) - (ends()[0] ?? 0)).toBe(30 * 60_000)
    const reversed = page.getByText('The period ends before it begins.')
    expect(await reversed.count()).toBe(0)
    await seat.go('/timeline?from=2026-11-20T14:30:00.000Z&to=2026-11-20T14:00:00.000Z')
    await reversed.waitFor()
  })

  it('takes one key back in three presses from the overview, and leaves the others of its version', async () => {
    await places.set('development', { checkoutTimeoutMs: 3000, welcomeText: 'wrong' })
    const seat = await dashboard.open({ timeZone })
    const { page } = seat
    await seat.go('')
    let presses = 0
    const press = async (target: Locator) => {
      presses += 1
      await target.click()
    }
    await press(page.getByRole('link', { name: 'Timeline', exact: true }))
    await press(page.getByRole('link', { name: 'Undo… welcomeText' }).first())
    const drawer = page.getByRole('dialog', { name: 'Undo the change of welcomeText' })
    await press(drawer.getByRole('button', { name: 'Undo' }))
    await page.getByText('Undone. The values are saved as a new version.').waitFor()
    expect(presses).toBe(3)
    const values = await places.read('development')
    expect(values['welcomeText']?.value).not.toBe('wrong')
    expect(values['checkoutTimeoutMs']?.value).toBe(3000)
  })

  it('shows chosen kinds, repositories, people and texts', async () => {
    const seat = await dashboard.open({ timeZone })
    const { page } = seat
    await seat.go('/timeline')
    await row(seat, 'Send the receipt').waitFor()
    await page.getByRole('button', { name: 'Flags' }).click()
    await row(seat, 'Send the receipt').waitFor({ state: 'detached' })
    await row(seat, 'newCheckout: off → on').waitFor()
    await page.getByRole('button', { name: 'Flags' }).click()
    await page.getByLabel('Repository').selectOption('acme/mail')
    await row(seat, 'newCheckout: off → on').waitFor({ state: 'detached' })
    await row(seat, 'Send the receipt').waitFor()
    expect(await row(seat, 'ABC-2 Round the total').count()).toBe(0)
    await page.getByLabel('Repository').selectOption('')
    await page.getByLabel('Search changes').fill('round THE')
    await row(seat, 'Send the receipt').waitFor({ state: 'detached' })
    await row(seat, 'ABC-2 Round the total').waitFor()
    await page.getByLabel('Search changes').fill('')
    await row(seat, 'newCheckout: off → on').getByRole('button', { name: 'Ada' }).click()
    await page.waitForURL(/person=Ada/)
    await expect.poll(() => page.getByLabel('Person').inputValue()).toBe('Ada')
    await seat.go('/timeline?person=Grace')
    await page.getByText('No change matches').waitFor()
    await page.getByRole('button', { name: 'Show everything' }).click()
    await row(seat, 'ABC-2 Round the total').waitFor()
  })

  it('has no deployment that was deleted for its age, and its page says after how many days they are', async () => {
    const { asOwner } = dashboard.service
    // A job that still works on the deployment keeps it; a later run deletes it then.
    await expect
      .poll(async () => {
        await asOwner(`insert into pgboss.job (name) values ('retention.forgetOld')
          on conflict do nothing`)
        return asOwner('select from deployments where id = $1', [deleted])
      })
      .toEqual([])
    const seat = await dashboard.open({ timeZone })
    const { page } = seat
    await seat.go('/timeline')
    await row(seat, 'ABC-2 Round the total').waitFor()
    expect(await row(seat, 'ABC-9 Print the receipt').count()).toBe(0)
    await seat.go(`/deployments/${deleted}`)
    await page.getByText('This server deletes deployments that are older than 60 days.').waitFor()
  })

  it('keeps the environment that is looked at in the address', async () => {
    const seat = await dashboard.open({ timeZone })
    const { page } = seat
    await seat.go('/timeline')
    await page.getByLabel('Environment').selectOption('production')
    await row(seat, 'ABC-2 Round the total').waitFor({ state: 'detached' })
    expect(page.url()).toContain(`environment=${places.environments['production']}`)
    await page.reload()
    await row(seat, 'newCheckout: off → on').waitFor()
    expect(await row(seat, 'ABC-2 Round the total').count()).toBe(0)
  })

  it('cuts no text in any window', async () => {
    const seat = await dashboard.open({ timeZone })
    await seat.go('/timeline')
    await seat.page.getByText('ABC-2 Round the total').waitFor()
    expect(await lookEverywhere(seat, 'timeline')).toEqual([])
  })
})
