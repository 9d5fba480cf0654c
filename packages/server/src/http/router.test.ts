import { isId, Problem } from '@signalbox/contract'
import { describe, expect, it } from 'vitest'
import type { LogFields } from '../telemetry/log.ts'
import { createClientAddress } from './admission/client-address.ts'
import { defaultRateLimits } from './admission/rate-classes.ts'
import { createRateLimiter } from './admission/rate-limit.ts'
import { itemsActors, openItemsApp, whoAmI } from './testing/items-app.ts'
import { createTestRouter } from './testing/test-router.ts'
import { toTestApp } from './testing/test-app.ts'

const items = '/organizations/org_1/items'

describe('the answer to a write', () => {
  const pendingOf = async (isServed: boolean, method: 'GET' | 'POST') => {
    const { call } = openItemsApp({ readBack: () => Promise.resolve(isServed) })
    const body = method === 'POST' ? { body: { name: 'x' } } : {}
    const headers = { 'idempotency-key': 'k' }
    const answers = [
      await call(method, items, { as: 'dev', headers, ...body }),
      await call(method, items, { as: 'dev', headers, ...body }),
    ]
    return answers.map((answer) => answer.headers.get('delivery-pending'))
  }

  it('says that this node does not serve it yet, also the answer to its repeat', async () => {
    expect(await pendingOf(false, 'POST')).toEqual(['true', 'true'])
    expect(await pendingOf(true, 'POST')).toEqual([null, null])
    expect(await pendingOf(false, 'GET')).toEqual([null, null])
  })
})

describe('a request that is right', () => {
  it('is answered with what the endpoint presents, a request id and headers that keep it from caches', async () => {
    const { call } = openItemsApp()
    const answer = await call('POST', items, { as: 'dev', body: { name: 'x' } })
    expect(answer.status).toBe(201)
    expect(answer.text).toBe('{"id":"itm_1","name":"x"}')
    expect(isId('req', answer.headers.get('x-request-id') ?? '')).toBe(true)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-length': '25',
      etag: '"1"',
    })
  })

  it('may name the organization by its slug, and leave out a body without required fields', async () => {
    const { call } = openItemsApp()
    const answer = await call('POST', '/organizations/acme/items/rename', { as: 'm2m' })
    expect(answer.text).toBe('{"renamed":"acme"}')
  })

  it('is answered with 204 and nothing when the endpoint says so', async () => {
    const answer = await openItemsApp().call('DELETE', `${items}/1`, { as: 'm2m' })
    expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([
      204,
      '',
      null,
    ])
  })

  it('by HEAD is answered as GET without the body', async () => {
    const { call } = openItemsApp()
    const get = await call('GET', items, { as: 'b2m' })
    const head = await call('HEAD', items, { as: 'b2m' })
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
    expect((await call('HEAD', items)).status).toBe(401)
  })

  it('never takes a request id from outside for its own', async () => {
    const headers = { 'x-request-id': 'req_01jd2m4x9k0000000000000000' }
    const answer = await openItemsApp().call('GET', items, { as: 'b2m', headers })
    expect(answer.headers.get('x-request-id')).not.toBe(headers['x-request-id'])
  })
})

describe('401', () => {
  it('tells missing from invalid credentials', async () => {
    const { call } = openItemsApp()
    expect((await call('GET', items)).code).toBe('missing_credentials')
    const invalid = await call('GET', items, { as: 'nobody' })
    expect([invalid.status, invalid.code]).toEqual([401, 'invalid_credentials'])
    expect(invalid.headers.get('www-authenticate')).toBe('Bearer')
  })

  it('comes before the body is looked at', async () => {
    const answer = await openItemsApp().call('POST', items, { body: '[[[[' })
    expect(answer.code).toBe('missing_credentials')
  })
})

