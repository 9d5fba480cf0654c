import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hashToken } from '../../crypto/tokens.ts'
import {
  cookieOf,
  openIdentityApp,
  password,
  type IdentityApp,
} from '../testing/open-identity-app.ts'

let app: IdentityApp
beforeAll(async () => {
  app = await openIdentityApp()
})
afterAll(() => app.close())
// As a server is before anybody has set it up.
beforeEach(() =>
  app.test.asOwner(`delete from setup; delete from members; delete from sessions; delete from users;
    delete from api_key_secrets; delete from api_keys; delete from environments; delete from data_keys;
    delete from organizations; delete from audit_events; delete from audit_chains`),
)

async function openLink(): Promise<string> {
  const link = await app.prepareSetup()
  return new URL(link ?? '').hash.replace('#token=', '')
}

const answersOf = (token: string) => ({
  token,
  name: 'Ada',
  email: ' Ada@Example.com ',
  password,
  organizationName: 'Acme Inc.',
})

describe('prepareSetup', () => {
  it('puts the token into the fragment, and stores only its hash', async () => {
    const link = (await app.prepareSetup()) ?? ''
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:4400\/setup#token=[\w-]{43}$/)
    const [row] = await app.test.asOwner<{ token_hash: Buffer }>('select * from setup')
    expect(row?.token_hash).toEqual(hashToken(link.split('=')[1] ?? ''))
    expect(JSON.stringify(row)).not.toContain(link.split('=')[1])
  })

  it('makes the link before void with each start, and none once somebody can sign in', async () => {
    const first = await openLink()
    const second = await openLink()
    expect((await app.call('POST /setup', { body: answersOf(first) })).body.code).toBe(
      'setup_forbidden',
    )
    expect((await app.call('POST /setup', { body: answersOf(second) })).status).toBe(201)
    expect(await app.prepareSetup()).toBeUndefined()
  })
})

describe('POST /setup', () => {
  it('takes no password that is guessed first, and says why at its field', async () => {
    const token = await openLink()
    const body = { ...answersOf(token), password: 'password1234' }
    const refused = await app.call('POST /setup', { body })
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/password'])
    expect(refused.body.detail).toContain('common passwords')
    // A person without a link learns nothing of the rules, and the link is still good.
    const stranger = await app.call('POST /setup', { body: { ...body, token: 'A'.repeat(43) } })
    expect(stranger.body.code).toBe('setup_forbidden')
  })

  it('makes the owner, the organization, three environments and, where it is asked for, a key of each kind, with an event of the organization and of each key', async () => {
    const token = await openLink()
    const body = { ...answersOf(token), withServerKey: true }
    const answer = await app.call('POST /setup', { body })
    const made = answer.body
    expect(answer.status).toBe(201)
    expect(made).toMatchObject({
      user: { name: 'Ada', email: 'ada@example.com' },
      organization: { slug: 'acme-inc', name: 'Acme Inc.' },
      environments: [{ name: 'development' }, { name: 'staging' }, { name: 'production' }],
      keys: [{ kind: 'm2m' }, { kind: 'b2m' }],
      configUrl: 'http://127.0.0.1:4401',
    })
    const events = await app.test.asOwner(
      'select org_id, action, actor, target, detail from audit_events order by sequence',
    )
    const reach = { environmentIds: null, schemaIds: null }
    const [m2m, b2m] = made.keys
    const [org_id, actor] = [made.organization.id, { id: made.user.id, name: 'Ada' }]
    expect(events).toMatchObject([
      { org_id, actor, action: 'org.created', target: { id: org_id, name: 'Acme Inc.' } },
      {
        org_id,
        actor,
        action: 'key.created',
        target: { id: m2m.id },
        detail: { kind: 'm2m', ...reach },
      },
      {
        org_id,
        actor,
        action: 'key.created',
        target: { id: b2m.id },
        detail: { kind: 'b2m', ...reach },
      },
    ])
    for (const { secret, kind } of made.keys) {
      const me = await app.ok('GET /me', { as: secret })
      expect(me.body).toMatchObject({ type: 'api_key', keyKind: kind })
    }
    const [dataKeys] = await app.test.asOwner('select count(*)::int from data_keys')
    expect(dataKeys).toEqual({ count: 1 })
  })

  it('makes no key that reads secrets unless it is asked for, and each ends after 90 days', async () => {
    const { body } = await app.ok('POST /setup', { body: answersOf(await openLink()) })
    expect(body.keys).toMatchObject([{ kind: 'b2m', name: 'First browser key' }])
    const [{ expiresAt, createdAt }] = body.keys
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(90 * 86_400_000)
  })

  it('signs the owner in', async () => {
    const answer = await app.ok('POST /setup', { body: answersOf(await openLink()) })
    const me = await app.ok('GET /me', { headers: { cookie: cookieOf(answer) } })
    expect(me.body).toMatchObject({ type: 'user', name: 'Ada', organizations: [{ role: 'owner' }] })
  })

  it('sets the server up once, and is closed afterwards, also for the right token', async () => {
    const token = await openLink()
    await app.ok('POST /setup', { body: answersOf(token) })
    const again = await app.call('POST /setup', { body: answersOf(token) })
    expect([again.status, again.body.code]).toEqual([410, 'setup_closed'])
  })

  it('lets one of many at once through', async () => {
    const token = await openLink()
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => app.call('POST /setup', { body: answersOf(token) })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 410, 410, 410, 410,
    ])
    const [users] = await app.test.asOwner('select count(*)::int from users')
    expect(users).toEqual({ count: 1 })
  })

  it('refuses another token, none, and a page of another site', async () => {
    const codeOf = async (token: string, headers = {}) =>
      (await app.call('POST /setup', { body: answersOf(token), headers })).body.code
    expect(await codeOf('x'.repeat(43))).toBe('setup_forbidden')
    const token = await openLink()
    for (const other of ['x'.repeat(43), '']) expect(await codeOf(other)).toBe('setup_forbidden')
    expect(await codeOf(token, { 'sec-fetch-site': 'cross-site' })).toBe('csrf_failed')
  })

  it('names each answer that is missing or too short, and makes nothing', async () => {
    const token = await openLink()
    const answer = await app.call('POST /setup', {
      body: { ...answersOf(token), password: 'short', email: 'no', role: 'owner' },
    })
    expect(answer.status).toBe(422)
    const pointers = answer.body.errors.map(({ pointer }: { pointer: string }) => pointer)
    expect(pointers.toSorted()).toEqual(['/email', '/password', '/role'])
    expect(answer.text).not.toContain('short')
    expect((await app.call('POST /setup', { body: answersOf(token) })).status).toBe(201)
  })
})
