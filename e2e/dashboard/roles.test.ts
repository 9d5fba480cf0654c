import { pageIds, pages, roles, type PageId, type Role } from '@signalbox/contract'
import { endpoints, isWrite } from '@signalbox/contract/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createConfigFixture } from './config/config-fixture.ts'
import { openDashboard, type Dashboard } from './open-dashboard.ts'
import { addPerson } from './people/play-people.ts'
import { openPipeline } from './deployments/play-deployments.ts'

let dashboard: Dashboard
let deploymentId: string
const sessions = new Map<Role, string>()

beforeAll(async () => {
  dashboard = await openDashboard()
  await dashboard.service.connect('codehost')
  await createConfigFixture(dashboard.service)
  deploymentId = await openPipeline(dashboard.service).deploy()
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

/** Lists what can be done on each page, by the button or link that does it, with the least role that it is shown to. */
const actionsOf: Readonly<Record<PageId, readonly Action[]>> = {
  overview: [
    ['Audit log', 'admin'],
    ['Deployments', 'viewer'],
  ],
  deployments: [
    ['Run workflow', 'developer'],
    ['Sync now', 'developer'],
  ],
  environments: [
    ['Create environment', 'developer'],
    ['Actions for production', 'developer'],
  ],
  config: [
    ['Export', 'viewer'],
    ['Paste .env', 'developer'],
    ['Import', 'developer'],
    ['Promote', 'developer'],
    ['Reveal stripeSecretKey of production', 'developer'],
  ],
  segments: [['New segment', 'developer']],
  history: [],
  integrations: [
    ['Connect Jira', 'admin'],
    ['Connect Slack', 'admin'],
  ],
  webhooks: [['Replay failed', 'developer']],
  outgoing: [['New webhook', 'admin']],
  targets: [['New target', 'admin']],
  keys: [['New key', 'admin']],
  members: [['Invite', 'admin']],
  settings: [
    ['Save', 'admin'],
    ['Delete Acme', 'owner'],
  ],
  // Not looked at by role here. What the server refuses to each role, on every page, is below.
  timeline: [],
  flags: [],
  schemas: [],
  import: [],
  audit: [],
  deployment: [],
  integration: [],
  notifications: [],
  organizations: [],
  account: [],
  device: [],
  assistant: [],
  signIn: [],
  setup: [],
  invitation: [],
}
const actions = pageIds
  .filter((id) => actionsOf[id].length > 0)
  .map((id) => [id === 'overview' ? '' : pages[id].path, ...actionsOf[id]] as const)

/** Dialogs that an address opens, with the least role that they open for. */
const dialogs: readonly (readonly [path: () => string, least: Role])[] = [
  [() => '/deployments?run=true', 'developer'],
  [() => `/deployments/${deploymentId}?run=main`, 'developer'],
  [() => '/environments?panel=create', 'developer'],
  [() => '/config?panel=paste', 'developer'],
  [() => '/config?panel=export', 'viewer'],
  [() => '/config?panel=promote', 'developer'],
  [() => '/keys?new=true', 'admin'],
  [() => '/members?new=true', 'admin'],
]

describe.each(roles)('a member who is %s', (role) => {
  it('is shown what they may do, and nothing else', async () => {
    const seat = await dashboard.open({ session: sessionOf(role) })
    const shown = new Map<string, boolean>()
    for (const [path, ...named] of actions) {
      await seat.follow(path)
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
    const due = actions.flatMap(([path, ...named]) =>
      named.map(([name, least]) => [`${path}: ${name}`, may(role, least)] as const),
    )
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(due))
    expect(seat.complaints()).toEqual([])
    await seat.close()
  })

  it('opens by an address no dialog that a button would not open', async () => {
    const seat = await dashboard.open({ session: sessionOf(role) })
    for (const [path, least] of dialogs) {
      await seat.go(path())
      const dialog = seat.page.getByRole('dialog')
      if (may(role, least)) await dialog.waitFor()
      expect([path(), await dialog.count()]).toEqual([path(), may(role, least) ? 1 : 0])
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