describe('403', () => {
  it('refuses a write by cookie that another site could have caused', async () => {
    const { call } = openItemsApp()
    const write = async (headers: Record<string, string>) => {
      const answer = await call('POST', items, {
        body: { name: 'x' },
        headers: { cookie: 's=session', ...headers },
      })
      return answer.code ?? answer.status
    }
    const own = { 'x-requested-by': 'dashboard' }
    expect(await write({ ...own, 'sec-fetch-site': 'same-origin' })).toBe(201)
    expect(await write({ ...own, origin: 'http://127.0.0.1:4400' })).toBe(201)
    expect(await write({ ...own })).toBe('csrf_failed')
    expect(await write({ 'sec-fetch-site': 'same-origin' })).toBe('csrf_failed')
    expect(await write({ ...own, 'sec-fetch-site': 'same-site' })).toBe('csrf_failed')
    expect(await write({ ...own, 'sec-fetch-site': 'cross-site' })).toBe('csrf_failed')
    expect(await write({ ...own, 'sec-fetch-site': 'none' })).toBe('csrf_failed')
    expect(await write({ ...own, origin: 'https://evil.example' })).toBe('csrf_failed')
    expect(await write({ ...own, origin: 'null' })).toBe('csrf_failed')
    const form = { ...own, 'sec-fetch-site': 'same-origin', 'content-type': 'text/plain' }
    expect(await write(form)).toBe('unsupported_media_type')
  })

  it('lets programs sign in and refuses the page of another site', async () => {
    const { call } = openItemsApp()
    const body = { email: 'a' }
    expect((await call('POST', '/sessions', { body })).status).toBe(201)
    const headers = { 'sec-fetch-site': 'cross-site' }
    expect((await call('POST', '/sessions', { body, headers })).code).toBe('csrf_failed')
  })
})

describe('404', () => {
  it('is the same bytes for absent, foreign and unknown, but for the request id', async () => {
    const { call } = openItemsApp()
    const answers = [
      await call('GET', '/organizations/org_2/items', { as: 'm2m' }),
      await call('GET', '/organizations/org_absent/items', { as: 'dev' }),
      await call('POST', '/organizations/org_2/items', { as: 'b2m', body: { name: 'x' } }),
      await call('GET', '/nowhere'),
    ]
    const bytes = answers.map(
      ({ status, text, instance = '' }) => `${status} ${text.replaceAll(instance, '')}`,
    )
    expect(new Set(bytes).size).toBe(1)
    expect(answers[0]?.code).toBe('not_found')
    expect(answers[0]?.headers.get('content-type')).toBe('application/problem+json')
  })
})

describe('405', () => {
  it('names the methods that there are', async () => {
    const { call } = openItemsApp()
    const answer = await call('PUT', items, { as: 'dev' })
    expect([answer.status, answer.code]).toEqual([405, 'method_not_allowed'])
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST')
    expect((await call('OPTIONS', items)).status).toBe(405)
    expect((await call('PROPFIND', items)).status).toBe(405)
  })

  it('is not to be had around by magic headers', async () => {
    const { call } = openItemsApp()
    for (const name of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
      const answer = await call('GET', `${items}/1`, { as: 'dev', headers: { [name]: 'DELETE' } })
      expect(answer.status).toBe(405)
    }
    const guarded = {
      'x-middleware-subrequest': 'middleware',
      'x-original-url': '/me',
      'x-rewrite-url': '/me',
    }
    expect((await call('GET', items, { headers: guarded })).status).toBe(401)
  })
})

