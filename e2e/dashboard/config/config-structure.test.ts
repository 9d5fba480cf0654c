import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createConfigFixture, type ConfigFixture } from './config-fixture.ts'
import { look, lookEverywhere } from '../look.ts'
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

/** Adds a member who has never signed in. */
const addMember = (id: string, name: string) =>
  dashboard.service.asOwner(
    `with u as (insert into users (id, email, name) values ($2, $2, $3))
      insert into members (org_id, user_id, role) values ($1, $2, 'developer')`,
    [dashboard.service.orgId, id, name],
  )

interface Guarded {
  readonly protection: { readonly approvals: number }
}

describe('environments', () => {
  it('are made, protected, refuse what is not confirmed, and are deleted with their values', async () => {
    await seat.go('/environments?panel=create')
    const create = page.getByRole('dialog', { name: 'Create an environment' })
    await page.keyboard.type('preview')
    await create.getByLabel('A comment with the reason').check()
    await create.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'preview' }).waitFor()
    const { items } = await dashboard.service.ask<{ items: { id: string; name: string }[] }>(
      'GET /environments',
    )
    const preview = items.find(({ name }) => name === 'preview')?.id
    const write = { schemaId: places.schemaId, environmentId: preview, values: { searchV2: true } }
    await expect(dashboard.service.ask('PUT /config-values', write)).rejects.toThrow(
      'comment_required',
    )
    await dashboard.service.ask('PUT /config-values', { ...write, comment: 'to try it' })
    await page.getByRole('button', { name: 'Actions for preview' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete preview?' })
    await dialog.getByLabel('Why').fill('not used')
    await dialog.getByLabel('Type "preview" to confirm').fill('preview')
    await dialog.getByRole('button', { name: 'Delete environment' }).click()
    await dialog.getByLabel('Also delete its values').check()
    await seat.picture('environment-delete-light')
    await dialog.getByRole('button', { name: 'Delete environment' }).click()
    await page.getByText('preview was deleted.').waitFor()
    await page.getByRole('heading', { name: 'preview' }).waitFor({ state: 'detached' })
  })

  it('ask for approvals, name the field of a policy that nobody could meet, and keep who approves', async () => {
    const { ask } = dashboard.service
    const { id } = await ask<{ id: string }>('POST /environments', { name: 'approved' })
    await seat.go(`/environments?panel=edit&environment=${id}`)
    const dialog = page.getByRole('dialog', { name: 'Edit approved' })
    const approvals = dialog.getByLabel('Approvals', { exact: true })
    const save = dialog.getByRole('button', { name: 'Save' })
    expect(await dialog.getByText('Who approves').count()).toBe(0)
    await approvals.selectOption('3 people')
    await dialog.getByLabel('Who approves').selectOption('These people')
    expect(await save.isDisabled()).toBe(true)
    await dialog.getByLabel('Who approves').selectOption('People with these roles')
    await dialog.getByText('At least 4 people').waitFor()
    await save.click()
    await dialog.getByRole('alert').filter({ hasText: 'at least 4' }).waitFor()
    expect(await lookEverywhere(seat, 'environment-approvals')).toEqual([])
    expect((await ask<Guarded>(`GET /environments/${id}`)).protection.approvals).toBe(0)
    const ben = 'usr_00000000000000000000000b3n'
    await addMember(ben, 'Ben')
    await seat.load(`/environments?panel=edit&environment=${id}`)
    await approvals.selectOption('1 person')
    await dialog.getByLabel('Who approves').selectOption('These people')
    for (const person of ['Ada', 'Ben']) await dialog.getByLabel(person).check()
    await dialog.getByLabel('A decline blocks').uncheck()
    await dialog.getByLabel('Waits for approvals too').check()
    await save.click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('1 approval', { exact: true }).waitFor()
    const { protection } = await ask<Guarded>(`GET /environments/${id}`)
    expect(protection).toMatchObject({
      approvals: 1,
      approvers: { members: expect.arrayContaining([ben]) },
      declineBlocks: false,
      override: 'admin',
      killSwitches: 'approved',
    })
    // Otherwise each change of a schema waits for Ben.
    await dashboard.service.asOwner('update environments set approvals = 0 where id = $1', [id])
  })

  it('are unprotected only with the consent that they ask for', async () => {
    const production = places.environments['production']
    const read = () =>
      dashboard.service.ask<{ protection: { confirm: boolean } }>(`GET /environments/${production}`)
    await dashboard.service.ask(`PATCH /environments/${production}`, {
      protection: { confirm: true },
    })
    await seat.go(`/environments?panel=edit&environment=${production}`)
    const dialog = page.getByRole('dialog', { name: 'Edit production' })
    await dialog.getByLabel('The name of the environment').uncheck()
    const save = dialog.getByRole('button', { name: 'Save' })
    await expect.poll(() => save.isDisabled()).toBe(true)
    await dialog.getByLabel('Type "production" to confirm').fill('production')
    await save.click()
    await dialog.waitFor({ state: 'detached' })
    expect((await read()).protection.confirm).toBe(false)
    // Not enforced by the server any more: production is renamed only by whom types what it is called.
    await seat.go(`/environments?panel=edit&environment=${production}`)
    await dialog.getByLabel('Description').fill('What customers see')
    expect(await save.isDisabled()).toBe(false)
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('live')
    await expect.poll(() => save.isDisabled()).toBe(true)
    await dialog.getByLabel('Type "production" to confirm').fill('production')
    expect(await save.isDisabled()).toBe(false)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })
})

describe('a schema', () => {
  it('says what another definition would break, and changes nothing', async () => {
    await seat.go(`/schemas?schema=${places.schemaId}&view=change`)
    const field = page.getByLabel('Definition, as JSON')
    await field.fill('{ "apiUrl": { "type": "number", "tier": "public" } }')
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    const report = page.getByRole('list', { name: 'Problems' })
    await report.getByText('production').waitFor()
    await seat.picture('schema-broken-light')
    expect(await valueIn('production', 'apiUrl')).toBe('https://api.example.com')
    await field.fill('no JSON')
    expect(await page.getByRole('button', { name: 'Check', exact: true }).isDisabled()).toBe(true)
    expect(await seat.accessibilityViolations()).toEqual([])
  })

  it('is deleted with its values, by its name, and not without', async () => {
    const { id } = await dashboard.service.ask<{ id: string }>('POST /config-schemas', {
      name: 'worker',
      schema: { pageSize: { type: 'number', tier: 'public' } },
    })
    await dashboard.service.ask('PUT /config-values', {
      schemaId: id,
      environmentId: places.environments['development'],
      values: { pageSize: 20 },
    })
    await seat.go(`/schemas?schema=${id}&panel=delete`)
    const dialog = page.getByRole('dialog', { name: 'Delete worker?' })
    const remove = dialog.getByRole('button', { name: 'Delete schema' })
    expect(await remove.isDisabled()).toBe(true)
    await dialog.getByLabel('Type "worker" to confirm').fill('worker')
    await remove.click()
    await dialog.getByLabel('Also delete its values').check()
    expect(await look(seat, 'schema-delete-light')).toEqual([])
    await remove.click()
    await page.getByText('worker was deleted.').waitFor()
    await page.getByRole('heading', { name: 'Schemas', level: 1 }).waitFor()
    await expect(dashboard.service.ask(`GET /config-schemas/${id}`)).rejects.toThrow('404')
  })
})
