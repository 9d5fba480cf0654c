import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createConfigFixture, type ConfigFixture } from '../config/config-fixture.ts'
import { look, press } from '../look.ts'
import { openDashboard, type Dashboard } from '../open-dashboard.ts'
import { addPerson, choose, type Person } from './play-people.ts'

let dashboard: Dashboard
let places: ConfigFixture
let grace: Person
let lin: Person

beforeAll(async () => {
  dashboard = await openDashboard()
  places = await createConfigFixture(dashboard.service)
  grace = await addPerson(dashboard, { name: 'Grace', role: 'viewer' })
  lin = await addPerson(dashboard, { name: 'Lin', role: 'viewer' })
})
afterAll(() => dashboard.close())

const view = (page: Page, name: string) => press(page.getByRole('group', { name: 'View' }), name)

/** Names the cells of a row that may not be edited, by their environments. */
async function listReadOnly(page: Page, key: string): Promise<readonly string[]> {
  const names = ['development', 'staging', 'production']
  await page.locator(`[id="cell-3-${key}"]`).waitFor()
  const cells = names.map((_, at) => page.locator(`[id="cell-${at + 1}-${key}"]`))
  const isReadOnly = await Promise.all(cells.map((cell) => cell.getAttribute('aria-readonly')))
  return names.filter((_, at) => isReadOnly[at] === 'true')
}

