import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as openId from 'openid-client'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bundleForBrowser } from '../packages/config/src/testing/bundle.ts'
import { shareBrowser } from './browser.ts'
import { callAs, type Caller } from './call.ts'
import { openCuttingProxy, type CuttingProxy } from './cutting-proxy.ts'
import { startService, type ServiceProcess } from './start-service.ts'

interface Key {
  readonly id: string
  readonly secret: string
}

const bootstrapToken = randomBytes(24).toString('base64url')
let directory: string
let service: ServiceProcess
let owner: Caller
let place: { readonly schemaId: string; readonly environmentId: string }
let keys: Record<'browser' | 'server' | 'elsewhere', Key>
let browser: Browser
let site: Server
let proxy: CuttingProxy
let page: Page
const complaints: string[] = []

/** An app as the authors of the SDKs describe it: the provider, a client, and a component that shows a flag. */
const app = `
  import { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
  import { OpenFeature, ProviderEvents } from '@openfeature/web-sdk'
  import { OpenFeatureProvider, useFlag } from '@openfeature/react-sdk'
  import { createElement as h } from 'react'
  import { createRoot } from 'react-dom/client'

  const changes = []
  const client = OpenFeature.getClient()
  client.addHandler(ProviderEvents.ConfigurationChanged, (event) => changes.push(event.flagsChanged))
  function Checkout() {
    const { value, reason } = useFlag('newCheckout', false)
    return h('output', null, String(value) + ' ' + reason)
  }
  Object.assign(window, {
    changes,
    details: (key) => client.getBooleanDetails(key, false),
    number: (key) => client.getNumberDetails(key, -1),
    text: (key) => client.getStringDetails(key, 'none'),
    providerStatus: () => client.providerStatus,
    change: (context) => OpenFeature.setContext(context),
    async start(options, context) {
      await OpenFeature.setContext(context)
      await OpenFeature.setProviderAndWait(new OFREPWebProvider(options)).catch(() => {})
      const main = document.querySelector('main')
      createRoot(main).render(h(OpenFeatureProvider, { suspend: false }, h(Checkout)))
    },
  })
`

const serveToPro = (serve: unknown) => [
  { when: [{ attribute: 'plan', operator: 'equals', value: 'pro' }], serve },
]
const forPro = serveToPro(true)

const set = (body: object) => owner('PUT', '/config-values', { ...place, values: {}, ...body })

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-openfeature-'))
  await chmod(directory, 0o711)
  const [script, started, opened] = await Promise.all([
    bundleForBrowser(app),
    startService({
      env: { SIGNALBOX_DATA_DIR: directory, SIGNALBOX_BOOTSTRAP_TOKEN: bootstrapToken },
    }),
    shareBrowser(),
  ])
  service = started
  browser = opened
  const organization = await callAs(service.apiUrl, bootstrapToken)<{ id: string }>(
    'POST',
    '/organizations',
    { name: 'Acme' },
  )
  owner = callAs(`${service.apiUrl}/organizations/${organization.id}`, bootstrapToken)
  const environment = await owner<{ id: string }>('POST', '/environments', { name: 'live' })
  const other = await owner<{ id: string }>('POST', '/environments', { name: 'other' })
  const schema = await owner<{ id: string }>('POST', '/config-schemas', {
    name: 'web',
    schema: {
      newCheckout: { type: 'boolean' },
      darkMode: { type: 'boolean', default: true },
      dbPassword: { type: 'string' },
      seats: { type: 'number', tier: 'public', targeted: true, default: 5 },
      model: { type: 'string', tier: 'public', targeted: true, default: 'tiny' },
      layout: {
        type: 'boolean',
        default: false,
        variants: [
          { name: 'control', on: false },
          { name: 'blue', on: true },
        ],
      },
    },
  })
  place = { schemaId: schema.id, environmentId: environment.id }
  const keyOf = (kind: string, environmentId: string) =>
    owner<Key>('POST', '/api-keys', { name: kind, kind, environmentIds: [environmentId] })
  keys = {
    browser: await keyOf('b2m', environment.id),
    server: await keyOf('m2m', environment.id),
    elsewhere: await keyOf('b2m', other.id),
  }
  await set({ values: { dbPassword: 'hunter2' } })
  site = createServer((request, response) => {
    const isScript = request.url === '/app.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(
      isScript
        ? script
        : '<!doctype html><main></main><script type="module" src="/app.js"></script>',
    )
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
})