describe('paths', () => {
  it('have one spelling: every other is the same answer or 404, never a way past the guard', async () => {
    const { call } = openItemsApp()
    const variants = [
      '//organizations/org_1/items',
      '/organizations//org_1/items',
      '/organizations/org_1//items',
      '/./organizations/org_1/items',
      '/organizations/./org_1/items',
      '/organizations/org_1/x/../items',
      '/organizations/org_1/%2e/items',
      '/organizations/org_1/%69tems',
      '/%6frganizations/org_1/items',
      '/organizations%2forg_1/items',
      '/organizations/org_1%2fitems',
      '/organizations/org_1/items/',
      '/organizations/org_1/items;x=1',
      '/organizations/org_1/items%20',
      '/organizations/org_1/items.json',
      '/Organizations/org_1/items',
      '/ORGANIZATIONS/ORG_1/ITEMS',
      '/organizations/org_1/items#x',
      '/api/organizations/org_1/items',
      '/organizations/org_1/..%2forg_1/items',
      '/organizations/%E2%80%A5/items',
    ]
    for (const variant of variants) {
      const unknown = await call('GET', variant)
      expect(['missing_credentials', 'not_found']).toContain(unknown.code)
      const known = await call('GET', variant, { as: 'm2m' })
      expect([200, 404]).toContain(known.status)
      expect(['missing_credentials', 'not_found', 'method_not_allowed']).toContain(
        (await call('POST', variant, { body: { name: 'x' } })).code,
      )
    }
  })

  it('that decode to nothing are refused', async () => {
    const { call } = openItemsApp()
    for (const path of ['/%', '/%zz', '/%ff', '/%c0%af', '/a%00b', '/a%0d%0ab', '/%ed%a0%80']) {
      expect((await call('GET', path)).code).toBe('invalid_path')
    }
    const long = await call('GET', `/${'a'.repeat(4096)}`)
    expect([long.status, long.code]).toEqual([414, 'url_too_long'])
  })
})

describe('bodies', () => {
  it('that are announced and do not come are refused, also where every field may be left out', async () => {
    const { call } = openItemsApp()
    const rename = '/organizations/acme/items/rename'
    const headers = { 'content-type': 'application/json' }
    const announced = await call('POST', rename, { as: 'm2m', headers })
    expect([announced.status, announced.code]).toEqual([400, 'invalid_json'])
    expect((await call('POST', rename, { as: 'm2m' })).status).toBe(200)
  })

  it('are JSON by their content type, spelled in the one way that forms cannot', async () => {
    const { call } = openItemsApp()
    const send = async (type: string, body: object = { name: 'x' }) =>
      (await call('POST', items, { as: 'dev', body, headers: { 'content-type': type } })).status
    for (const type of [
      'application/json',
      'application/json; charset=utf-8',
      'Application/JSON;charset="UTF-8"',
      ' application/json',
      'application/json\t',
      'application/json\t;\tcharset=utf-8',
    ]) {
      expect([type, await send(type)]).toEqual([type, 201])
      // The body is validated however the media type is spelled.
      expect([type, await send(type, { name: 7 })]).toEqual([type, 422])
    }
    for (const type of [
      'application/json\ta',
      'application/json \t;x',
      'text/plain',
      'text/plain; application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      'application/json5',
      'application/json-patch+json',
      'application/vnd.api+json',
      'application/json, text/plain',
      'text/plain, application/json',
      'application/json; charset=utf-16',
      'application/json; charset=iso-8859-1',
      'application/json; foo=bar',
      'application/json;',
      'application/json/x',
      'application /json',
      'application/json x',
      'json',
      '*/*',
      'application/*',
      ';application/json',
      '"application/json"',
    ]) {
      expect([type, await send(type)]).toEqual([type, 415])
    }
  })

  it('may not be compressed, too large or malformed', async () => {
    const { call } = openItemsApp()
    const send = (body: unknown, headers = {}) => call('POST', items, { as: 'dev', body, headers })
    expect((await send({ name: 'x' }, { 'content-encoding': 'gzip' })).code).toBe(
      'unsupported_encoding',
    )
    expect((await send({ name: 'x'.repeat(1100) })).code).toBe('body_too_large')
    expect((await send('{"name":')).code).toBe('invalid_json')
    expect((await send('{"name":"a","name":"b"}')).code).toBe('duplicate_key')
    expect((await send('{"__proto__":{}}')).code).toBe('reserved_key')
  })

  it('are answered with one place for each fault, and what to do', async () => {
    const { call } = openItemsApp()
    const answer = await call('POST', items, {
      as: 'dev',
      body: { name: '', count: 'x', org_id: 'org_2' },
    })
    expect(answer).toMatchObject({ status: 422, code: 'validation_failed' })
    expect(answer.errors).toEqual([
      { pointer: '/name', code: 'validation_failed', detail: 'This field must not be empty.' },
      { pointer: '/count', code: 'type_mismatch', detail: 'Use a number.' },
      {
        pointer: '/org_id',
        code: 'unknown_field',
        detail: 'This request has no such field. Leave it out.',
      },
    ])
    const unknown = await call('POST', items, { as: 'dev', body: { name: 'x', role: 'owner' } })
    expect(unknown).toMatchObject({
      status: 422,
      code: 'unknown_field',
      errors: [{ pointer: '/role' }],
    })
    const missing = await call('POST', items, { as: 'dev' })
    expect(missing).toMatchObject({
      errors: [{ pointer: '/name', detail: 'This field is required.' }],
    })
  })
})

