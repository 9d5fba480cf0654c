import { roles } from '@signalbox/contract'
import { endpoints, isWrite, type EndpointShape } from '@signalbox/contract/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mayDo } from './roles.ts'
import {
  bootstrapToken,
  openIdentityApp,
  password,
  type IdentityApp,
} from './testing/open-identity-app.ts'
import { mountOperatorEndpoints, operatorEndpoints } from './testing/operator-endpoints.ts'

let app: IdentityApp
let mine: string
let foreign: string
/** In `mine`; the role by name, a key by kind. */
const credentials = new Map<string, string>()

beforeAll(async () => {
  app = await openIdentityApp({ mount: mountOperatorEndpoints })
  mine = await app.addOrganization('Mine')
  foreign = await app.addOrganization('Foreign')
  for (const role of roles) {
    credentials.set(role, (await app.addPerson(`${role}-of-mine`, { [mine]: role })).token)
  }
  for (const kind of ['m2m', 'b2m'])
    credentials.set(kind, (await app.addKey(mine, { kind })).secret)
})
afterAll(() => app.close())

const absent = {
  key: 'key_01jd2m4x9k0000000000000000',
  user: 'usr_01jd2m4x9k0000000000000000',
  invitation: 'inv_01jd2m4x9k0000000000000000',
}

/** Every endpoint that stands below an organization. */
function organizationEndpoints(): readonly EndpointShape[] {
  return app.router.endpoints.filter(({ access }) => access.kind === 'organization')
}

/** Returns a request about `mine`, and in it about what does not exist. */
function requestOf({ method, path }: EndpointShape): string {
  const filled = path
    .replace('{org_id}', mine)
    .replace(/\{(?:key|agent_token|token)_id\}/, absent.key)
    .replace('{user_id}', absent.user)
    .replace('{invitation_id}', absent.invitation)
  return `${method} ${filled}`
}

it('an organization stays out of reach for a key although its maker is a member of both (OpenHands PR 13468)', async () => {
  const { token } = await app.addPerson('both', { [mine]: 'owner', [foreign]: 'owner' })
  const made = await app.ok(`POST /organizations/${mine}/api-keys`, {
    as: token,
    body: { name: 'made in mine', kind: 'm2m' },
  })
  const statuses = await Promise.all(
    [mine, foreign].map(async (org) => {
      return (await app.call(`GET /organizations/${org}`, { as: made.body.secret })).status
    }),
  )
  expect(statuses).toEqual([200, 404])
})

describe('roles', () => {
  it('are asked for by every endpoint as it declares', async () => {
    for (const endpoint of organizationEndpoints()) {
      if (endpoint.access.kind !== 'organization') continue
      const { role: needed } = endpoint.access
      for (const role of roles) {
        if (mayDo(role, needed)) continue
        const as = credentials.get(role) ?? ''
        const hasBody = endpoint.method !== 'GET' && endpoint.method !== 'DELETE'
        const answer = await app.call(requestOf(endpoint), { as, ...(hasBody && { body: {} }) })
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
      mount: mountOperatorEndpoints,
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
})

describe('what a person changes about the own credentials', () => {
  const code = '123456'
  const request = {
    responseType: 'code',
    clientId: 'https://assistant.invalid/client.json',
    redirectUri: 'http://localhost/callback',
  }
  it.each<[request: string, body?: object]>([
    ['POST /me/tokens', { name: 'laptop' }],
    ['PUT /me/password', { currentPassword: password, newPassword: 'another long passphrase' }],
    ['POST /me/second-factor'],
    ['POST /me/second-factor/confirm', { code }],
    ['DELETE /me/second-factor'],
    ['POST /me/oidc/link', {}],
    ['DELETE /me/oidc'],
    ['POST /oauth/authorize/review', request],
    ['POST /organizations/mine/agent-tokens', { name: 'claude' }],
    ['POST /organizations/mine/agent-tokens/allow', { request, scope: 'read' }],
  ])(
    'is refused to tokens, whose finder could keep the account, and to what is no person: %s',
    async (asked, body) => {
      const codes = []
      for (const as of [credentials.get('owner'), bootstrapToken, credentials.get('m2m')]) {
        codes.push((await app.call(asked, { as, body })).body.code)
      }
      expect(codes).toEqual(['session_required', 'role_forbidden', 'key_kind_forbidden'])
    },
  )
})

/** Lists what shows a secret once, and where it stands in the answer. */
const showing: readonly (readonly [request: string, body: object, field: string])[] = [
  ['POST /me/tokens', { name: 'once' }, 'secret'],
  ['POST /organizations/mine/agent-tokens', { name: 'once' }, 'secret'],
  ['POST /organizations/mine/api-keys', { name: 'once', kind: 'm2m' }, 'secret'],
  ['POST /organizations/mine/invitations', { email: 'once@example.com', role: 'viewer' }, 'url'],
]

describe('the answer to a repeat', () => {
  it.each(showing)(
    'says the same as the first, without its secret: %s',
    async (asked, body, field) => {
      const { userId } = await app.addPerson(`owner-of-${field}-${asked.length}`, {
        [mine]: 'owner',
      })
      const headers = {
        ...(await app.openBrowser(userId)),
        'idempotency-key': asked.replaceAll(' ', ''),
      }
      const first = await app.ok(asked, { body, headers })
      const again = await app.ok(asked, { body, headers })
      const { [field]: secret, ...rest } = first.body
      expect(secret).toEqual(expect.any(String))
      expect([again.status, again.body]).toEqual([first.status, rest])
      expect(again.headers.get('idempotency-replayed')).toBe('true')
    },
  )

  it('with another body is that the key was used, and nothing is made', async () => {
    const keys = '/organizations/mine/api-keys'
    const create = (name: string) => ({
      as: bootstrapToken,
      body: { name, kind: 'm2m' },
      headers: { 'idempotency-key': 'make-once' },
    })
    await app.ok(`POST ${keys}`, create('first of a repeat'))
    const { status, body } = await app.call(`POST ${keys}`, create('second of a repeat'))
    expect([status, body.code]).toEqual([422, 'idempotency_key_reused'])
    const names = (await app.ok(`GET ${keys}`, { as: bootstrapToken })).text
    expect(names).toContain('first of a repeat')
    expect(names).not.toContain('second of a repeat')
  })

  it('to the rotation of a key shows no secret either, and rotates it once', async () => {
    const key = await app.addKey(mine)
    const headers = { 'idempotency-key': 'rotate-once' }
    const rotate = () =>
      app.ok(`POST /organizations/mine/api-keys/${key.id}/rotate`, {
        as: bootstrapToken,
        body: { overlapSeconds: 0 },
        headers,
      })
    const { secret, ...rest } = (await rotate()).body
    expect((await rotate()).body).toEqual(rest)
    expect((await app.call('GET /me', { as: secret })).status).toBe(200)
  })
})

describe('without credentials', () => {
  it('every endpoint that needs some answers 401 before it reads the body (CVE-2025-61928)', async () => {
    const guarded = app.router.endpoints.filter(({ access }) => access.kind !== 'open')
    for (const endpoint of guarded) {
      const raw = '{"user_id":"usr_1","org_id":"org_1","role":"owner"'
      const answer = await app.call(requestOf(endpoint), endpoint.method === 'GET' ? {} : { raw })
      expect([endpoint.operationId, answer.status, answer.body.code]).toEqual([
        endpoint.operationId,
        401,
        'missing_credentials',
      ])
    }
  })
})