describe('groups and grants', () => {
  it('are made by the buttons, and say what they allow', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go('/members')
    await view(page, 'Groups')
    const addGroup = async (name: string) => {
      await press(page, 'New group')
      await page.getByLabel('Name', { exact: true }).fill(name)
      await press(page, 'Create group')
    }
    await addGroup('Developers')
    await page.getByRole('button', { name: 'Developers', exact: true }).waitFor()
    await addGroup('developers')
    await page.getByText('The group developers already exists.').waitFor()
    expect(await look(seat, 'group-new')).toEqual([])
    await page.getByLabel('Name', { exact: true }).fill('Support')
    await press(page, 'Create group')
    for (const [group, person] of [
      ['Developers', 'Grace, grace@example.com'],
      ['Support', 'Lin, lin@example.com'],
    ] as const) {
      await press(page, group)
      const drawer = page.getByRole('dialog', { name: group })
      await drawer.getByLabel('Add a person').selectOption({ label: person })
      await press(drawer, 'Add')
      await drawer
        .getByRole('listitem')
        .getByText(person.split(', ')[1] ?? '')
        .waitFor()
      expect(await look(seat, 'group')).toEqual([])
      await page.keyboard.press('Escape')
    }

    await view(page, 'Grants')
    await press(page, 'New grant')
    const dialog = page.getByRole('dialog', { name: 'New grant' })
    await press(dialog, 'Create grant')
    await dialog.getByText('Choose a group, a member or a key.').waitFor()
    await dialog.getByText('Select at least one environment.').waitFor()
    expect(await look(seat, 'grant-new')).toEqual([])
    await dialog.getByLabel('Who', { exact: true }).selectOption('Developers')
    await dialog.getByLabel('staging').check()
    await press(dialog, 'Create grant')
    await page
      .getByText('Developers write values in staging, without reading its secrets')
      .waitFor()
    await press(page, 'New grant')
    await dialog.getByLabel('Who', { exact: true }).selectOption('Support')
    await dialog.getByLabel(/^Reader/).check()
    await dialog.getByLabel('production').check()
    await press(dialog, 'Create grant')
    await page.getByText('Support reads the secrets of production').waitFor()
    await seat.close()
  })

  it('of one environment let a member write there, and say elsewhere why not', async () => {
    const hers = await dashboard.open({ session: grace.session })
    const { page } = hers
    await hers.go('/config')
    expect(await listReadOnly(page, 'supportEmail')).toEqual(['development', 'production'])
    const locked = page.locator('[id="cell-3-supportEmail"]')
    expect(await locked.getAttribute('title')).toBe(
      'You may not write values here. Ask an admin for a grant.',
    )
    await locked.click()
    await page.keyboard.type('nobody@example.com')
    await page.locator('#cell-line').getByText('may not write values').waitFor()
    expect(await page.getByRole('button', { name: 'Add key' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: /^Reveal/ }).count()).toBe(0)
    await page.locator('[id="cell-2-supportEmail"]').click()
    await page.keyboard.type('staging@example.com')
    await page.keyboard.press('Enter')
    await press(page, 'Review 1 change')
    await press(page.getByRole('dialog'), 'Save')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect
      .poll(async () => (await places.read('staging'))['supportEmail']?.value)
      .toBe('staging@example.com')
    expect(await look(hers, 'config-granted')).toEqual([])
    await hers.close()
  })

  it('that read secrets reveal them there, and write nothing', async () => {
    const his = await dashboard.open({ session: lin.session })
    await his.go('/config')
    const readOnly = await listReadOnly(his.page, 'supportEmail')
    expect(readOnly).toEqual(['development', 'staging', 'production'])
    const reveals = his.page.getByRole('button', { name: /^Reveal stripeSecretKey/ })
    const names = await reveals.evaluateAll((all) => all.map((one) => one.ariaLabel))
    expect(names).toEqual(['Reveal stripeSecretKey of production'])
    await reveals.click()
    await his.page.getByText('the secret of production').waitFor()
    await his.close()
  })

  it('answer what a member and a key can do, with what decides', async () => {
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go('/members')
    await press(page, 'Grace')
    const drawer = page.getByRole('dialog', { name: 'Grace' })
    const because = (act: string) => drawer.getByRole('row', { name: new RegExp(`^${act}`) })
    await because('Write values').getByText('Nothing allows it there.').waitFor()
    await drawer.getByLabel('Environment').selectOption('staging')
    await because('Write values').getByText('Developers write values in staging').waitFor()
    await because('Read values and flags').getByText('The role Viewer.').waitFor()
    await because('Read secrets').getByText('No', { exact: true }).waitFor()
    expect(await look(seat, 'member-access')).toEqual([])
    await page.keyboard.press('Escape')

    await seat.go('/keys')
    await press(page, 'First browser key')
    const ofKey = page.getByRole('dialog', { name: 'First browser key' })
    await ofKey.getByRole('row', { name: /^Read values and flags Yes/ }).waitFor()
    await ofKey.getByRole('row', { name: /^Read secrets No/ }).waitFor()
    expect(await look(seat, 'key-access')).toEqual([])
    await seat.close()
  })

  it('are given to a server key too, which its page says in a sentence', async () => {
    const body = { name: 'Deploy key', kind: 'm2m', access: 'read' }
    await dashboard.service.ask('POST /api-keys', body)
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go('/members?view=grants')
    await press(page, 'New grant')
    const dialog = page.getByRole('dialog', { name: 'New grant' })
    const who = dialog.getByLabel('Who', { exact: true })
    await who.locator('option', { hasText: 'Deploy key' }).waitFor({ state: 'attached' })
    // No browser key is offered.
    expect(await who.locator('option', { hasText: 'First browser key' }).count()).toBe(0)
    await who.selectOption(
      (await who.locator('option', { hasText: 'Deploy key' }).textContent()) ?? '',
    )
    await dialog.getByLabel('staging').check()
    await press(dialog, 'Create grant')
    await page.getByText('Deploy key writes values in staging', { exact: true }).waitFor()

    await seat.go('/keys')
    const row = page.getByRole('row', { name: /Deploy key/ })
    await row.getByText('Deploy key writes values in staging', { exact: true }).waitFor()
    expect(await look(seat, 'keys-granted')).toEqual([])
    await press(page, 'Deploy key')
    const drawer = page.getByRole('dialog', { name: 'Deploy key' })
    const because = (act: string) => drawer.getByRole('row', { name: new RegExp(`^${act}`) })
    await because('Write values').getByText('Nothing allows it there.').waitFor()
    await drawer.getByLabel('Environment').selectOption('staging')
    await because('Write values').getByText('Deploy key writes values in staging').waitFor()
    await because('Read secrets').getByText('The access of the key.').waitFor()
    expect(await look(seat, 'key-access-granted')).toEqual([])
    await seat.close()
  })

  it('are changed and ended, which counts on the open page at once', async () => {
    const hers = await dashboard.open({ session: grace.session })
    await hers.go('/config')
    expect(await listReadOnly(hers.page, 'supportEmail')).toEqual(['development', 'production'])
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go('/members?view=grants')
    await choose(page, 'Actions for the grant of Developers', 'Change')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('production').check()
    expect(await look(seat, 'grant-change')).toEqual([])
    await press(dialog, 'Save')
    await page
      .getByText('Developers write values in staging and production, without reading the secrets')
      .waitFor()
    await expect.poll(() => listReadOnly(hers.page, 'supportEmail')).toEqual(['development'])
    await choose(page, 'Actions for the grant of Developers', 'End')
    expect(await look(seat, 'grant-end')).toEqual([])
    await press(dialog, 'End grant')
    await expect.poll(() => listReadOnly(hers.page, 'supportEmail')).toHaveLength(3)
    for (const one of [seat, hers]) await one.close()
  })

  it('name what is deleted as deleted, and end with their group', async () => {
    const { ask } = dashboard.service
    const { id } = await ask<{ id: string }>('POST /environments', { name: 'preview' })
    const { items } = await ask<{ items: { id: string; name: string }[] }>('GET /groups')
    const groupId = items.find(({ name }) => name === 'Developers')?.id
    await ask('POST /grants', { groupId, role: 'admin', environmentIds: [id] })
    await ask(`DELETE /environments/${id}?force=true`)
    const seat = await dashboard.open()
    const { page } = seat
    await seat.go('/members?view=grants')
    const sentence = page.getByText('Developers administer a deleted environment')
    await sentence.waitFor()
    await view(page, 'Groups')
    await choose(page, 'Actions for Developers', 'Delete')
    expect(await look(seat, 'group-delete')).toEqual([])
    await press(page, 'Delete group')
    await page.getByText('Developers was deleted.').waitFor()
    await view(page, 'Grants')
    await page.getByText('Support reads the secrets of production').waitFor()
    await sentence.waitFor({ state: 'detached' })
    await seat.close()
  })
})

it('a group of the sign-in says who chooses its members, and offers no button for it', async () => {
  await dashboard.service.ask('POST /groups', { name: 'platform-team', source: 'oidc' })
  const seat = await dashboard.open()
  const { page } = seat
  await seat.go('/members?view=groups')
  await press(page, 'platform-team')
  const drawer = page.getByRole('dialog', { name: 'platform-team' })
  await drawer.getByText('The sign-in chooses its members').waitFor()
  await drawer.getByText('Nobody yet.').waitFor()
  expect(await drawer.getByLabel('Add a person').count()).toBe(0)
  await seat.close()
})