describe('queries', () => {
  it('are refused where they are unknown or wrong', async () => {
    const { call } = openItemsApp()
    const ask = (query: string) => call('GET', `${items}?${query}`, { as: 'dev' })
    expect(await ask('limit=x')).toMatchObject({
      status: 400,
      code: 'invalid_query',
      errors: [{ pointer: '?limit' }],
    })
    expect(await ask('limti=1')).toMatchObject({
      code: 'invalid_query',
      errors: [{ pointer: '?limti' }],
    })
    expect(await ask('limit=%ff')).toMatchObject({ code: 'invalid_query' })
    expect(await ask('limit=1%00')).toMatchObject({ code: 'invalid_query' })
    expect(await ask('__proto__=1')).toMatchObject({ code: 'invalid_query' })
    expect(await call('DELETE', `${items}/1?force=true`, { as: 'dev' })).toMatchObject({
      code: 'invalid_query',
    })
  })

  it('page through a list by cursors that are good nowhere else', async () => {
    const { call } = openItemsApp()
    const first = await call('GET', items, { as: 'dev' })
    expect(first.items).toEqual([1, 2])
    const second = await call('GET', `${items}?cursor=${first.nextCursor}`, { as: 'dev' })
    expect(second.items).toEqual([3, 4])
    const last = await call('GET', `${items}?cursor=${second.nextCursor}`, { as: 'm2m' })
    expect([last.items, last.nextCursor]).toEqual([[5], null])
    for (const wrong of ['x', `${first.nextCursor}x`, `x${first.nextCursor}`, 'bnVsbA.x']) {
      expect(await call('GET', `${items}?cursor=${wrong}`, { as: 'dev' })).toMatchObject({
        status: 400,
        code: 'invalid_cursor',
      })
    }
  })
})

describe('preconditions', () => {
  it('read If-Match as a version', async () => {
    const { call } = openItemsApp()
    const remove = async (ifMatch: string) => {
      const answer = await call('DELETE', `${items}/stale`, {
        as: 'dev',
        headers: { 'if-match': ifMatch },
      })
      return answer.code ?? answer.status
    }
    expect(await remove('"12"')).toBe(204)
    expect(await remove('W/"12"')).toBe(204)
    expect(await remove('"11"')).toBe('revision_mismatch')
    expect(await remove('*')).toBe('revision_mismatch')
    for (const wrong of ['12', '"x"', '"-1"', '"012"', '"1", "2"', '"9007199254740993"']) {
      expect(await remove(wrong)).toBe('invalid_header')
    }
  })

  it('answer 304 to a matching If-None-Match, at no cost', async () => {
    const limiter = createRateLimiter({
      ...defaultRateLimits,
      session: { perSecond: 0.001, burst: 2 },
    })
    const { call } = openItemsApp({ limiter })
    const headers = { 'if-none-match': 'W/"x", "1-2"' }
    for (let i = 0; i < 5; i++) {
      const answer = await call('GET', items, { as: 'dev', headers })
      expect([answer.status, answer.text]).toEqual([304, ''])
    }
  })
})

