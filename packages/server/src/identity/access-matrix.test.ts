import { isDeepStrictEqual } from 'node:util'
import { roles } from '@signalbox/contract'
import { endpoint, endpoints, isWrite, type EndpointShape } from '@signalbox/contract/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectNoEvent } from '../audit/testing/expect-audit.ts'
import { mayDo } from './roles.ts'
import {
  bootstrapToken,
  openIdentityApp,
  type Answer,
  type IdentityApp,
  type IdentityNode,
} from './testing/open-identity-app.ts'

/** Stand in for what only whoever runs the server may do. */
const operatorEndpoints = (['GET', 'PUT'] as const).map((method) =>
  endpoint({
    operationId: `${method.toLowerCase()}Server`,
    method,
    path: '/server',
    tag: 'Server',
    summary: 'Something of the server.',
    access: { kind: 'operator' },
    response: { status: 204 },
    topics: [],
    problems: [],
  }),
)

let app: IdentityApp
let mine: string
let foreign: string
/** In `mine`; the role by name, a key by kind. */
const credentials = new Map<string, string>()
let foreignKey: { id: string; secret: string }
let foreignBrowserKey: { id: string; secret: string }

beforeAll(async () => {
  app = await openIdentityApp({
    mount: (router) => {
      for (const each of operatorEndpoints) router.add(each, { handle: async () => undefined })
    },
  })
  mine = await app.addOrganization('Mine')
  foreign = await app.addOrganization('Foreign')
  for (const role of roles) {
    credentials.set(role, (await app.addPerson(`${role}-of-mine`, { [mine]: role })).token)
  }
  for (const kind of ['m2m', 'b2m'])
    credentials.set(kind, (await app.addKey(mine, { kind })).secret)
  foreignKey = await app.addKey(foreign)
  foreignBrowserKey = await app.addKey(foreign, { kind: 'b2m' })
})
afterAll(() => app.close())

const absent = {
  org: 'org_01jd2m4x9k0000000000000000',
  key: 'key_01jd2m4x9k0000000000000000',
  user: 'usr_01jd2m4x9k0000000000000000',
  invitation: 'inv_01jd2m4x9k0000000000000000',
}

/** Every endpoint that stands below an organization. */
function organizationEndpoints(): readonly EndpointShape[] {
  return app.router.endpoints.filter(({ access }) => access.kind === 'organization')
}

function requestOf({ method, path }: EndpointShape, org: string, key: string): string {
  const filled = path
    .replace('{org_id}', org)
    .replace('{key_id}', key)
    .replace('{agent_token_id}', key)
    .replace('{user_id}', absent.user)
    .replace('{invitation_id}', absent.invitation)
  return `${method} ${filled}`
}

const call = ({ method }: EndpointShape, request: string, as: string, node: Caller = app) =>
  node.call(request, { as, ...(method === 'GET' || method === 'DELETE' ? {} : { body: {} }) })

type Caller = Pick<IdentityNode, 'call'>

const callWith = (
  node: Caller,
  endpoint: EndpointShape,
  { org, key, as }: { readonly org: string; readonly key: string; readonly as: string },
) => call(endpoint, requestOf(endpoint, org, key), as, node)

/** Everything of an answer but what differs between any two requests. */
function bytesOf({ status, headers, text, body }: Answer) {
  const requestId: string = body?.instance ?? ''
  const kept = [...headers].filter(([name]) => name !== 'x-request-id')
  return { status, headers: kept, text: text.replace(requestId, 'req') }
}

const tables = [
  'organizations',
  'members',
  'invitations',
  'api_keys',
  'api_key_secrets',
  'agent_tokens',
  'users',
]

const tablesOfPeople = ['sessions', 'personal_access_tokens', 'second_factors', 'recovery_codes']

async function dumpTables(): Promise<string> {
  let dump = ''
  for (const table of [...tables, ...tablesOfPeople, 'data_keys', 'audit_events']) {
    dump += JSON.stringify(await app.test.asOwner(`select t::text from ${table} t order by 1`))
  }
  return dump
}

/** Other spellings of an organization that these credentials do not reach. */
const refsOf = (slug: string) => [foreign, slug, 'no-such-slug', 'ORG_1', '%20', 'mine%2f..']

/** The cases in which a foreign organization can be told from one that does not exist, and how many were tried. */
async function compareForeign(
  node: Caller,
  tried: Iterable<readonly [string, string]> = credentials,
) {
  const slug = (await app.ok(`GET /organizations/${foreign}`, { as: bootstrapToken })).body.slug
  const told: string[] = []
  let cases = 0
  for (const endpoint of organizationEndpoints()) {
    for (const [name, as] of tried) {
      const expected = await callWith(node, endpoint, { org: absent.org, key: absent.key, as })
      const refs = refsOf(slug)
      const answers = await Promise.all(
        refs.map((org) => callWith(node, endpoint, { org, key: foreignKey.id, as })),
      )
      const isTold = (answer: Answer) =>
        answer.status !== 404 || !isDeepStrictEqual(bytesOf(answer), bytesOf(expected))
      cases += answers.length
      told.push(
        ...refs
          .filter((_, index) => answers[index] !== undefined && isTold(answers[index]))
          .map((ref) => `${endpoint.operationId} as ${name} on ${ref}`),
      )
    }
  }
  return { told, cases }
}

