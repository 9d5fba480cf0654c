import { unprotected } from '@signalbox/contract'
import { describe, expect, it } from 'vitest'
import type { Api } from '../api/api.ts'
import { compareFile } from './compare.ts'
import { exportFile } from './export-file.ts'
import { checkValue } from './check-value.ts'
import { fileSchema } from './file-schema.ts'
import { kinds } from './kinds.ts'
import type { Violation } from './violation.ts'
import type { Declaration } from './read-file.ts'
import { parse } from 'yaml'
import { createWorld } from './world.ts'
import type { Send } from './kind.ts'
import { writePlan } from './write-plan.ts'

const environments = [
  { id: 'env_1', name: 'staging', description: '', production: false, parentId: null },
  { id: 'env_2', name: 'production', description: '', production: true, parentId: null },
].map((each) => ({ ...each, protection: unprotected }))
const ada = 'usr_00000000000000000000000001'
const codehost = {
  repositories: [
    { id: '7', fullName: 'acme/shop', tracked: true },
    { id: '8', fullName: 'acme/web', tracked: false },
  ],
  environmentMap: [
    { pattern: 'preview/*', environmentId: null },
    { pattern: 'prod*', repositoryId: '7', environmentId: 'env_2' },
  ],
  testWorkflows: [
    {
      workflowId: 'e2e.yml',
      environmentIds: ['env_1'],
      debounceSeconds: 10,
      deadlineMinutes: 60,
    },
  ],
}
const route = {
  id: 'rte_1',
  name: 'Deploys',
  channelId: 'C1',
  channelName: 'deploys',
  match: { environmentIds: ['env_2'], repositories: null, branches: null, states: 'failures' },
  events: ['deployment'],
  broadcastFailures: true,
}

const target = {
  id: 'tgt_1',
  name: 'Workflows',
  schemaId: 'sch_1',
  schema: 'web',
  environmentId: 'env_2',
  environment: 'production',
  provider: 'github',
  providerName: 'GitHub',
  destination: { repository: 'acme/shop', environment: 'live' },
  tiers: ['secret'],
  keys: [],
  prefix: '',
}
const targetProviders = [
  { provider: 'github', displayName: 'GitHub', access: 'integration' },
  { provider: 'vercel', displayName: 'Vercel', access: 'token' },
]

/** Carries every change out: nobody has to approve it. */
const send: Send = async ({ call }) => {
  await call({})
  return true
}

type Sent = readonly [operation: string, body: unknown]

/** An organization with GitHub and Slack. It answers what it holds, and keeps what is sent. */
function openWorld(routes: readonly object[] = [route]) {
  const sent: Sent[] = []
  let host = codehost
  async function call(operation: string, { body }: { readonly body?: unknown } = {}) {
    if (operation === 'getCodehost') return host
    if (operation === 'listTargetProviders') return { items: targetProviders }
    if (operation === 'listChannels') {
      return { items: [{ id: 'C2', name: 'alerts', isArchived: false }] }
    }
    sent.push([operation, body])
    return {}
  }
  const api = {
    serverUrl: 'https://signalbox.example.com',
    environments: async () => environments,
    environment: async (_org: string, name: string) =>
      environments.find((each) => each.name === name),
    members: async () => [{ userId: ada, email: 'ada@example.com' }],
    notificationRoutes: async () => routes,
    outgoingWebhooks: async () => [],
    targets: async () => [target],
    schemas: async () => [{ id: 'sch_1', name: 'web' }],
    findSchema: async () => ({ id: 'sch_1', name: 'web' }),
    call,
    callPlainly: call,
  }
  // The kinds call nothing else of it.
  const world = createWorld(api as unknown as Api, 'org_1', [])
  return {
    world,
    sent,
    change: (changed: Partial<typeof codehost>) => (host = { ...host, ...changed }),
  }
}

/** Reads a file as the command does, without its places. */
function declare(text: string): Declaration {
  const content = parse(text) as Record<string, unknown>
  expect(checkValue(fileSchema, content)).toEqual([])
  return {
    name: 'signalbox.yaml',
    members: kinds.flatMap((kind) => {
      const value = content[kind.member]
      const { keyOf = String, member } = kind
      if (value === undefined) return []
      const entries: [string, unknown, string | number][] = Array.isArray(value)
        ? value.map((item: unknown, at) => [keyOf(item), item, at])
        : Object.entries(value as object).map(([key, item]) => [key, item, key])
      const declared = entries.map(([key, item, at]) => ({
        key,
        fields: (typeof item === 'object' ? item : {}) as Record<string, unknown>,
        path: [member, at],
      }))
      return [{ kind, declared }]
    }),
    refuse: (violations: readonly Violation[]) => {
      throw new Error(violations.map(({ message }) => message).join('\n'))
    },
  }
}

