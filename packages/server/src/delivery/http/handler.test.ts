import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newToken } from '../../crypto/tokens.ts'
import {
  openTestDelivery,
  testSnapshot,
  snapshotPath,
  type TestDelivery,
  type TestDeliveryOptions,
} from '../testing/test-delivery.ts'

let test: TestDelivery

/** Opens another one in the place of that which each test begins with. */
async function open(options?: TestDeliveryOptions): Promise<void> {
  await test.close()
  test = await openTestDelivery(options)
}

beforeEach(async () => {
  test = await openTestDelivery()
  await test.publish(values)
})
afterEach(() => test.close())

const values = {
  public: { apiUrl: 'https://api.example.com', greeting: 'Grüße 🎉' },
  featureFlags: { newCheckout: true },
  secret: { stripeKey: 'sk_live_canary' },
}

describe('a snapshot for a browser key', () => {
  it('is the published text, byte for byte, with the headers of a shared cache', async () => {
    const { headers } = test.addKey('b2m')
    const answer = await test.ask(snapshotPath, { headers })
    expect(answer.status).toBe(200)
    expect(answer.json()).toEqual({
      format: 1,
      ...testSnapshot,
      version: 1,
      public: values.public,
      featureFlags: values.featureFlags,
    })
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(answer.body.length),
      'cache-control': 'public, no-cache, stale-if-error=86400',
      vary: 'Accept-Encoding, Authorization',
      'access-control-allow-origin': '*',
      'access-control-expose-headers':
        'ETag, Retry-After, X-Request-Id, Signalbox-Signature, Signalbox-Left-Out',
      'timing-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    })
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    expect(answer.headers['x-request-id']).toMatch(/^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  })

  it('is answered with 304 to its ETag: alone, in a list, weak, as * and in another coding', async () => {
    const { headers } = test.addKey('b2m')
    const { etag = '' } = (await test.ask(snapshotPath, { headers })).headers
    expect(etag).toMatch(/^"[^"]+"$/)
    for (const held of [etag, `"x", ${etag}`, `W/${etag}`, '*', etag.replace(/"$/, '-br"')]) {
      const answer = await test.ask(snapshotPath, {
        headers: { ...headers, 'if-none-match': held },
      })
      expect([held, answer.status, answer.body.length]).toEqual([held, 304, 0])
      expect(answer.headers.etag).toBe(etag)
      expect(answer.headers['cache-control']).toContain('no-cache')
    }
    for (const other of ['"x"', '""', etag.replace(/"$/, 'x"'), etag.slice(1, -1)]) {
      const answer = await test.ask(snapshotPath, {
        headers: { ...headers, 'if-none-match': other },
      })
      expect([other, answer.status]).toEqual([other, 200])
    }
  })

  it('has an ETag of its own in gzip and brotli, whatever its size', async () => {
    const { headers } = test.addKey('b2m')
    const large = Object.fromEntries(
      Array.from({ length: 900 }, (_, index) => [`key${index}`, `value ${index} of many`]),
    )
    for (const shown of [values.public, large]) {
      await test.publish({ public: { ...shown, filler: 'a'.repeat(300) } })
      const plain = await test.ask(snapshotPath, { headers })
      for (const [coding, decode] of [
        ['gzip', gunzipSync],
        ['br', brotliDecompressSync],
      ] as const) {
        const accept = { ...headers, 'accept-encoding': coding }
        const answer = await until(
          () => test.ask(snapshotPath, { headers: accept }),
          (each) => each.headers['content-encoding'] === coding,
        )
        expect(decode(answer.body).equals(plain.body)).toBe(true)
        expect(answer.headers.etag).toBe(plain.headers.etag?.replace(/"$/, `-${coding}"`))
        expect(answer.headers['content-length']).toBe(String(answer.body.length))
      }
    }
  })

  it('answers HEAD with the same headers and no body', async () => {
    const { headers } = test.addKey('b2m')
    const full = await test.ask(snapshotPath, { headers })
    const head = await test.ask(snapshotPath, { headers, method: 'HEAD' })
    expect(head.body).toHaveLength(0)
    const { 'x-request-id': _, date: __, ...expected } = full.headers
    expect(head.headers).toMatchObject(expected)
  })

  it('accepts the key in the URL too, and ignores unknown parameters and headers', async () => {
    const { token } = test.addKey('b2m')
    const plain = await test.ask(`${snapshotPath}?apiKey=${token}`)
    const tracked = await test.ask(`${snapshotPath}?utm_source=x&apiKey=${token}&callback=y&_=1`, {
      headers: { 'x-forwarded-host': 'evil.example', 'x-original-url': '/snapshots/x/y' },
    })
    expect(plain.status).toBe(200)
    expect(tracked.body.equals(plain.body)).toBe(true)
    expect(comparable(tracked)).toEqual(comparable(plain))
  })

  it('is immutable under its version', async () => {
    await test.publish({ ...values, featureFlags: { newCheckout: false } })
    const { headers } = test.addKey('b2m')
    const first = await until(
      () => test.ask(`${snapshotPath}/1`, { headers }),
      (answer) => answer.status === 200,
    )
    const second = await test.ask(`${snapshotPath}/2`, { headers })
    expect(first.json()).toMatchObject({ version: 1, featureFlags: { newCheckout: true } })
    expect(second.json()).toMatchObject({ version: 2, featureFlags: { newCheckout: false } })
    expect(second.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    for (const version of ['0', '3', '-1', '1.0', '01', 'latest', '99999999999']) {
      const answer = await test.ask(`${snapshotPath}/${version}`, { headers })
      expect([version, answer.status]).toEqual([version, 404])
    }
  })

  it('keeps the last twenty versions and no more', async () => {
    for (let version = 2; version <= 22; version += 1) await test.publish({ public: { version } })
    const { headers } = test.addKey('b2m')
    expect((await test.ask(`${snapshotPath}/3`, { headers })).status).toBe(200)
    expect((await test.ask(`${snapshotPath}/2`, { headers })).status).toBe(404)
  })
})

describe('a snapshot for a server key', () => {
  it('contains the secrets and its own version, and is stored by no cache', async () => {
    await test.publish({ ...values, secret: { stripeKey: 'another' } }, 'server')
    const { headers } = test.addKey('m2m')
    const answer = await test.ask(snapshotPath, { headers })
    expect(answer.json()).toMatchObject({ version: 2, secret: { stripeKey: 'another' } })
    expect(answer.headers['cache-control']).toBe('private, no-store')
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    const held = { ...headers, 'if-none-match': answer.headers.etag ?? '' }
    expect((await test.ask(snapshotPath, { headers: held })).status).toBe(304)
  })

  it('is refused in a URL, as every credential but a browser key is', async () => {
    const credentials = [
      test.addKey('m2m').token,
      newToken('pat').token,
      'aaaaaaaaaa.b.c',
      'unknown-token',
    ]
    for (const credential of credentials) {
      const answer = await test.ask(`${snapshotPath}?apiKey=${credential}`)
      expect(answer.status).toBe(400)
      expect(answer.json()).toMatchObject({ code: 'key_in_url' })
      expect(answer.text).not.toContain(credential.slice(8))
    }
  })

  it('is sealed on a node without the root key, which still serves browsers', async () => {
    await open({ rootKeys: [] })
    await test.publish(values)
    const server = await test.ask(snapshotPath, { headers: test.addKey('m2m').headers })
    const browser = await test.ask(snapshotPath, { headers: test.addKey('b2m').headers })
    expect([server.status, server.json()]).toEqual([
      503,
      expect.objectContaining({ code: 'sealed' }),
    ])
    expect(server.headers['retry-after']).toBeDefined()
    expect(browser.status).toBe(200)
  })

  it('may be read with a short-lived token until the token or its key ends', async () => {
    const key = test.addKey('m2m')
    const authorization = `Bearer ${await test.issueAccessToken(key)}`
    const read = async () => (await test.ask(snapshotPath, { headers: { authorization } })).status
    expect([await read(), await read()]).toEqual([200, 200])
    test.pass(16 * 60_000)
    expect(await read()).toBe(401)
    const fresh = { authorization: `Bearer ${await test.issueAccessToken(key)}` }
    expect((await test.ask(snapshotPath, { headers: fresh })).status).toBe(200)
    test.changeKey(key.key, { revokedAt: '2026-11-21T06:00:00Z' })
    expect((await test.ask(snapshotPath, { headers: fresh })).status).toBe(401)
  })
})

describe('credentials', () => {
  it('are refused with a reason that reveals nothing else', async () => {
    const revoked = test.addKey('b2m', { revokedAt: '2026-11-20T00:00:00Z' })
    const expired = test.addKey('b2m', { expiresAt: '2026-11-20T00:00:00Z' })
    const code = async (headers: Record<string, string>) => {
      const answer = await test.ask(snapshotPath, { headers })
      expect(answer.status).toBe(401)
      expect(answer.headers['www-authenticate']).toBe('Bearer')
      return (answer.json() as { code: string }).code
    }
    expect(await code({})).toBe('missing_credentials')
    expect(await code(revoked.headers)).toBe('revoked_credentials')
    expect(await code(expired.headers)).toBe('expired_credentials')
    const forged = `${revoked.token.slice(0, -8)}AAAAAAAA`
    for (const token of [newToken('b2m').token, newToken('pat').token, forged, 'x', 'a.b.c']) {
      expect(await code({ authorization: `Bearer ${token}` })).toBe('invalid_credentials')
    }
    expect(await code({ authorization: 'Basic eDp5' })).toBe('invalid_credentials')
  })

  it('stop working with the next request after their revocation, expiry or restriction', async () => {
    const { headers, key } = test.addKey('b2m', { expiresAt: '2026-11-21T07:00:00Z' })
    const read = async () => (await test.ask(snapshotPath, { headers })).status
    expect(await read()).toBe(200)
    test.changeKey(key, { environmentIds: [] })
    expect(await read()).toBe(403)
    test.changeKey(key, {})
    expect(await read()).toBe(200)
    test.pass(3_600_000)
    expect(await read()).toBe(401)
    test.changeKey(key, { expiresAt: null })
    expect(await read()).toBe(200)
    test.changeKey(key, { expiresAt: null, revokedAt: '2026-11-21T06:00:00Z' })
    expect(await read()).toBe(401)
  })

  it('cannot be guessed: after sixty wrong ones an address has to wait', async () => {
    const { defaultLimits } = await import('../testing/test-delivery.ts')
    await open({ rateLimits: defaultLimits })
    await test.publish(values)
    const { headers } = test.addKey('b2m')
    expect((await test.ask(snapshotPath, { headers })).status).toBe(200)
    const statuses = new Set<number>()
    for (let tried = 0; tried < 62; tried += 1) {
      const authorization = `Bearer ${newToken('b2m').token}`
      statuses.add((await test.ask(snapshotPath, { headers: { authorization } })).status)
    }
    expect([...statuses]).toEqual([401, 429])
    // A key that has been accepted before is not slowed down by guesses from the same address.
    expect((await test.ask(snapshotPath, { headers })).status).toBe(200)
  })
})

describe('what a key may not see', () => {
  it('is said to be out of scope when the key is restricted in its own organization', async () => {
    for (const kind of ['b2m', 'm2m'] as const) {
      for (const rights of [{ environmentIds: [] }, { schemaIds: [] }]) {
        const { headers } = test.addKey(kind, rights)
        for (const path of [
          snapshotPath,
          `${snapshotPath}/1`,
          `${snapshotPath}/stream`,
          '/organizations/acme/config/values?environment=production',
        ]) {
          const answer = await test.ask(path, { headers })
          expect([path, answer.status, (answer.json() as { code: string }).code]).toEqual([
            path,
            403,
            'key_scope_forbidden',
          ])
        }
      }
    }
  })
})

describe('pages of other origins', () => {
  it('may send a preflight without credentials, cached for a day', async () => {
    const answer = await test.ask(snapshotPath, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'GET' },
    })
    expect(answer.status).toBe(204)
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-max-age': '86400',
    })
    const allowed = answer.headers['access-control-allow-headers'] ?? ''
    for (const name of ['If-None-Match', 'Authorization', 'Content-Type']) {
      expect(allowed).toContain(name)
    }
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
  })

  it.each([
    snapshotPath,
    `${snapshotPath}/1`,
    `${snapshotPath}/stream`,
    '/organizations/acme/config/values',
    '/organizations/acme/config/feature-flags/beta/evaluate',
    '/ofrep/v1/evaluate/flags',
    '/ofrep/v1/evaluate/flags/beta',
    '/organizations/acme/environments/production/schemas/web/ofrep/v1/evaluate/flags',
    '/.well-known/signalbox-keys',
  ])('may send %s whatever headers their tracing adds', async (path) => {
    const names =
      'sentry-trace,baggage,traceparent,tracestate,b3,x-datadog-trace-id,x-b3-traceid,newrelic'
    const answer = await test.ask(path, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-headers': names },
    })
    expect(answer.status).toBe(204)
    const allowed = answer.headers['access-control-allow-headers']?.split(/, ?/)
    expect(allowed).toEqual(expect.arrayContaining(['Authorization', ...names.split(',')]))
    expect(answer.headers.vary).toBe('Access-Control-Request-Headers')
  })

  it('control: get no header back that is none', async () => {
    const answer = await test.ask(snapshotPath, {
      method: 'OPTIONS',
      headers: { 'access-control-request-headers': 'x-a: <b>' },
    })
    expect([answer.status, answer.headers['access-control-allow-headers']]).toEqual([
      204,
      expect.not.stringContaining('x-a'),
    ])
  })

  it('read with a restricted key only from its origins, and a cache keeps the answers apart', async () => {
    const { headers } = test.addKey('b2m', { allowedOrigins: ['https://app.example'] })
    const from = (origin: string) => test.ask(snapshotPath, { headers: { ...headers, origin } })
    const allowed = await from('https://app.example')
    expect(allowed.status).toBe(200)
    expect(allowed.headers['access-control-allow-origin']).toBe('https://app.example')
    expect(allowed.headers['access-control-allow-credentials']).toBeUndefined()
    expect(allowed.headers.vary).toBe('Accept-Encoding, Authorization, Origin')
    const refused = await from('https://evil.example')
    expect([refused.status, refused.json()]).toEqual([
      403,
      expect.objectContaining({ code: 'origin_forbidden' }),
    ])
    expect((await test.ask(snapshotPath, { headers })).status).toBe(200)
  })
})

describe('methods and paths', () => {
  it('that do not exist are refused, and the allowed methods named', async () => {
    const { headers } = test.addKey('b2m')
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const answer = await test.ask(snapshotPath, { method, headers })
      expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
    }
    for (const path of ['/', '/snapshots/', '/snapshots/a', '/snapshots//b', '/organizations/a']) {
      expect([path, (await test.ask(path, { headers })).status]).toEqual([path, 404])
    }
    const broken = await test.ask('/organizations/%zz/config/values?environment=x', { headers })
    expect(broken.status).toBe(400)
    expect((await test.ask(`${snapshotPath}?${'x'.repeat(5_000)}`, { headers })).status).toBe(414)
    const twice = `${snapshotPath}?apiKey=a&apiKey=b`
    expect((await test.ask(twice)).status).toBe(400)
  })

  it('too large to be read are refused before they are a request', async () => {
    const answer = await test.ask(snapshotPath, { headers: { 'x-large': 'x'.repeat(17_000) } })
    expect([answer.status, answer.json()]).toEqual([
      431,
      expect.objectContaining({ code: 'headers_too_large' }),
    ])
  })
})

function comparable(answer: Awaited<ReturnType<TestDelivery['ask']>>) {
  const { date: _, 'x-request-id': id, ...headers } = answer.headers
  return { status: answer.status, headers, text: answer.text.replaceAll(String(id), 'req') }
}

async function until<T>(read: () => Promise<T>, holds: (result: T) => boolean): Promise<T> {
  const deadline = performance.now() + 20_000
  for (;;) {
    const result = await read()
    if (holds(result) || performance.now() > deadline) return result
  }
}