describe('Idempotency-Key', () => {
  const send = (
    call: ReturnType<typeof openItemsApp>['call'],
    value: string,
    body: unknown = { name: 'x' },
  ) => call('POST', items, { as: 'dev', body, headers: { 'idempotency-key': value } })

  it('is claimed for the credential and route, and stores what is presented, never a secret', async () => {
    const { call, claims } = openItemsApp()
    const first = await send(call, 'k1')
    expect(claims[0]).toMatchObject({
      credentialId: 'pat_1',
      route: 'createItem',
      key: 'k1',
      status: 201,
    })
    const again = await send(call, 'k1')
    expect([again.status, again.text]).toEqual([201, first.text])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(first.text).not.toContain('once')
  })

  it('covers path and body by its hash, and names the organization by its id', async () => {
    const { call, claims } = openItemsApp()
    await send(call, 'a')
    await send(call, 'b')
    await send(call, 'c', { name: 'y' })
    expect(claims.map(({ orgId }) => orgId)).toEqual(['org_1', 'org_1', 'org_1'])
    const [a, b, c] = claims.map(({ requestHash }) => requestHash)
    expect(a).toMatch(/^[0-9a-f]{64}$/)
    expect(a).toBe(b)
    expect(a).not.toBe(c)
  })

  it('must be 1 to 255 visible characters', async () => {
    const { call } = openItemsApp()
    for (const wrong of ['', 'a b', 'é', 'x'.repeat(256), '""']) {
      expect([wrong, (await send(call, wrong)).code]).toEqual([wrong, 'invalid_header'])
    }
    expect((await send(call, `"${'x'.repeat(255)}"`)).status).toBe(201)
  })
})

