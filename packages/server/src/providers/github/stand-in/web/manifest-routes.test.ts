import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { openSandbox } from '../../../../../../sandbox/src/testing/open-sandbox.ts'
import { createGithubClient } from '../testing/github-client.ts'
import { startReceiver } from '../testing/receiver.ts'
import { signAppJwt } from '../testing/sign-app-jwt.ts'

const sandbox = await openSandbox()
const client = createGithubClient(sandbox)
const receiver = await startReceiver()

afterEach(() => {
  receiver.received.length = 0
  sandbox.reset()
})
afterAll(() => receiver.close())

const manifest = (more: Readonly<Record<string, unknown>> = {}) => ({
  name: 'Signalbox (acme)',
  url: 'http://127.0.0.1:4400',
  hook_attributes: { url: receiver.url },
  redirect_url: 'http://127.0.0.1:4400/registered',
  callback_urls: ['http://127.0.0.1:4400/callback'],
  default_events: ['deployment'],
  default_permissions: { deployments: 'read', metadata: 'read' },
  request_oauth_on_install: true,
  ...more,
})

const register = async (path = '/settings/apps', given: unknown = manifest(), name?: string) => {
  const response = await client.submit(path, {
    manifest: JSON.stringify(given),
    state: 'opaque',
    ...(name !== undefined && { name }),
  })
  const to = new URL(response.headers.get('location') ?? 'about:blank')
  return { status: response.status, to, code: to.searchParams.get('code') ?? '' }
}

interface Conversion {
  readonly id: number
  readonly pem: string
  readonly webhook_secret: string
}

const convert = (code: string) => client.api(`POST /app-manifests/${code}/conversions`)

describe('an app manifest', () => {
  it('is shown to whoever is to register it, who may name it otherwise', async () => {
    const response = await client.submit('/settings/apps/new?state=opaque', {
      manifest: JSON.stringify(manifest()),
    })
    const page = await response.text()
    expect(response.status).toBe(200)
    for (const part of ['Signalbox (acme)', 'deployments: read', 'value="opaque"', receiver.url]) {
      expect(page).toContain(part)
    }
    expect(page).toContain(`action="${sandbox.addresses.githubWeb}/settings/apps"`)
  })

  it('becomes an app whose key signs, whose secret verifies and which is pinged', async () => {
    const { to, code } = await register()
    expect(to.pathname).toBe('/registered')
    expect(to.searchParams.get('state')).toBe('opaque')
    const { status, body } = await convert(code)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      slug: 'signalbox-acme',
      client_id: expect.any(String),
      client_secret: expect.any(String),
      owner: { login: 'ada' },
      permissions: { deployments: 'read', metadata: 'read' },
      events: ['deployment'],
    })
    const { id, pem, webhook_secret: secret } = body as Conversion
    expect(pem).toContain('BEGIN RSA PRIVATE KEY')
    const token = signAppJwt({ id, privateKey: pem }, sandbox.clock.now())
    expect((await client.api('GET /app', { token })).body).toMatchObject({ id })
    await sandbox.github.hooks.settled()
    expect(receiver.events()).toEqual(['ping'])
    expect(receiver.received[0]?.isSignedWith(secret)).toBe(true)
  })

  it('makes several apps, each with a key of its own', async () => {
    const bodies: Conversion[] = []
    for (const name of ['One', 'Two']) {
      const { code } = await register('/settings/apps', manifest(), name)
      bodies.push((await convert(code)).body as Conversion)
    }
    const [one, two] = bodies
    expect(one?.pem).not.toBe(two?.pem)
    const token = signAppJwt({ id: one?.id ?? 0, privateKey: two?.pem ?? '' }, new Date())
    expect((await client.api('GET /app', { token })).status).toBe(401)
  })

  it('belongs to the organization whose page it was sent to', async () => {
    const { code } = await register('/organizations/acme/settings/apps')
    expect((await convert(code)).body).toMatchObject({ owner: { login: 'acme' } })
    expect((await register('/organizations/ada/settings/apps')).status).toBe(404)
  })

  it('makes an app for its owner alone, unless it is to be public', async () => {
    const install = async (slug: string, account: string) =>
      (await client.submit(`/apps/${slug}/installations/new`, { account })).status
    const path = '/organizations/acme/settings/apps'
    await register(path, manifest(), 'Ours')
    await register(path, manifest({ public: true }), 'Everybody’s')
    expect([await install('ours', 'acme'), await install('ours', 'ada')]).toEqual([302, 404])
    expect(await install('everybody-s', 'ada')).toBe(302)
    expect(await (await client.open('/apps/ours/installations/new')).text()).not.toContain('ada')
  })

  it('is converted once, and within the hour', async () => {
    const { code } = await register()
    expect((await convert(code)).status).toBe(201)
    expect((await convert(code)).status).toBe(404)
    const { code: late } = await register('/settings/apps', manifest(), 'Later')
    sandbox.clock.advance(3_600_000)
    expect((await convert(late)).status).toBe(404)
    expect((await convert('unknown')).status).toBe(404)
  })

  it('is told of nothing while its webhook is not active', async () => {
    await register(
      '/settings/apps',
      manifest({ hook_attributes: { url: receiver.url, active: false } }),
    )
    await sandbox.github.hooks.settled()
    expect(receiver.events()).toEqual([])
  })

  it('cannot take a name that is in use', async () => {
    await register()
    expect((await register()).status).toBe(422)
  })

  it.each([
    ['no name', { name: undefined }],
    ['no home page', { url: undefined }],
    ['no address to go on to', { redirect_url: 'nowhere' }],
    ['a hook without an address', { hook_attributes: {} }],
    ['a callback that is no address', { callback_urls: ['nowhere'] }],
    ['eleven callbacks', { callback_urls: Array.from({ length: 11 }, () => 'http://127.0.0.1') }],
    ['a permission that does not exist', { default_permissions: { everything: 'write' } }],
  ])('is refused with %s', async (_, more) => {
    expect((await register('/settings/apps', manifest(more))).status).toBe(422)
  })

  it('is refused when it is no JSON', async () => {
    for (const path of ['/settings/apps', '/settings/apps/new']) {
      expect((await client.submit(path, { manifest: '{' })).status).toBe(422)
    }
  })
})
