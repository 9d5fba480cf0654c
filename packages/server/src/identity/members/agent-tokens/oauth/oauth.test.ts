import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectOneEvent } from '../../../../audit/testing/expect-audit.ts'
import { EgressError } from '../../../../egress/egress-error.ts'
import type { OutboundAnswer } from '../../../../egress/create-egress.ts'
import { anyReads, openIdentityApp, type IdentityApp } from '../../../testing/open-identity-app.ts'

const clientId = 'https://assistant.example/client.json'
const redirectUri = 'http://localhost/callback'
const verifier = 'v'.repeat(64)
const challenge = createHash('sha256').update(verifier).digest('base64url')
const publicUrl = 'http://127.0.0.1:4400'
const resource = `${publicUrl}/mcp`

/** Maps addresses to the answers of the hosts of assistants. */
const documents = new Map<string, () => Partial<OutboundAnswer>>()
let reads = 0

let app: IdentityApp
let org: string
let foreign: string
let ada: Awaited<ReturnType<IdentityApp['addPerson']>>
let browser: Readonly<Record<string, string>>

beforeAll(async () => {
  app = await openIdentityApp({
    egress: {
      request: (url) => {
        reads += 1
        const answer = documents.get(url)
        if (answer === undefined) return Promise.reject(new EgressError('connection', 'nowhere'))
        const headers = { 'content-type': 'application/json; charset=utf-8' }
        return Promise.resolve({ status: 200, headers, body: Buffer.alloc(0), ...answer() })
      },
      fetch: () => Promise.reject(new Error('Nobody fetches')),
    },
  })
  org = await app.addOrganization('Acme')
  foreign = await app.addOrganization('Foreign')
  ada = await app.addPerson('ada', { [org]: 'admin' })
  await app.setPolicies(org, { assistants: { ...anyReads, hosts: ['assistant.example'] } })
})
afterAll(() => app.close())

beforeEach(async () => {
  describeClient()
  browser = await app.openBrowser(ada.userId)
})

function describeClient(members: object = {}, at = clientId) {
  documents.set(at, () => ({ body: renderDocument(at, members) }))
}

function renderDocument(at: string, members: object = {}) {
  const content = {
    client_id: at,
    client_name: 'Some Assistant',
    redirect_uris: [redirectUri, 'https://assistant.example/callback'],
    token_endpoint_auth_method: 'none',
    ...members,
  }
  return Buffer.from(JSON.stringify(content))
}

const asked = (members: object = {}) => ({
  responseType: 'code',
  clientId,
  redirectUri: 'http://localhost:51234/callback',
  codeChallenge: challenge,
  codeChallengeMethod: 'S256',
  state: 'state of the assistant',
  scope: 'read write',
  resource,
  ...members,
})

const review = (members: object = {}, headers = browser) =>
  app.call('POST /oauth/authorize/review', { body: asked(members), headers })
const allow = (members: object = {}, { scope = 'read', at = org, headers = browser } = {}) =>
  app.call(`POST /organizations/${at}/agent-tokens/allow`, {
    body: { request: asked(members), scope },
    headers,
  })

/** Allows the assistant, and returns the code that its browser brings it. */
async function getCode(scope = 'read'): Promise<string> {
  const { status, text, body } = await allow({}, { scope })
  if (status !== 200) throw new Error(text)
  return new URL(body.redirectTo).searchParams.get('code') ?? ''
}

const form = (parameters: Readonly<Record<string, string>>) => ({
  raw: new URLSearchParams(parameters).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})
const exchange = (code: string, members: Readonly<Record<string, string>> = {}) =>
  app.call(
    'POST /oauth/token',
    form({
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      redirect_uri: 'http://localhost:51234/callback',
      code_verifier: verifier,
      resource,
      ...members,
    }),
  )
const refresh = (token: string, members: Readonly<Record<string, string>> = {}) =>
  app.call(
    'POST /oauth/token',
    form({ grant_type: 'refresh_token', client_id: clientId, refresh_token: token, ...members }),
  )