describe('an organization that is foreign', () => {
  it('answers the same bytes as one that does not exist, to every credential on every endpoint (S2)', async () => {
    const before = await dumpTables()
    const { told, cases } = await compareForeign(app)
    expect(told).toEqual([])
    expect(cases).toBeGreaterThan(300)
    expect(await dumpTables()).toBe(before)
  })

  it('control: the comparison finds it when membership is not asked for', async () => {
    const open = await app.openNode({
      resolveOrganization: async (_actor, ref) => {
        const [found] = await app.test.asOwner<{ id: string; slug: string; name: string }>(
          'select id, slug, name from organizations where id = $1 or slug = $1',
          [ref],
        )
        return found && { organization: found, role: 'viewer' }
      },
    })
    // This node answers some calls late, so that all credentials would take half a minute.
    const owner = [['owner', credentials.get('owner') ?? '']] as const
    expect((await compareForeign(open, owner)).told.length).toBeGreaterThan(20)
  }, 120_000)

  it('stays out of reach for a key although its maker is a member of both (OpenHands PR 13468)', async () => {
    const { token } = await app.addPerson('both', { [mine]: 'owner', [foreign]: 'owner' })
    const made = await app.ok(`POST /organizations/${mine}/api-keys`, {
      as: token,
      body: { name: 'made in mine', kind: 'm2m' },
    })
    expect((await app.call(`GET /organizations/${mine}`, { as: made.body.secret })).status).toBe(
      200,
    )
    const other = await app.call(`GET /organizations/${foreign}`, { as: made.body.secret })
    expect(other.status).toBe(404)
  })
})

describe('a key id of another organization in a path of one’s own (Flagsmith PR 7945, CVE-2026-40264)', () => {
  it('answers the same bytes as an id that does not exist, and changes nothing', async () => {
    const owner = credentials.get('owner') ?? ''
    const nested = organizationEndpoints().filter(({ path }) => path.includes('{key_id}'))
    expect(nested.map(({ operationId }) => operationId)).toEqual([
      'getApiKey',
      'updateApiKey',
      'rotateApiKey',
      'pauseApiKey',
      'revokeApiKey',
    ])
    await expectNoEvent(app.test, async () => {
      for (const endpoint of nested) {
        const [one, two] = [
          await call(endpoint, requestOf(endpoint, mine, foreignKey.id), owner),
          await call(endpoint, requestOf(endpoint, mine, absent.key), owner),
        ]
        expect(one.status).toBe(404)
        expect(bytesOf(one)).toEqual(bytesOf(two))
      }
    })
    expect((await app.call('GET /me', { as: foreignKey.secret })).status).toBe(200)
  })
})

describe('roles', () => {
  it('are asked for by every endpoint as it declares', async () => {
    for (const endpoint of organizationEndpoints()) {
      if (endpoint.access.kind !== 'organization') continue
      const { role: needed } = endpoint.access
      for (const role of roles) {
        if (mayDo(role, needed)) continue
        const as = credentials.get(role) ?? ''
        const answer = await call(endpoint, requestOf(endpoint, mine, absent.key), as)
        expect([endpoint.operationId, role, answer.status, answer.body.code]).toEqual([
          endpoint.operationId,
          role,
          403,
          'role_forbidden',
        ])
      }
    }
  })

  it('of one organization mean nothing in another', async () => {
    const { token } = await app.addPerson('mixed', { [mine]: 'viewer', [foreign]: 'owner' })
    const rename = (org: string) =>
      app.call(`PATCH /organizations/${org}`, { as: token, body: { name: 'Renamed' } })
    expect((await rename(mine)).body.code).toBe('role_forbidden')
    expect((await rename(foreign)).status).toBe(200)
  })

  it('taken away are gone with the next request', async () => {
    const { token, userId } = await app.addPerson('leaver', { [mine]: 'admin' })
    expect((await app.call(`GET /organizations/${mine}`, { as: token })).status).toBe(200)
    await app.test.asOwner('delete from members where user_id = $1', [userId])
    expect((await app.call(`GET /organizations/${mine}`, { as: token })).status).toBe(404)
  })
})

