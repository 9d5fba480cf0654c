import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectAll } from '../../packages/server/src/start/testing/connect-organization.ts'
import { openShop } from '../../packages/server/src/start/testing/play-push.ts'
import { openDashboard, type Dashboard, type Seat } from './open-dashboard.ts'
import { settle } from './page/settle.ts'
import { addPerson, type Person } from './people/play-people.ts'

let dashboard: Dashboard
let seat: Seat
let viewer: Person
const ids = { key: '', member: '' }

beforeAll(async () => {
  dashboard = await openDashboard()
  const { service } = dashboard
  openShop(service.sandbox)
  await connectAll(service)
  viewer = await addPerson(dashboard, { name: 'Vera', role: 'viewer' })
  // Nobody changes the role of oneself.
  await addPerson(dashboard, { name: 'Otto', role: 'developer' })
  const { items } = await service.ask<{ items: { userId: string; name: string }[] }>('GET /members')
  ids.member = items.find(({ name }) => name === 'Otto')?.userId ?? ''
  const created = await service.ask<{ id: string }>('POST /api-keys', {
    name: 'ci',
    kind: 'm2m',
  })
  ids.key = created.id
  seat = await dashboard.open()
}, 120_000)
afterAll(() => dashboard.close())

const links: readonly (readonly [dialog: string, path: (of: typeof ids) => string])[] = [
  ['Change ci', ({ key }) => `/acme/keys?key=${key}&panel=change`],
  ['Rotate ci', ({ key }) => `/acme/keys?key=${key}&panel=rotate`],
  ['Change the role of Otto', ({ member }) => `/acme/members?member=${member}&panel=role`],
  ['Default channel', () => '/acme/integrations/chat?panel=channel'],
  ['Map an environment', () => '/acme/integrations/codehost?panel=rule&of=preview%2F*'],
  ['Test deployments with a workflow', () => '/acme/integrations/codehost?panel=tests'],
  ['Run a workflow', () => '/acme/integrations/codehost?panel=run'],
]

async function visit({ page }: Seat, path: string): Promise<void> {
  await page.goto(`${dashboard.service.apiUrl}${path}`)
  await settle(page)
}

describe('an address of what lies over a screen', () => {
  const forEveryone = [
    ['New agent token', () => '/acme/keys?panel=agent'],
    ['New personal access token', () => '/account?new=true'],
    ['New organization', () => '/orgs?new=true'],
  ] as const
  it.each([...links, ...forEveryone])(
    'opens it again for whoever is sent it, and is left with it: %s',
    async (name, path) => {
      await visit(seat, path(ids))
      const { page } = seat
      const dialog = page.getByRole('dialog', { name })
      await dialog.waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      expect(new URL(page.url()).search).toBe('')
      expect(seat.complaints()).toEqual([])
    },
  )

  it('brings what it begins with', async () => {
    await visit(seat, '/acme/integrations/codehost?panel=rule&of=preview%2F*')
    const dialog = seat.page.getByRole('dialog', { name: 'Map an environment' })
    await dialog.waitFor()
    expect(await dialog.getByLabel('Name on GitHub').inputValue()).toBe('preview/*')
  })

  it.each(links)('opens nothing for who may not do it: %s', async (_name, path) => {
    const other = await dashboard.open({ session: viewer.session })
    await visit(other, path(ids))
    await other.page.getByRole('heading', { level: 1 }).waitFor()
    expect(await other.page.getByRole('dialog').count()).toBe(0)
    await other.close()
  })
})