async function applyTo(open: ReturnType<typeof openWorld>, text: string, prune = false) {
  const { world, sent } = open
  const plans = await compareFile(world, declare(`version: 1\n${text}`), prune)
  await writePlan({ world, send }, plans, () => undefined)
  return sent
}

describe('the file of an organization with GitHub and Slack', () => {
  it('declares all of it, and has nothing to do', async () => {
    const open = openWorld()
    const { text, unread } = await exportFile(open.world)
    expect(unread).toEqual([])
    expect(text).toContain('channel: C1 # #deploys\n')
    expect(text).toContain('repository: acme/shop\n')
    for (const prune of [false, true]) {
      const plans = await compareFile(open.world, declare(text), prune)
      expect(plans.map(({ steps, isReordered }) => [steps, isReordered])).toEqual(
        plans.map(() => [[], false]),
      )
    }
  })
})

describe('the approvals of an environment', () => {
  const approvals = (members: string) =>
    `environments: { production: { protection: { ${members} } } }`

  it('are declared by roles or by email addresses, and stay where the file leaves them out', async () => {
    expect(await applyTo(openWorld(), approvals('confirm: false'))).toEqual([])
    const protection = { ...unprotected, approvals: 2 }
    const file = approvals('approvals: 2, approvers: [Ada@example.com, usr_ben]')
    const ben = 'usr_00000000000000000000000002'
    expect(await applyTo(openWorld(), file.replace('usr_ben', ben))).toEqual([
      ['updateEnvironment', { protection: { ...protection, approvers: { members: [ada, ben] } } }],
    ])
    const all =
      'approvals: 2, approvers: [admin, owner], declineBlocks: false, override: nobody, killSwitches: approved'
    expect(await applyTo(openWorld(), approvals(all))).toEqual([
      [
        'updateEnvironment',
        {
          protection: {
            ...protection,
            approvers: { roles: ['admin', 'owner'] },
            declineBlocks: false,
            override: 'nobody',
            killSwitches: 'approved',
          },
        },
      ],
    ])
    // The order of roles has no meaning.
    const same = approvals('approvers: [owner, developer, admin]')
    expect(await applyTo(openWorld(), same)).toEqual([])
    const made = 'environments: { eu: { protection: { approvals: 1 } } }'
    expect(await applyTo(openWorld(), made)).toEqual([
      ['createEnvironment', { name: 'eu', protection: { approvals: 1 } }],
    ])
  })

  it.each([
    ['[admin, ada@example.com]', 'Name roles or members, not both.'],
    ['[eve@example.com]', 'There is no member "eve@example.com".'],
    ['[admn]', '"admn" is no role. Name a member by the email address.'],
  ])('are refused before anything is written: %s', async (approvers, message) => {
    const open = openWorld()
    await expect(applyTo(open, approvals(`approvers: ${approvers}`))).rejects.toThrow(message)
    expect(open.sent).toEqual([])
  })
})

describe('the rules of the environment map', () => {
  it('stand before those that the file does not name, which stay', async () => {
    const rules = 'environmentMap: [{ pattern: "prod*", environment: production }]'
    expect(await applyTo(openWorld(), rules)).toEqual([
      [
        'updateCodehost',
        {
          environmentMap: [
            { pattern: 'prod*', environmentId: 'env_2' },
            ...codehost.environmentMap,
          ],
        },
      ],
    ])
  })

  it('change places where the file has another order, and go with prune alone', async () => {
    const file = `environmentMap:
      - { pattern: "prod*", repository: acme/shop, environment: production }
      - { pattern: "preview/*", environment: null }`
    const [[, body] = []] = await applyTo(openWorld(), file)
    expect(body).toEqual({ environmentMap: codehost.environmentMap.toReversed() })
    const one = file.split('\n').slice(0, 2).join('\n')
    const [[, pruned] = []] = await applyTo(openWorld(), one, true)
    expect(pruned).toEqual({ environmentMap: codehost.environmentMap.slice(1) })
  })

  it('are not written over those that somebody has changed since the plan', async () => {
    const open = openWorld()
    const rules = 'version: 1\nenvironmentMap: [{ pattern: "prod*", environment: staging }]'
    const plans = await compareFile(open.world, declare(rules), false)
    open.change({ environmentMap: [] })
    const writing = writePlan({ world: open.world, send }, plans, () => undefined)
    await expect(writing).rejects.toMatchObject({ code: 'changed_meanwhile' })
    expect(open.sent).toEqual([])
  })
})