describe('what is of the server', () => {
  const askAs = async (as: string) => {
    const answers = []
    for (const each of operatorEndpoints) {
      const answer = await app.call(`${each.method} ${each.path}`, { as })
      answers.push(answer.body?.code ?? answer.status)
    }
    return answers
  }

  it('is for the owners of the organization that the set-up made, and the bootstrap token; /me says who that is and where streams begin', async () => {
    for (const [name, as] of credentials) {
      const code = name.endsWith('2m') ? 'key_kind_forbidden' : 'role_forbidden'
      expect([name, await askAs(as)]).toEqual([name, [code, code]])
    }
    expect(await askAs(bootstrapToken)).toEqual([204, 204])
    await app.test.asOwner(
      `insert into setup (token_hash, completed_at, first_org_id) values ('\\x00', now(), $1)`,
      [mine],
    )
    const mayDoIt = []
    for (const role of roles) mayDoIt.push(await askAs(credentials.get(role) ?? ''))
    const refused = ['role_forbidden', 'role_forbidden']
    expect(mayDoIt).toEqual([[204, 204], refused, refused, refused])
    const other = await app.addPerson('owner-of-foreign', { [foreign]: 'owner' })
    expect(await askAs(other.token)).toEqual(refused)

    for (const [name, as] of [...credentials, ['bootstrap', bootstrapToken] as const]) {
      const { isOperator, lastEventId } = (await app.ok('GET /me', { as })).body
      expect([name, isOperator]).toEqual([name, name === 'owner' || name === 'bootstrap'])
      // Keys open no stream.
      expect([name, lastEventId]).toEqual([name, name.endsWith('2m') ? null : '100'])
    }
  })

  it('control: without the question everybody with a role in any organization may', async () => {
    const open = await app.openNode({
      isOperator: async () => true,
      mount: (router) => {
        for (const each of operatorEndpoints) router.add(each, { handle: async () => undefined })
      },
    })
    const as = credentials.get('viewer') ?? ''
    expect((await open.call('PUT /server', { as })).status).toBe(204)
  })
})

describe('a browser key (S3)', () => {
  it('may call nothing that is declared to write, at either address', () => {
    const every: readonly EndpointShape[] = Object.values(endpoints)
    const open = every.filter(
      ({ access }) => access.kind === 'organization' && access.keys === 'm2m+b2m',
    )
    expect(open.length).toBeGreaterThan(5)
    expect(open.filter(isWrite).map(({ operationId }) => operationId)).toEqual([])
  })

  it('writes nothing anywhere: 403 in its own organization, 404 in another', async () => {
    const before = await dumpTables()
    const own = credentials.get('b2m') ?? ''
    const writes = app.router.endpoints.filter(
      ({ method, access }) => method !== 'GET' && access.kind !== 'open',
    )
    expect(writes.length).toBeGreaterThan(8)
    for (const endpoint of writes) {
      const path = requestOf(endpoint, mine, absent.key).replace('{token_id}', absent.key)
      const answer = await call(endpoint, path, own)
      expect([endpoint.operationId, answer.status, answer.body.code]).toEqual([
        endpoint.operationId,
        403,
        'key_kind_forbidden',
      ])
      if (endpoint.access.kind !== 'organization') continue
      const other = await call(endpoint, path, foreignBrowserKey.secret)
      expect([endpoint.operationId, other.status]).toEqual([endpoint.operationId, 404])
    }
    expect(await dumpTables()).toBe(before)
  })

  it('control: the same writes by an admin change something', async () => {
    const before = await dumpTables()
    const as = credentials.get('admin') ?? ''
    const body = { name: 'written', kind: 'b2m' }
    await app.ok(`POST /organizations/${mine}/api-keys`, { as, body })
    expect(await dumpTables()).not.toBe(before)
  })
})

describe('without credentials', () => {
  it('every endpoint that needs some answers 401 before it reads the body (CVE-2025-61928)', async () => {
    const guarded = app.router.endpoints.filter(({ access }) => access.kind !== 'open')
    for (const endpoint of guarded) {
      const path = requestOf(endpoint, mine, foreignKey.id).replace('{token_id}', absent.key)
      const raw = '{"user_id":"usr_1","org_id":"org_1","role":"owner"'
      const answer = await app.call(path, endpoint.method === 'GET' ? {} : { raw })
      expect([endpoint.operationId, answer.status, answer.body.code]).toEqual([
        endpoint.operationId,
        401,
        'missing_credentials',
      ])
    }
  })
})

describe('a transaction without an organization or a person', () => {
  it('sees no row of anybody: an owner that is NULL owns nothing (GHSA-cq3f-vc6p-68fh)', async () => {
    const seen = (scope: { orgId: string | null; userId?: string | null }) =>
      app.test.store.transaction(scope, async (tx) => {
        const counts: number[] = []
        for (const table of ['organizations', 'members', 'api_keys', 'data_keys', 'audit_events']) {
          const text = `select count(*) as count from ${table}`
          const [row] = await tx.query<{ count: number }>({ name: '', text, values: [] })
          counts.push(row?.count ?? -1)
        }
        return counts
      })
    const nothing = [0, 0, 0, 0, 0]
    expect(await seen({ orgId: null })).toEqual(nothing)
    expect(await seen({ orgId: null, userId: null })).toEqual(nothing)
    expect(await seen({ orgId: '', userId: '' })).toEqual(nothing)
    expect(await seen({ orgId: 'org_none', userId: 'usr_none' })).toEqual(nothing)
    for (const count of await seen({ orgId: mine })) expect(count).toBeGreaterThan(0)
  })
})
