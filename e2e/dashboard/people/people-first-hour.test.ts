import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createConfigFixture } from '../config/config-fixture.ts'
import { look, press } from '../look.ts'
import { openDashboard, type Dashboard } from '../open-dashboard.ts'
import { addPerson, type Person } from './play-people.ts'

let dashboard: Dashboard
let lin: Person

beforeAll(async () => {
  dashboard = await openDashboard()
  const { set } = await createConfigFixture(dashboard.service)
  await set('staging', { stripeSecretKey: 'the secret of staging' })
  lin = await addPerson(dashboard, { name: 'Lin', role: 'viewer' })
})
afterAll(() => dashboard.close())

const view = (page: Page, name: string) => press(page.getByRole('group', { name: 'View' }), name)

it('a first hour makes a group that develops in staging, and sees of production’s secrets only that they are set', async () => {
  const seat = await dashboard.open()
  const { page } = seat
  await seat.go('/members')
  await view(page, 'Groups')
  await press(page, 'New group')
  await page.getByLabel('Name', { exact: true }).fill('Backend')
  await press(page, 'Create group')
  await press(page, 'Backend')
  const group = page.getByRole('dialog', { name: 'Backend' })
  await group.getByLabel('Add a person').selectOption({ label: 'Lin, lin@example.com' })
  await press(group, 'Add')
  await group.getByRole('listitem').getByText('lin@example.com').waitFor()
  await group.getByRole('link', { name: 'New grant' }).click()
  const grant = page.getByRole('dialog', { name: 'New grant' })
  await grant.getByLabel('Who', { exact: true }).selectOption('Backend')
  await grant.getByLabel(/^Developer/).check()
  await grant.getByLabel('staging').check()
  await press(grant, 'Create grant')
  const sentence = 'Backend develops everything in staging'
  await page.getByText(sentence).waitFor()

  const hers = await dashboard.open({ session: lin.session })
  await hers.go('/config')
  const reveals = hers.page.getByRole('button', { name: /^Reveal stripeSecretKey/ })
  await reveals.first().waitFor()
  const names = await reveals.evaluateAll((all) => all.map((one) => one.ariaLabel))
  expect(names).toEqual(['Reveal stripeSecretKey of staging'])
  const production = hers.page.locator('[id="cell-3-stripeSecretKey"]')
  await production.getByRole('img', { name: 'secret' }).waitFor()
  await reveals.click()
  await hers.page.getByText('the secret of staging').waitFor()
  expect(await hers.page.content()).not.toContain('the secret of production')
  await production.click()
  await hers.page.keyboard.type('another')
  await hers.page.locator('#cell-line').getByText('may not write values').waitFor()

  await view(page, 'People')
  await press(page, 'Lin')
  const drawer = page.getByRole('dialog', { name: 'Lin' })
  const because = drawer.getByRole('row', { name: /^Read secrets/ })
  await drawer.getByLabel('Environment').selectOption('staging')
  await because.getByText(sentence).waitFor()
  expect(await look(seat, 'first-hour-access')).toEqual([])
  await drawer.getByLabel('Environment').selectOption('production')
  await because.getByText('Nothing allows it there.').waitFor()
  // On a phone the reason stands below the answer, although the drawer is opened by a row of another table.
  await page.setViewportSize({ width: 390, height: 800 })
  const tops = await because
    .getByRole('cell')
    .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)))
  expect(tops).toEqual([...new Set(tops)].toSorted((one, other) => one - other))
  for (const one of [seat, hers]) await one.close()
})
