import { pageIds, roles, type PageId, type Role } from '@signalbox/contract'
import { endpoints, isWrite } from '@signalbox/contract/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFurnished, type Furnished } from './furnished.ts'
import { addPerson } from './people/play-people.ts'

let dashboard: Furnished
const sessions = new Map<Role, string>()

beforeAll(async () => {
  dashboard = await openFurnished()
  for (const role of roles) {
    const email = `grace.${role}@example.com`
    sessions.set(role, (await addPerson(dashboard, { name: 'Grace', role, email })).session)
  }
})
afterAll(() => dashboard.close())

const sessionOf = (role: Role) => sessions.get(role) ?? ''
/** `roles` has the mightiest first. */
const may = (role: Role, least: Role) => roles.indexOf(role) <= roles.indexOf(least)

type Action = readonly [name: string, least: Role]

/**
 * Lists what can be done on each screen of each page, by the button or link that does it, with the least role that it is shown to.
 * `{deployment}`, `{schema}` and `{target}` stand for ids.
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
  targets: {
    '/targets': [['New target', 'admin']],
    '/targets?target={target}': [['Actions for Workflows of the shop', 'admin']],
  },
  keys: { '/keys': [['New key', 'admin']] },
  members: { '/members': [['Invite', 'admin']] },
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

/** Dialogs that an address opens, with the least role that they open for. */
const dialogs: readonly (readonly [path: string, least: Role])[] = [
  ['/deployments?run=true', 'developer'],
  ['/deployments/{deployment}?run=main', 'developer'],
  ['/environments?panel=create', 'developer'],
  ['/config?panel=paste', 'developer'],
  ['/config?panel=export', 'viewer'],
  ['/config?panel=promote', 'developer'],
  ['/keys?new=true', 'admin'],
  ['/members?new=true', 'admin'],
]

describe.each(roles)('a member who is %s', (role) => {
  it('is shown what they may do, and nothing else', async () => {
    const seat = await dashboard.open({ session: sessionOf(role) })
    const shown = new Map<string, boolean>()
    for (const [path, named] of actions) {
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
    const due = actions.flatMap(([path, named]) =>
      named.map(([name, least]) => [`${path}: ${name}`, may(role, least)] as const),
    )
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(due))
    expect(seat.complaints()).toEqual([])
    await seat.close()
  })

  it('opens by an address no dialog that a button would not open', async () => {
    const seat = await dashboard.open({ session: sessionOf(role) })
    for (const [path, least] of dialogs) {
      await dashboard.visit(seat, { path, of: 'organization' })
      const dialog = seat.page.getByRole('dialog')
      if (may(role, least)) await dialog.waitFor()
      expect([path, await dialog.count()]).toEqual([path, may(role, least) ? 1 : 0])
    }
    await seat.close()
  })
})

/** Every endpoint that changes something of an organization, with the least role that may. */
const writes = Object.values(endpoints).flatMap((endpoint) =>
  endpoint.access.kind === 'organization' && isWrite(endpoint)
    ? [{ endpoint, least: endpoint.access.role }]
    : [],
)

describe('the server', () => {
  it.each(roles.slice(1))('refuses a %s what the dashboard does not show them', async (role) => {
    const { apiUrl, orgId } = dashboard.service
    const refused = writes.filter(({ least }) => !may(role, least))
    expect(refused.length).toBeGreaterThan(0)
    const answers = await Promise.all(
      refused.map(async ({ endpoint: { method, path } }) => {
        const filled = path
          .replace('{org_id}', orgId)
          .replace('{kind}', 'codehost')
          .replaceAll(/\{\w+\}/g, '0198b6a0-0000-7000-8000-000000000000')
        const answer = await fetch(apiUrl + filled, {
          method,
          headers: {
            cookie: sessionOf(role),
            origin: apiUrl,
            'x-requested-by': 'dashboard',
            'content-type': 'application/json',
          },
          ...(method !== 'DELETE' && { body: '{}' }),
        })
        const { code } = await answer.json()
        return `${method} ${path}: ${answer.status} ${code}`
      }),
    )
    expect(answers).toEqual(
      refused.map(({ endpoint: { method, path } }) => `${method} ${path}: 403 role_forbidden`),
    )
  })
})