afterAll(async () => {
  await new Promise((resolve) => site?.close(resolve))
  await service?.stop()
  await rm(directory, { recursive: true, force: true })
})

beforeEach(async () => {
  complaints.length = 0
  await set({ values: { newCheckout: false }, rules: { newCheckout: forPro } })
  proxy = await openCuttingProxy(service.configUrl)
  page = await browser.newPage()
  page.on('pageerror', (error) => complaints.push(error.message))
})

afterEach(async () => {
  await page.close()
  await proxy.close()
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
})

/** Opens the app on an origin of its own, whose requests are all across origins. */
async function start(context: object, more: { path?: string; headers?: string[][] } = {}) {
  const { path = '', headers = [['Authorization', `Bearer ${keys.browser.secret}`]] } = more
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
  await page.waitForFunction('window.start')
  await page.evaluate(
    `start(${JSON.stringify({ baseUrl: proxy.url + path, headers })}, ${JSON.stringify(context)})`,
  )
}

const shown = (text: string) => page.getByText(text, { exact: true }).waitFor()
const details = (key: string) => page.evaluate(`details(${JSON.stringify(key)})`)
const countOf = (pattern: RegExp) => [...proxy.seen().matchAll(pattern)].length
const evaluations = () => countOf(/^POST .*\/ofrep\/v1\/evaluate\/flags[ ?]/gm)
const streams = () => countOf(/^GET \/snapshots\/.+\/stream\?events=ofrep/gm)