const connect = async (scope = 'read') => (await exchange(await getCode(scope))).body

/** Returns how the service answers an access token: `agent_token_forbidden` says that it knows the assistant. */
const codeOf = async (token: string): Promise<string> =>
  (await app.call(`GET /organizations/${org}`, { as: token })).body.code
const works = 'agent_token_forbidden'

describe('the documents of the server', () => {
  it('say who issues tokens for /mcp, and how', async () => {
    const { body: one } = await app.ok('GET /.well-known/oauth-protected-resource')
    const { body: same } = await app.ok('GET /.well-known/oauth-protected-resource/mcp')
    expect(one).toEqual(same)
    expect(one).toMatchObject({ resource, authorization_servers: [publicUrl] })
    const { body } = await app.ok('GET /.well-known/oauth-authorization-server')
    expect(body).toMatchObject({
      issuer: publicUrl,
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
    })
    expect(body.registration_endpoint).toBeUndefined()
  })

  it('lead the browser to a page of this server, with the parameters that are known', async () => {
    const path = `/oauth/authorize?client_id=${encodeURIComponent(clientId)}&state=a%26b&other=1`
    const { status, headers } = await app.call(`GET ${path}`)
    const page = new URL(headers.get('location') ?? '', publicUrl)
    expect([status, page.origin, page.pathname]).toEqual([303, publicUrl, '/oauth/assistant'])
    expect(page.searchParams.get('request')).toBe(
      'client_id=https%3A%2F%2Fassistant.example%2Fclient.json&state=a%26b',
    )
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    // A parameter given twice could be read in two ways.
    expect((await app.call(`GET ${path}&state=b`)).status).toBe(400)
  })
})

