import { randomBytes } from 'node:crypto'
import { integrationKinds } from '@signalbox/contract/rest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestRouter } from '../http/testing/test-router.ts'
import { openTestStore, type TestStore } from '../store/testing/test-database.ts'
import { createOrganizationKeys } from '../vault/organization-keys.ts'
import { mountIntegrations } from './routes.ts'
import { toTestApp } from '../http/testing/test-app.ts'

const orgId = 'org_1'
const now = () => new Date()

let test: TestStore
let ask: (request: string) => Promise<Response>

beforeAll(async () => {
  test = await openTestStore()
  const router = createTestRouter({
    authenticate: () =>
      Promise.resolve({
        type: 'user',
        userId: 'usr_1',
        name: 'Ada',
        email: 'ada@example.com',
        via: 'token',
        manages: true,
        credentialId: 'pat_1',
      }),
    resolveOrganization: () =>
      Promise.resolve({ organization: { id: orgId, slug: 'acme', name: 'Acme' }, role: 'admin' }),
  })
  const { store } = test
  mountIntegrations(router, {
    store,
    keys: createOrganizationKeys({ store, rootKeys: () => [], now }),
    connectorOf: () => undefined,
    stateKey: randomBytes(32),
    publicUrl: () => 'http://127.0.0.1:4400',
    emit: () => Promise.resolve(),
    holdAdmin: () => Promise.resolve(undefined),
    findMember: () => Promise.resolve(undefined),
    now,
  })
  const server = toTestApp(router.build())
  ask = async (request) => {
    const [method = '', path = ''] = request.split(' ')
    return server.request(`/organizations/${orgId}/integrations${path}`, { method })
  }
})
afterAll(() => test?.close())

describe('a server without applications at the providers', () => {
  it.each(integrationKinds)('says so of %s, and sends nobody there', async (kind) => {
    const answer = await ask(`GET /${kind}/oauth/authorize`)
    const problem = await answer.json()
    expect(problem).toMatchObject({ status: 409, code: 'provider_not_set_up' })
    expect(answer.headers.get('set-cookie')).toBe(null)
    expect(await test.asOwner('select * from oauth_states')).toEqual([])
  })

  it('says so as well of a provider that is named, and refuses a name that is none', async () => {
    const named = await ask('GET /chat/oauth/authorize?provider=slack')
    expect(await named.json()).toMatchObject({ status: 409, code: 'provider_not_set_up' })
    const unknown = await ask('GET /chat/oauth/authorize?provider=nobody')
    expect(await unknown.json()).toMatchObject({
      status: 400,
      code: 'invalid_query',
      detail: expect.stringMatching(/^No chat is called nobody\. Use one of .*slack.*\.$/),
    })
  })

  it('knows no other kinds', async () => {
    for (const kind of ['github', 'codehost%20', 'CHAT', '__proto__']) {
      expect((await ask(`GET /${kind}/oauth/authorize`)).status).toBe(404)
      for (const method of ['GET', 'DELETE', 'PATCH']) {
        expect((await ask(`${method} /${kind}`)).status).toBe(404)
      }
    }
    const other = await ask('PATCH /codehost')
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'DELETE'])
  })
})