describe('targets', () => {
  const at = 'schema: web, environment: production'
  const there = `${at}, provider: github, destination: { repository: acme/shop }`

  it('are created and changed, and keep the names that they wrote when they are deleted', async () => {
    const file = `
targets:
  Workflows: { ${there}, keys: [apiUrl] }
  Variables: { ${at}, provider: github, destination: { repository: acme/web }, tiers: [public] }`
    const selection = { keys: [], prefix: '' }
    expect(await applyTo(openWorld(), file)).toEqual([
      ['updateTarget', { ...selection, tiers: ['secret'], keys: ['apiUrl'] }],
      [
        'createTarget',
        {
          ...selection,
          name: 'Variables',
          schemaId: 'sch_1',
          environmentId: 'env_2',
          provider: 'github',
          destination: { repository: 'acme/web' },
          tiers: ['public'],
        },
      ],
    ])
    expect(await applyTo(openWorld(), 'targets: {}')).toEqual([])
    const [[operation] = []] = await applyTo(openWorld(), 'targets: {}', true)
    expect(operation).toBe('deleteTarget')
  })

  it.each([
    [`Workflows: { ${there.replace('production', 'staging')} }`, 'The environment of a target can'],
    [`Workflows: { ${there.replace('acme/shop', 'acme/web')} }`, 'The destination.repository of'],
    [`New: { ${there} }`, 'Choose at least one'],
    [`New: { ${there.replace('web', 'wbe')}, tiers: [secret] }`, 'no schema "wbe"'],
    [`New: { ${there.replace('github', 'gitlab')}, tiers: [secret] }`, 'one of github, vercel'],
    [`New: { ${there.replace('github', 'vercel')}, tiers: [secret] }`, 'a token of Vercel'],
  ])('are refused before anything is written: %s', async (wrong, message) => {
    const open = openWorld()
    await expect(applyTo(open, `targets: { ${wrong} }`)).rejects.toThrow(message)
    expect(open.sent).toEqual([])
  })
})

describe('repositories, workflows and routes', () => {
  it('are tracked, changed and created by names, and refused where the name is unknown', async () => {
    const file = `
repositories: [acme/web]
testWorkflows: [{ workflow: e2e.yml, environments: [production], deadlineMinutes: 30 }]
notificationRoutes:
  Deploys: { channel: "#deploys", events: [deployment], states: always }
  Alerts: { channel: "#alerts", events: [integration_attention] }`
    const match = { environmentIds: ['env_2'], repositories: null, branches: null }
    expect(await applyTo(openWorld(), file)).toEqual([
      ['updateCodehost', { repositories: [{ id: '8', tracked: true }] }],
      [
        'updateCodehost',
        {
          testWorkflows: [
            {
              workflowId: 'e2e.yml',
              environmentIds: ['env_2'],
              debounceSeconds: 10,
              deadlineMinutes: 30,
            },
          ],
        },
      ],
      // The channel stays, so the chat is not asked again.
      [
        'updateNotificationRoute',
        { match: { ...match, states: 'always' }, events: ['deployment'], broadcastFailures: true },
      ],
      [
        'createNotificationRoute',
        {
          name: 'Alerts',
          channelId: 'C2',
          match: { ...match, environmentIds: null, states: 'always' },
          events: ['integration_attention'],
          broadcastFailures: false,
        },
      ],
    ])
    for (const [wrong, message] of [
      ['repositories: [acme/wbe]', 'Did you mean "acme/web"?'],
      ['notificationRoutes: { X: { channel: "#x", events: [deployment] } }', 'no channel "#x"'],
      ['environmentMap: [{ pattern: x, environment: stagin }]', 'Did you mean "staging"?'],
    ] as const) {
      await expect(applyTo(openWorld(), wrong)).rejects.toThrow(message)
    }
  })

  it('with one name twice are refused, because the file can mean only one', async () => {
    const twice = openWorld([route, { ...route, id: 'rte_2' }])
    const file = 'notificationRoutes: { Deploys: { channel: C1, events: [deployment] } }'
    await expect(applyTo(twice, file)).rejects.toMatchObject({ code: 'ambiguous_name' })
    // A file with one of the two would be applied to both.
    await expect(exportFile(twice.world)).rejects.toMatchObject({ code: 'ambiguous_name' })
  })
})