describe('the published OpenFeature clients in Chromium', () => {
  it('read flags across origins, with their reasons', async () => {
    await start({ targetingKey: 'user-1', plan: 'pro' })
    await shown('true TARGETING_MATCH')
    expect(await details('darkMode')).toMatchObject({ value: true, reason: 'STATIC' })
    expect(await details('nothing')).toMatchObject({ value: false, errorCode: 'FLAG_NOT_FOUND' })
    expect(await details('dbPassword')).toMatchObject({ errorCode: 'FLAG_NOT_FOUND' })
    expect(proxy.seen()).toContain('OPTIONS /ofrep/v1/evaluate/flags')
  })

  it('read them with X-API-Key, and from the path of an environment', async () => {
    const headers = [['X-API-Key', keys.browser.secret]]
    await start({ plan: 'pro' }, { path: '/organizations/acme/environments/live', headers })
    await shown('true TARGETING_MATCH')
    expect(proxy.seen()).not.toMatch(/^authorization: /im)
  })

  it('see another value when the same user has another attribute', async () => {
    await start({ targetingKey: 'user-1', plan: 'free' })
    await shown('false TARGETING_MATCH')
    await page.evaluate(`change({ targetingKey: 'user-1', plan: 'pro' })`)
    await shown('true TARGETING_MATCH')
    expect(proxy.seen().toLowerCase()).toContain('if-none-match')
  })

  it('read numbers, texts and variants with their types, and follow the context', async () => {
    await set({
      values: { seats: 5, model: 'tiny', layout: false },
      rules: {
        seats: serveToPro({ value: 100 }),
        model: serveToPro({ split: [{ value: 'large', percent: 100 }] }),
        layout: serveToPro({ variant: 'blue' }),
      },
    })
    await start({ targetingKey: 'user-1', plan: 'free' })
    await shown('false TARGETING_MATCH')
    const read = (call: string) => page.evaluate(call)
    expect(await read(`number('seats')`)).toMatchObject({ value: 5, variant: '5' })
    expect(await read(`text('model')`)).toMatchObject({ value: 'tiny' })
    expect(await details('layout')).toMatchObject({ value: false, variant: 'control' })
    await page.evaluate(`change({ targetingKey: 'user-1', plan: 'pro' })`)
    await shown('true TARGETING_MATCH')
    expect(await read(`number('seats')`)).toMatchObject({ value: 100, variant: '100' })
    expect(await read(`text('model')`)).toMatchObject({ value: 'large', variant: 'large' })
    expect(await details('layout')).toMatchObject({ value: true, variant: 'blue' })
    expect(await details('seats')).toMatchObject({ value: false, errorCode: 'TYPE_MISMATCH' })
  })

  it('see a change without being asked, and which flag it was', async () => {
    await start({ targetingKey: 'user-1' })
    await shown('false TARGETING_MATCH')
    // The stream says once where it begins.
    await expect.poll(evaluations).toBe(2)
    await set({ values: { newCheckout: true }, rules: { newCheckout: null } })
    await shown('true STATIC')
    expect(await page.evaluate('changes')).toEqual([['newCheckout']])
    expect(streams()).toBe(1)
  })

  it('are told of a change of rules alone', async () => {
    await start({ targetingKey: 'user-1', country: 'DE' })
    await shown('false TARGETING_MATCH')
    await expect.poll(streams).toBe(1)
    const german = { attribute: 'country', operator: 'equals', value: 'DE' }
    await set({ rules: { newCheckout: [{ when: [german], serve: true }] } })
    await shown('true TARGETING_MATCH')
  })

  it('are not disturbed by a change of secrets', async () => {
    await start({ targetingKey: 'user-1' })
    await expect.poll(evaluations).toBe(2)
    await set({ values: { dbPassword: randomBytes(8).toString('hex') } })
    await set({ values: { darkMode: false } })
    await expect.poll(() => details('darkMode')).toMatchObject({ value: false })
    expect(evaluations()).toBe(3)
    await set({ values: { darkMode: true } })
  })

  it('see what changed while their stream was lost, because it is told when they come back', async () => {
    await start({ targetingKey: 'user-1' })
    await shown('false TARGETING_MATCH')
    await expect.poll(evaluations).toBe(2)
    proxy.cut()
    await set({ values: { newCheckout: true }, rules: { newCheckout: null } })
    proxy.mend()
    await shown('true STATIC')
    expect(proxy.seen()).toMatch(/Last-Event-ID: \d+/)
    expect(evaluations()).toBe(3)
  })

  it.each([
    ['a wrong key', () => ({ headers: [['Authorization', 'Bearer sbx_b2m_wrong']] })],
    [
      'a key of another environment',
      () => ({
        path: '/organizations/acme/environments/live',
        headers: [['Authorization', `Bearer ${keys.elsewhere.secret}`]],
      }),
    ],
  ])('give up at once with %s, and show the defaults of the code', async (_, options) => {
    await start({ plan: 'pro' }, options())
    await shown('false ERROR')
    expect(await page.evaluate('providerStatus()')).toBe('FATAL')
    expect(evaluations()).toBe(1)
  })
})

describe('a client of OAuth 2.0 that knows nothing of us', () => {
  it('gets a token for a server key and reads configuration with it', async () => {
    const server = { issuer: service.apiUrl, token_endpoint: `${service.apiUrl}/oauth/token` }
    const configuration = new openId.Configuration(server, keys.server.id, keys.server.secret)
    openId.allowInsecureRequests(configuration)
    const { access_token: token, expires_in: expiresIn } =
      await openId.clientCredentialsGrant(configuration)
    expect(expiresIn).toBe(900)
    const path = '/organizations/acme/config/values?environment=live'
    for (const base of [service.configUrl, service.apiUrl]) {
      const url = new URL(path, base)
      const answer = await openId.fetchProtectedResource(configuration, token, url, 'GET')
      expect(await answer.json()).toMatchObject({ values: { darkMode: true }, environment: 'live' })
    }
  })

  it('is refused with the error of RFC 6749 for a wrong secret', async () => {
    const server = { issuer: service.apiUrl, token_endpoint: `${service.apiUrl}/oauth/token` }
    const configuration = new openId.Configuration(server, keys.server.id, 'sbx_m2m_wrong')
    openId.allowInsecureRequests(configuration)
    await expect(openId.clientCredentialsGrant(configuration)).rejects.toMatchObject({
      error: 'invalid_client',
    })
  })
})
