import { pageIds, roles, type PageId, type Role } from '@signalbox/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFurnished, type Furnished } from './furnished.ts'
import { isNight } from '../is-night.ts'
import { addPerson } from './people/play-people.ts'

let dashboard: Furnished
const sessions = new Map<Role, string>()
const ids = { key: '', member: '' }

beforeAll(async () => {
  dashboard = await openFurnished()
  for (const role of roles) {
    const email = `grace.${role}@example.com`
    sessions.set(role, (await addPerson(dashboard, { name: 'Grace', role, email })).session)
  }
  // Nobody changes the role of oneself.
  await addPerson(dashboard, { name: 'Otto', role: 'developer' })
  const { ask } = dashboard.service
  const keys = await ask<{ items: { id: string; name: string }[] }>('GET /api-keys')
  ids.key = keys.items.find(({ name }) => name === 'ci')?.id ?? ''
  const members = await ask<{ items: { userId: string; name: string }[] }>('GET /members')
  ids.member = members.items.find(({ name }) => name === 'Otto')?.userId ?? ''
})
afterAll(() => dashboard.close())

const sessionOf = (role: Role) => sessions.get(role) ?? ''
/** `roles` has the mightiest first. */
const may = (role: Role, least: Role) => roles.indexOf(role) <= roles.indexOf(least)

/** Tells whether a role is the least that may, or the one below it: a wrong limit shows there first. At night each role is. */
const isNear = (role: Role, least: Role) =>
  isNight || [0, 1].includes(roles.indexOf(role) - roles.indexOf(least))

type Action = readonly [name: string, least: Role]

/**
 * Lists what can be done on each screen of each page, by the button or link that does it, with the least role that it is shown to.
 * `{deployment}`, `{schema}`, `{target}`, `{request}`, `{check}` and `{decision}` stand for ids.
 */
const actionsOf: Readonly<Record<PageId, Readonly<Record<string, readonly Action[]>>>> = {
  overview: {
    '': [
      ['Audit log', 'admin'],
      ['Deployments', 'viewer'],
    ],
  },
  deployments: {
    '/deployments': [
      ['Run workflow', 'developer'],
      ['Sync now', 'developer'],
    ],
  },
  deployment: {
    '/deployments/{deployment}': [
      ['Run tests again', 'developer'],
      ['Sync now', 'developer'],
    ],
  },
  check: { '/deployments/checks/{check}': [['All commit checks', 'viewer']] },
  gates: {
    '/gates': [
      ['New gate', 'admin'],
      ['Actions for Production', 'admin'],
    ],
  },
  gateDecision: {
    '/gates/{decision}': [
      ['Approve', 'developer'],
      ['Refuse', 'admin'],
      ['Let it go on', 'admin'],
    ],
  },
  environments: {
    '/environments': [
      ['Create environment', 'developer'],
      ['Actions for production', 'developer'],
    ],
  },
  timeline: { '/timeline': [['Restore version 1…', 'developer']] },
  config: {
    '/config': [
      ['Export', 'viewer'],
      ['Paste .env', 'developer'],
      ['Import', 'developer'],
      ['Promote', 'developer'],
      ['Reveal stripeSecretKey of production', 'developer'],
    ],
  },
  flags: { '/flags': [['Add flag', 'developer']] },
  segments: {
    '/segments': [['New segment', 'developer']],
    '/segments?segment=staff': [
      ['Edit segment', 'developer'],
      ['Delete segment', 'admin'],
    ],
  },
  schemas: {
    '/schemas': [['New schema', 'developer']],
    '/schemas?schema={schema}': [
      ['Values', 'viewer'],
      ['Import', 'developer'],
    ],
  },
  import: { '/schemas/{schema}/import': [['Schemas', 'viewer']] },
  // Restoring begins with a choice of versions, which its own tests make.
  history: { '/history': [] },
  requests: { '/requests?view=all': [['Say good morning', 'viewer']] },
  request: {
    '/requests/{request}': [
      ['Apply now', 'developer'],
      ['Actions for request 1', 'developer'],
    ],
  },
  integrations: { '/integrations': [['Manage', 'viewer']] },
  integration: {
    '/integrations/codehost': [
      ['Disconnect', 'admin'],
      ['Add a rule', 'admin'],
    ],
    '/integrations/tracker': [
      ['Disconnect', 'admin'],
      ['Sync now', 'developer'],
    ],
    '/integrations/chat': [
      ['Disconnect', 'admin'],
      ['Choose a channel', 'admin'],
    ],
  },
  notifications: { '/notifications': [['New route', 'developer']] },
  webhooks: { '/webhooks': [['Replay failed', 'developer']] },
  outgoing: { '/outgoing-webhooks': [['New webhook', 'admin']] },
  signals: { '/signals': [['New signal', 'admin']] },
  targets: {
    '/targets': [['New target', 'admin']],
    '/targets?target={target}': [['Actions for Workflows of the shop', 'admin']],
  },
  keys: { '/keys': [['New key', 'admin']] },
  members: {
    '/members': [['Invite', 'admin']],
    '/members?view=groups': [['New group', 'admin']],
    '/members?view=grants': [['New grant', 'admin']],
  },
  audit: { '/audit': [['Check the chain', 'admin']] },
  settings: {
    '/settings': [
      ['Save', 'admin'],
      ['Delete Acme', 'owner'],
    ],
  },
  // These belong to a person or to nobody, and know no role.
  organizations: {},
  account: {},
  device: {},
  assistant: {},
  signIn: {},
  setup: {},
  invitation: {},
}
const actions = pageIds.flatMap((id) => Object.entries(actionsOf[id]))