describe('what an assistant says about itself', () => {
  it('is shown by its host, and read once in ten minutes', async () => {
    const at = 'https://quiet.example/client.json'
    describeClient({ client_name: 'A \u202Eevil name' }, at)
    const before = reads
    const { body } = await review({ clientId: at })
    expect(body).toEqual({
      clientHost: 'quiet.example',
      // A name that turns the text around it is not shown.
      clientName: null,
      redirectHost: 'localhost:51234',
      isLocal: true,
      scope: 'write',
      refusal: null,
    })
    await review({ clientId: at })
    expect(reads - before).toBe(1)
    app.clock.advance(10 * 60_000)
    await review({ clientId: at }, await app.openBrowser(ada.userId))
    expect(reads - before).toBe(2)
  })

  it.each([
    ['no address', 'claude'],
    ['an address without a path', 'https://assistant.example/'],
    ['a fragment', `${clientId}#`],
    ['credentials', 'https://a:b@assistant.example/client.json'],
    ['another spelling', 'https://ASSISTANT.example/client.json'],
    ['dots', 'https://assistant.example/a/../client.json'],
    ['another scheme', 'file:///etc/passwd'],
  ])('is not read at %s', async (_, id) => {
    const before = reads
    const { status, body } = await review({ clientId: id })
    expect([status, body.code, reads]).toEqual([424, 'assistant_unverified', before])
    expect(body.detail).toContain('agent token')
  })

  const bad: [string, () => Partial<OutboundAnswer>][] = [
    [
      'a redirect',
      () => ({
        status: 302,
        headers: { location: clientId },
        // Right, but for the status.
        body: renderDocument('https://bad.example/a-redirect.json'),
      }),
    ],
    ['no JSON', () => ({ body: Buffer.from('<html>') })],
    ['the document of another', () => documents.get(clientId)?.() ?? {}],
    [
      'a host that is not public',
      () => {
        throw new EgressError('address_forbidden', 'bad.example')
      },
    ],
    ['a status of its own', () => ({ status: 418 })],
    [
      'nobody there',
      () => {
        throw new EgressError('connection', 'bad.example')
      },
    ],
    [
      'no answer in time',
      () => {
        throw new EgressError('timeout', 'bad.example')
      },
    ],
    [
      'more than 5 KB',
      () => {
        throw new EgressError('too_large', 'bad.example')
      },
    ],
  ]
  const refusedDetail =
    'The document at bad.example cannot be used. It has to be public: sent with 200 and as application/json, 5 KB at most, about this very client_id, and without a redirect. Try again later, ask the assistant’s authors, or give it an agent token instead. The log of this server says what was wrong.'
  it.each(bad)('is refused with a next step, in the same words: %s', async (name, answer) => {
    const at = `https://bad.example/${name.replaceAll(/\W/g, '-')}.json`
    documents.set(at, () => answer())
    const refused = await app.call('POST /oauth/authorize/review', {
      body: asked({ clientId: at }),
      headers: browser,
    })
    expect([refused.status, refused.body?.code]).toEqual([424, 'assistant_unverified'])
    // One text for all, or it would tell what answers at an address that the caller chose.
    expect(refused.body.detail).toBe(refusedDetail)
  })

  it.each([
    ['a secret', { client_secret: 'known to all' }],
    ['a key that it would have to prove', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['no address to return to', { redirect_uris: [] }],
  ])('is refused with %s', async (name, members) => {
    const at = `https://odd.example/${name.replaceAll(/\W/g, '-')}.json`
    describeClient(members, at)
    expect((await review({ clientId: at })).body.code).toBe('assistant_unverified')
  })

  it.each([
    ['application/json', 200],
    ['application/vnd.assistant+json; charset=utf-8', 200],
    // Hosts that show the files of everybody send them as texts.
    ['text/plain; charset=utf-8', 424],
    ['text/html', 424],
    ['application/jsonp', 424],
    ['', 424],
  ])('is a document of its host when that calls it JSON: %s', async (type, status) => {
    const at = `https://typed.example/${type.replaceAll(/\W/g, '-')}.json`
    describeClient({}, at)
    const { body } = documents.get(at)?.() ?? {}
    documents.set(at, () => ({ ...(body && { body }), headers: { 'content-type': type } }))
    expect((await review({ clientId: at })).status).toBe(status)
  })
})

describe('the address that the browser returns to', () => {
  it.each([
    ['any port of a registered loopback address', 'http://localhost:1/callback'],
    ['a registered address', 'https://assistant.example/callback'],
  ])('is %s', async (_, uri) => {
    expect((await review({ redirectUri: uri })).status).toBe(200)
  })

  it.each([
    ['another host', 'https://evil.example/callback'],
    ['another path', 'http://localhost:51234/other'],
    ['a longer path', 'https://assistant.example/callback/more'],
    ['a query', 'https://assistant.example/callback?next=evil'],
    ['a fragment', 'https://assistant.example/callback#'],
    ['another port of a host', 'https://assistant.example:8443/callback'],
    ['another loopback host', 'http://127.0.0.1:51234/callback'],
    ['credentials', 'http://a@localhost:51234/callback'],
    ['a script', 'javascript:alert(1)'],
  ])('is not %s', async (_, uri) => {
    const { status, body, text } = await review({ redirectUri: uri })
    expect([status, body.code]).toEqual([424, 'assistant_unverified'])
    expect(text).not.toContain('evil')
    expect((await allow({ redirectUri: uri })).status).toBe(424)
  })

  it.each([
    ['a script', 'javascript:alert(1)'],
    ['plain http', 'http://assistant.example/callback'],
  ])('is not %s even when the document lists it', async (name, uri) => {
    const at = `https://lists.example/${name.replaceAll(/\W/g, '-')}.json`
    describeClient({ redirect_uris: [uri] }, at)
    expect((await review({ clientId: at, redirectUri: uri })).status).toBe(424)
  })

  it.each([
    ['unsupported_response_type', { responseType: 'token' }],
    ['invalid_request', { codeChallenge: undefined }],
    ['invalid_request', { codeChallengeMethod: 'plain' }],
    ['invalid_target', { resource: 'https://other.example/mcp' }],
  ])('learns what is wrong with the rest: %s', async (error, members) => {
    const { body } = await review(members)
    const { searchParams } = new URL(body.refusal.redirectTo)
    expect(Object.fromEntries(searchParams)).toMatchObject({
      error,
      state: 'state of the assistant',
      iss: publicUrl,
    })
    expect((await allow(members)).body.code).toBe('validation_failed')
  })

  it('learns of a refusal', async () => {
    const { body } = await app.ok('POST /oauth/authorize/refuse', {
      body: { request: asked() },
      headers: browser,
    })
    const url = new URL(body.redirectTo)
    expect([url.origin, url.searchParams.get('error')]).toEqual([
      'http://localhost:51234',
      'access_denied',
    ])
  })
})

describe('allowing an assistant', () => {
  it('is a press in our own page, lately confirmed, in an organization of the person', async () => {
    const codeOfAllow = async (headers: Readonly<Record<string, string>>, at = org) =>
      (await allow({}, { headers, at })).body.code
    const { 'x-requested-by': _, ...form } = browser
    expect(await codeOfAllow({ ...browser, 'sec-fetch-site': 'cross-site' })).toBe('csrf_failed')
    expect(await codeOfAllow(form)).toBe('csrf_failed')
    expect(await codeOfAllow({ authorization: `Bearer ${ada.token}` })).toBe('session_required')
    expect(await codeOfAllow(browser, foreign)).toBe('not_found')
    expect(await codeOfAllow(browser)).toBeUndefined()
    app.clock.advance(11 * 60_000)
    expect(await codeOfAllow(browser)).toBe('step_up_required')
  })

  it('gives no more than the assistant asks for', async () => {
    expect((await allow({ scope: 'read' }, { scope: 'write' })).status).toBe(422)
    expect((await allow({ scope: undefined }, { scope: 'write' })).status).toBe(422)
    expect((await allow({ scope: 'read write' }, { scope: 'write' })).status).toBe(200)
  })

  it('says to the assistant who answers, and stores no code for a repeat', async () => {
    const headers = { ...browser, 'idempotency-key': 'allow-once' }
    const { body } = await allow({}, { headers })
    const { searchParams } = new URL(body.redirectTo)
    expect(searchParams.get('iss')).toBe(publicUrl)
    expect(searchParams.get('state')).toBe('state of the assistant')
    const repeat = (await allow({}, { headers })).body.redirectTo
    expect(new URL(repeat).searchParams.get('code')).toBeNull()
  })

  it('is refused to a member who has 20 tokens', async () => {
    const { userId } = await app.addPerson('collector', { [org]: 'viewer' })
    const headers = await app.openBrowser(userId)
    for (let n = 0; n < 20; n += 1) {
      const path = `POST /organizations/${org}/agent-tokens`
      await app.ok(path, { body: { name: 'one' }, headers })
    }
    expect((await allow({}, { headers })).body.code).toBe('quota_exceeded')
  })
})

describe('a code', () => {
  it('is exchanged for an agent token, which the list shows with its host', async () => {
    let tokens: Record<string, string> = {}
    const event = await expectOneEvent(app.test, 'agent_token.created', async () => {
      tokens = (await exchange(await getCode('write'))).body
    })
    const { access_token: access = '', refresh_token: next = '', ...rest } = tokens
    expect(access).toMatch(/^sbx_agt_[0-9A-Za-z]{46}$/)
    expect(rest).toEqual({ token_type: 'Bearer', expires_in: 900, scope: 'read write' })
    expect(await codeOf(access)).toBe(works)
    expect(event).toMatchObject({
      actor: { id: ada.userId, name: 'ada' },
      detail: { clientId, scope: 'write' },
    })
    const path = `GET /organizations/${org}/agent-tokens`
    const { items } = (await app.ok(path, { headers: browser })).body
    expect(items[0]).toMatchObject({
      name: 'assistant.example',
      clientHost: 'assistant.example',
      scope: 'write',
      member: { name: 'ada' },
    })
    const days = (Date.parse(items[0].expiresAt) - Date.parse(items[0].createdAt)) / 86_400_000
    expect(days).toBe(30)
    const rows = await app.test.asOwner(
      `select s::text from agent_token_secrets s union all select c::text from agent_codes c
        union all select t::text from agent_tokens t union all select e::text from audit_events e`,
    )
    const stored = JSON.stringify(rows)
    expect(stored.length).toBeGreaterThan(1_000)
    expect([stored.includes(access.slice(18)), stored.includes(next)]).toEqual([false, false])
  })

  it.each([
    ['a wrong verifier', { code_verifier: 'w'.repeat(64) }, 'invalid_grant'],
    ['another address', { redirect_uri: 'http://localhost:1/callback' }, 'invalid_grant'],
    ['another assistant', { client_id: 'https://other.example/c.json' }, 'invalid_grant'],
    ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
  ])('is used up by %s', async (_, members, error) => {
    const code = await getCode()
    const wrong = await exchange(code, members)
    expect([wrong.status, wrong.body.error]).toEqual([400, error])
    expect((await exchange(code)).body.error).toBe('invalid_grant')
    // Control: the same, with nothing wrong.
    expect((await exchange(await getCode())).status).toBe(200)
  })

  it('lasts a minute', async () => {
    const code = await getCode()
    app.clock.advance(60_000)
    expect((await exchange(code)).body.error).toBe('invalid_grant')
  })

  it('that is used twice ends what it was exchanged for', async () => {
    const code = await getCode()
    const { access_token: access, refresh_token: next } = (await exchange(code)).body
    expect(await codeOf(access)).toBe(works)
    const event = await expectOneEvent(app.test, 'agent_token.reuse_detected', async () => {
      expect((await exchange(code)).body.error).toBe('invalid_grant')
    })
    expect(event).toMatchObject({ actor: { type: 'system' }, detail: { secret: 'code' } })
    expect(await codeOf(access)).toBe('revoked_credentials')
    expect((await refresh(next)).body.error).toBe('invalid_grant')
  })

  it('is exchanged once by two who come at the same moment', async () => {
    const code = await getCode()
    const answers = await Promise.all([exchange(code), exchange(code)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
  })

  it('goes with the membership', async () => {
    const { userId } = await app.addPerson('leaver', { [org]: 'viewer' })
    const { body } = await allow({}, { headers: await app.openBrowser(userId) })
    await app.test.asOwner('delete from members where user_id = $1', [userId])
    const code = new URL(body.redirectTo).searchParams.get('code') ?? ''
    expect((await exchange(code)).body.error).toBe('invalid_grant')
  })

  it.each([['code'], ['code_verifier'], ['redirect_uri'], ['client_id']])(
    'needs %s',
    async (name) => {
      expect((await exchange(await getCode(), { [name]: '' })).body.error).toBe('invalid_request')
    },
  )
})

describe('a refresh token', () => {
  it('is replaced by each use, and access tokens last 15 minutes', async () => {
    const first = await connect()
    app.clock.advance(15 * 60_000)
    expect(await codeOf(first.access_token)).toBe('expired_credentials')
    const second = (await refresh(first.refresh_token)).body
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect(await codeOf(second.access_token)).toBe(works)
    expect((await refresh(second.refresh_token, { resource })).status).toBe(200)
  })

  it('opens nothing by itself', async () => {
    const { refresh_token: token } = await connect()
    expect(await codeOf(token)).toBe('invalid_credentials')
  })

  it('that is used again ends the agent token', async () => {
    const first = await connect()
    const second = (await refresh(first.refresh_token)).body
    app.clock.advance(11_000)
    const event = await expectOneEvent(app.test, 'agent_token.reuse_detected', async () => {
      expect((await refresh(first.refresh_token)).body.error).toBe('invalid_grant')
    })
    expect(event).toMatchObject({ detail: { secret: 'refresh token', userId: ada.userId } })
    expect(await codeOf(second.access_token)).toBe('revoked_credentials')
    expect((await refresh(second.refresh_token)).body.error).toBe('invalid_grant')
  })

  it('that is used again at once gets the same next one, and no second line', async () => {
    const first = await connect()
    const answers = await Promise.all([refresh(first.refresh_token), refresh(first.refresh_token)])
    const [one, other] = answers.map(({ body }) => body.refresh_token)
    expect([one, answers.map(({ status }) => status)]).toEqual([other, [200, 200]])
    const next = (await refresh(one)).body
    // The next one has been used: from now on the first one is in two hands, however soon it comes.
    expect((await refresh(first.refresh_token)).body.error).toBe('invalid_grant')
    expect(await codeOf(next.access_token)).toBe('revoked_credentials')
  })

  it.each([
    ['another assistant', { client_id: 'https://other.example/c.json' }, 'invalid_grant'],
    ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
  ])('is not exchanged for %s, and stays as it is', async (_, members, error) => {
    const { refresh_token: token } = await connect()
    expect((await refresh(token, members)).body.error).toBe(error)
    expect((await refresh(token)).status).toBe(200)
  })

  it('does not outlive 30 days, and neither does its last access token', async () => {
    let { refresh_token: token } = await connect()
    app.clock.advance(30 * 86_400_000 - 60_000)
    const last = (await refresh(token)).body
    expect(last.expires_in).toBeLessThanOrEqual(60)
    token = last.refresh_token
    app.clock.advance(60_000)
    expect((await refresh(token)).body.error).toBe('invalid_grant')
    expect(await codeOf(last.access_token)).toBe('expired_credentials')
  })

  it('ends with a press', async () => {
    const { access_token: access, refresh_token: token } = await connect()
    await endNewest()
    expect(await codeOf(access)).toBe('revoked_credentials')
    expect((await refresh(token)).body.error).toBe('invalid_grant')
  })

  it('goes with the membership, and leaves nothing', async () => {
    const { userId } = await app.addPerson('goer', { [org]: 'viewer' })
    const { body } = await allow({}, { headers: await app.openBrowser(userId) })
    const code = new URL(body.redirectTo).searchParams.get('code') ?? ''
    const { access_token: access, refresh_token: token } = (await exchange(code)).body
    expect(await codeOf(access)).toBe(works)
    const count = async () => (await app.test.asOwner('select 1 from agent_token_secrets')).length
    const before = await count()
    await app.test.asOwner('delete from members where user_id = $1', [userId])
    expect(await codeOf(access)).toBe('invalid_credentials')
    expect((await refresh(token)).body.error).toBe('invalid_grant')
    expect(before - (await count())).toBe(2)
  })
})

async function endNewest() {
  const path = `/organizations/${org}/agent-tokens`
  const { items } = (await app.ok(`GET ${path}`, { headers: browser })).body
  await app.ok(`DELETE ${path}/${items[0].id}`, { headers: browser })
}

describe('revoking', () => {
  const revoke = (token: string, id = clientId) =>
    app.call('POST /oauth/revoke', form({ token, client_id: id }))

  it.each(['access_token', 'refresh_token'])('ends the agent token by its %s', async (name) => {
    const tokens = await connect()
    expect((await revoke(tokens[name], 'https://other.example/c.json')).status).toBe(200)
    expect(await codeOf(tokens.access_token)).toBe(works)
    const event = await expectOneEvent(app.test, 'agent_token.ended', async () => {
      expect((await revoke(tokens[name])).status).toBe(200)
    })
    expect(event).toMatchObject({ actor: { name: 'ada, through assistant.example' } })
    expect(await codeOf(tokens.access_token)).toBe('revoked_credentials')
  })

  it('tells nothing about a token', async () => {
    const unknown = await revoke('sbx_agt_unknown')
    expect([unknown.status, unknown.text]).toEqual([200, '{}'])
    expect((await app.call('POST /oauth/revoke', form({ token: 'one' }))).status).toBe(400)
  })
})