describe('rate limits', () => {
  it('tell what is left, and answer 429 with Retry-After', async () => {
    const limiter = createRateLimiter({ ...defaultRateLimits, write: { perSecond: 0.1, burst: 2 } })
    const { call } = openItemsApp({ limiter })
    const send = () => call('POST', items, { as: 'm2m', body: { name: 'x' } })
    const first = await send()
    expect(first.headers.get('ratelimit-policy')).toBe('"write";q=2;w=20')
    expect(first.headers.get('ratelimit')).toBe('"write";r=1;t=10')
    await send()
    const refused = await send()
    expect([refused.status, refused.code]).toEqual([429, 'rate_limited'])
    expect(refused.headers.get('retry-after')).toBe('10')
    expect(refused.headers.get('ratelimit')).toBe('"write";r=0;t=20')
    expect((await call('POST', items, { as: 'dev', body: { name: 'x' } })).status).toBe(201)
  })

  it('let a person sign in behind a proxy that nobody declared, whatever a stranger tries there', async () => {
    const tries = async (remote: string) => {
      const { call } = openItemsApp({
        limiter: createRateLimiter(defaultRateLimits),
        clientAddress: { ...createClientAddress([]), of: () => remote },
      })
      const send = async (forwardedFor: string) => {
        const headers = { 'x-forwarded-for': forwardedFor }
        return (await call('POST', '/sessions', { body: { email: 'a' }, headers })).status
      }
      const stranger: number[] = []
      for (let n = 0; n < 30; n++) stranger.push(await send(`1.1.1.${n}, 198.51.100.7`))
      return [stranger.at(-1), await send('198.51.100.8')]
    }
    expect(await tries('10.0.0.1')).toEqual([429, 201])
    expect(await tries('fd00::1')).toEqual([429, 201])
    // Nobody on the internet chooses what they count as.
    expect(await tries('203.0.113.9')).toEqual([429, 429])
  })

  it('count refusals too, before the organization is looked up', async () => {
    let lookups = 0
    const { call } = openItemsApp({
      limiter: createRateLimiter({ ...defaultRateLimits, session: { perSecond: 0.1, burst: 4 } }),
      resolveOrganization: () => {
        lookups += 1
        return Promise.resolve(undefined)
      },
    })
    const refused = [
      await call('GET', '/organizations/absent/items', { as: 'dev' }),
      await call('POST', '/organizations/absent/items', { as: 'dev' }),
      // Of the same person, and refused before the organization matters.
      await call('POST', items, { headers: { cookie: 's=session' } }),
      await call('POST', items, { headers: { cookie: 's=session' } }),
      await call('GET', '/organizations/absent/items', { as: 'dev' }),
      await call('POST', items, { headers: { cookie: 's=session' } }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 403, 403, 429, 429])
    expect(lookups).toBe(2)
  })

  it.each(['invalid_credentials', 'expired_credentials', 'revoked_credentials'] as const)(
    'refuse an address after many credentials that are %s, before the next are looked up',
    async (code) => {
      const invalidCredentials = { perSecond: 0.01, burst: 3 }
      let asked = 0
      const { call } = openItemsApp({
        limiter: createRateLimiter({ ...defaultRateLimits, invalidCredentials }),
        authenticate: ({ beforeLookup }) => {
          beforeLookup?.('nobody')
          asked++
          throw new Problem(code, 'Not these.')
        },
      })
      const codes: unknown[] = []
      for (let i = 0; i < 5; i++) codes.push((await call('GET', '/me', { as: 'nobody' })).status)
      expect(codes).toEqual([401, 401, 401, 429, 429])
      expect(asked).toBe(3)
    },
  )

  it('take no right credential with them, be it checked in memory or known from before', async () => {
    const invalidCredentials = { perSecond: 0.01, burst: 3 }
    const { call } = openItemsApp({
      limiter: createRateLimiter({ ...defaultRateLimits, invalidCredentials }),
      authenticate: ({ authorization = '', beforeLookup }) => {
        const name = authorization.slice('Bearer '.length)
        if (!name.startsWith('key')) beforeLookup?.(name)
        if (name.endsWith('wrong')) throw new Problem('invalid_credentials', 'Not these.')
        return Promise.resolve(itemsActors['dev'])
      },
    })
    const statusOf = async (as: string) => (await call('GET', '/me', { as })).status
    expect(await statusOf('person')).toBe(200)
    for (let i = 0; i < 3; i++) expect(await statusOf('key wrong')).toBe(401)
    expect(await statusOf('key wrong')).toBe(429)
    expect(await statusOf('another person')).toBe(200)
    for (let i = 0; i < 3; i++) expect(await statusOf('wrong')).toBe(401)
    expect(await statusOf('wrong')).toBe(429)
    expect(await statusOf('key')).toBe(200)
    expect(await statusOf('person')).toBe(200)
    expect(await statusOf('a third person')).toBe(429)
  })
})

describe('what goes wrong on our side', () => {
  it('is answered with the request id alone, and logged with its stack', async () => {
    const logged: LogFields[] = []
    const write = (_message: string, fields: LogFields = {}) => logged.push(fields)
    const log = { debug: write, info: write, warn: write, error: write }
    const { call } = openItemsApp({ log })
    const answer = await call('POST', items, { as: 'dev', body: { name: 'bug' } })
    expect([answer.status, answer.code]).toEqual([500, 'internal'])
    expect(answer.text).not.toContain('secret')
    expect(answer.text).not.toContain('TypeError')
    expect(answer.instance).toBe(answer.headers.get('x-request-id'))
    expect(logged[0]).toMatchObject({ requestId: answer.instance, error: expect.any(TypeError) })
    expect(logged[1]).toMatchObject({
      route: '/organizations/{org_id}/items',
      status: 500,
      orgId: 'org_1',
      credentialId: 'pat_1',
    })
  })

  it('is found in tests when an answer is not what was declared', async () => {
    const router = createTestRouter({ authenticate: () => Promise.resolve(itemsActors['dev']) })
    const surplus = { type: 'x', passwordHash: 'y' }
    router.add(whoAmI, { handle: () => Promise.resolve(surplus), present: (it) => it })
    const app = toTestApp(router.build())
    expect((await app.request('/me')).status).toBe(500)
  })
})