/** Dialogs that an address opens, with the least role that they open for. `{key}` and `{member}` stand for ids. */
const dialogs: readonly (readonly [path: string, least: Role, name?: string])[] = [
  ['/deployments?run=true', 'developer'],
  ['/deployments/{deployment}?run=main', 'developer'],
  ['/environments?panel=create', 'developer'],
  ['/gates?gate=new', 'admin', 'New gate'],
  ['/gates/{decision}?panel=approve', 'developer', 'Approve'],
  ['/gates/{decision}?panel=override', 'admin', 'Let'],
  ['/gates/{decision}?panel=refuse', 'admin', 'Refuse'],
  ['/config?panel=paste', 'developer'],
  ['/config?panel=export', 'viewer'],
  ['/config?panel=promote', 'developer'],
  ['/keys?new=true', 'admin'],
  ['/keys?key={key}&panel=change', 'admin', 'Change ci'],
  ['/keys?key={key}&panel=rotate', 'admin', 'Rotate ci'],
  ['/keys?panel=agent', 'viewer', 'New agent token'],
  ['/members?new=true', 'admin'],
  ['/members?view=groups&new=true', 'admin', 'New group'],
  ['/members?view=grants&new=true', 'admin', 'New grant'],
  ['/members?member={member}&panel=access', 'viewer', 'Otto'],
  ['/members?member={member}&panel=role', 'admin', 'Change the role of Otto'],
  ['/integrations/chat?panel=channel', 'admin', 'Default channel'],
  ['/integrations/codehost?panel=rule&of=preview%2F*', 'admin', 'Map an environment'],
  ['/integrations/codehost?panel=tests', 'admin', 'Test deployments with a workflow'],
  ['/integrations/codehost?panel=run', 'developer', 'Run a workflow'],
]

/** A developer may do more than a viewer and less than an admin: by day that is shown. */
describe.each(isNight ? roles : (['developer'] as const))('a member who is %s', (role) => {
  it('is shown what they may do, and nothing else', async () => {
    const seat = await dashboard.open({ session: sessionOf(role) })
    const shown = new Map<string, boolean>()
    const near = actions
      .map(([path, named]) => [path, named.filter(([, least]) => isNear(role, least))] as const)
      .filter(([, named]) => named.length > 0)
    expect(near).not.toEqual([])
    for (const [path, named] of near) {
      await dashboard.visit(seat, { path, of: 'organization' })
      for (const [name, least] of named) {
        const options = { name, exact: true }
        const action = seat.page
          .getByRole('button', options)
          .or(seat.page.getByRole('link', options))
          .first()
        if (may(role, least)) await action.waitFor()
        shown.set(`${path}: ${name}`, await action.isVisible())
      }
    }
    const due = near.flatMap(([path, named]) =>
      named.map(([name, least]) => [`${path}: ${name}`, may(role, least)] as const),
    )
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(due))
  })

  it('opens by an address each dialog that a button would open, leaves it with the dialog, and opens no other', async () => {
    const seat = await dashboard.open({ session: sessionOf(role) })
    const { page } = seat
    for (const [address, least, name = ''] of dialogs) {
      if (!isNear(role, least)) continue
      const path = address.replace('{key}', ids.key).replace('{member}', ids.member)
      await dashboard.visit(seat, { path, of: 'organization' })
      const dialog = page.getByRole('dialog', { name })
      const opens = may(role, least)
      if (opens) await dialog.waitFor()
      expect([path, await dialog.count()]).toEqual([path, opens ? 1 : 0])
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      const left = opens ? new URL(page.url()).search : ''
      expect([path, left]).toEqual([path, ''])
    }
  })
})

it.each([
  ['New personal access token', '/account?new=true'],
  ['New organization', '/orgs?new=true'],
])('an address opens what is no matter of a role: %s', async (name, path) => {
  const seat = await dashboard.open()
  await dashboard.visit(seat, { path, of: 'person' })
  await seat.page.getByRole('dialog', { name }).waitFor()
  expect(seat.complaints()).toEqual([])
})

it('an address brings what its dialog begins with', async () => {
  const seat = await dashboard.open()
  await seat.go('/integrations/codehost?panel=rule&of=preview%2F*')
  const field = seat.page.getByRole('dialog').getByLabel('Name on GitHub')
  await expect.poll(() => field.inputValue()).toBe('preview/*')
})
