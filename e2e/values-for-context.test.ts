import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { shareBrowser } from './browser.ts'
import { callAs, type Caller } from './call.ts'
import { openCuttingProxy, type CuttingProxy } from './cutting-proxy.ts'
import { bundle } from './react-page/build.ts'
import { ContextApp, type ContextAppProps } from './react-page/context-app.ts'
import { startService, type ServiceProcess } from './start-service.ts'

const bootstrapToken = randomBytes(24).toString('base64url')
let directory: string
let service: ServiceProcess
let owner: Caller
let place: { readonly schemaId: string; readonly environmentId: string }
let key: string
let browser: Browser
let site: Server
let script: string
let props: ContextAppProps
let proxy: CuttingProxy
let page: Page
const complaints: string[] = []
/** Holds the bodies of the responses of the service, those of streams left out. */
let bodies: Promise<string>[]

const onPlan = (value: string) => [{ attribute: 'plan', operator: 'equals', value }]
const rules = {
  seats: [
    { when: onPlan('canary-of-a-plan'), serve: { value: 400 } },
    { when: onPlan('pro'), serve: { value: 100 } },
  ],
  checkout: [{ when: onPlan('pro'), serve: { variant: 'green' } }],
}
const pro = { targetingKey: 'user-1', plan: 'pro' }
const free = { targetingKey: 'user-2', plan: 'free' }

const values = { seats: 5, checkout: false }
const set = (written: object) =>
  owner('PUT', '/config-values', { ...place, values, rules: written })

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-contexts-'))
  await chmod(directory, 0o711)
  const [bundled, started, opened] = await Promise.all([
    bundle(`${import.meta.dirname}/react-page/context-main.ts`, '19'),
    startService({
      env: { SIGNALBOX_DATA_DIR: directory, SIGNALBOX_BOOTSTRAP_TOKEN: bootstrapToken },
    }),
    shareBrowser(),
  ])
  script = bundled
  service = started
  browser = opened
  const organization = await callAs(service.apiUrl, bootstrapToken)<{ id: string }>(
    'POST',
    '/organizations',
    { name: 'Acme' },
  )
  owner = callAs(`${service.apiUrl}/organizations/${organization.id}`, bootstrapToken)
  const environment = await owner<{ id: string }>('POST', '/environments', { name: 'live' })
  const schema = await owner<{ id: string }>('POST', '/config-schemas', {
    name: 'web',
    schema: {
      seats: {
        type: 'number',
        tier: 'public',
        targeted: true,
        default: 5,
        constraints: { minimum: 1, maximum: 500 },
      },
      checkout: {
        type: 'boolean',
        tier: 'featureFlags',
        default: false,
        variants: [
          { name: 'control', on: false },
          { name: 'green', on: true },
        ],
      },
    },
  })
  place = { schemaId: schema.id, environmentId: environment.id }
  const created = await owner<{ secret: string }>('POST', '/api-keys', {
    name: 'page',
    kind: 'b2m',
  })
  key = created.secret
  site = createServer((request, response) => {
    const isScript = request.url === '/main.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : render())
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
  bodies = []
  await set(rules)
  proxy = await openCuttingProxy(service.configUrl)
  // As a server reads them that renders the page.
  const snapshot = await fetch(
    `${service.configUrl}/snapshots/${place.schemaId}/${place.environmentId}?apiKey=${key}`,
  )
  const initialValues = (await snapshot.json()) as NonNullable<
    ContextAppProps['provider']['initialValues']
  >
  props = {
    provider: { baseUrl: proxy.url, apiKey: key, ...place, initialValues },
    contexts: [pro, free],
  }
  page = await browser.newPage()
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // A server that is gone is an error of the network, which the browser writes by itself.
    const isOurs = message.type() === 'error' && !/Failed to load resource/.test(message.text())
    if (isOurs) complaints.push(message.text())
  })
  page.on('response', (response) => {
    const url = response.url()
    if (url.startsWith(proxy.url) && !url.includes('/stream')) {
      bodies.push(response.text().catch(() => ''))
    }
  })
})

afterEach(async () => {
  await page.close()
  await proxy.close()
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
})

function render(): string {
  const html = renderToString(createElement(ContextApp, props))
  const given = JSON.stringify(props).replaceAll('<', '\\u003c')
  return `<!doctype html><title>page</title><div id="root">${html}</div>
<script>window.given = ${given}</script><script type="module" src="/main.js"></script>`
}

const open = () => page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
const shown = (text: string) =>
  page.waitForFunction((wanted) => document.getElementById('root')?.innerText === wanted, text)
const texts = () => page.evaluate<string[]>('window.texts')
const errors = () => page.evaluate<string[]>('window.errors')
const evaluations = () => [...proxy.seen().matchAll(/^POST \/ofrep\/v1\/evaluate/gm)].length

describe('values and variants for one context, in Chromium', () => {
  it('are those of the environment on the server and until the answer, then those of the rules', async () => {
    expect(render()).toContain('[5 off -]')
    await open()
    await shown('[100 on green][5 off control]')
    expect((await texts())[0]).toBe('[5 off -][5 off -]')
    expect(await errors()).toEqual([])
  })

  it('follow a changed rule without a reload', async () => {
    await open()
    await shown('[100 on green][5 off control]')
    const [seats] = rules.seats
    await set({
      seats: [seats, { when: onPlan('free'), serve: { value: 7 } }],
      checkout: [{ when: onPlan('free'), serve: { variant: 'green' } }],
    })
    await shown('[5 off control][7 on green]')
    expect(await errors()).toEqual([])
  })

  it('are asked for once for all who read the same context, and again for another one', async () => {
    props = { ...props, contexts: [pro, pro, pro] }
    await open()
    await shown('[100 on green][100 on green][100 on green]')
    await page.evaluate(`change(${JSON.stringify([free, free, pro])})`)
    await shown('[5 off control][5 off control][100 on green]')
    const before = evaluations()
    await page.evaluate(`change(${JSON.stringify([free, pro, free])})`)
    await shown('[5 off control][100 on green][5 off control]')
    expect(evaluations()).toBe(before)
    expect(before).toBe(2)
  })

  it('stay while the server is away, and follow it when it is back', async () => {
    await open()
    await shown('[100 on green][5 off control]')
    proxy.cut()
    await set({ ...rules, seats: [{ when: onPlan('pro'), serve: { value: 200 } }] })
    await expect.poll(errors).toEqual([expect.stringContaining('unreachable')])
    expect(await page.innerText('#root')).toBe('[100 on green][5 off control]')
    proxy.mend()
    await shown('[200 on green][5 off control]')
  })

  it('are the nearest number of the range, and the provider is told once', async () => {
    props = { ...props, range: { min: 10, max: 50 } }
    expect(render()).toContain('[10 off -]')
    await open()
    await shown('[50 on green][10 off control]')
    await expect.poll(errors).toHaveLength(1)
    expect(await errors()).toEqual([
      'Error: seats is outside of 10 to 50, so the page uses the nearest number. Correct the value and its rules, or the range in the code.',
    ])
  })

  it('come without any rule', async () => {
    await open()
    await shown('[100 on green][5 off control]')
    const all = (await Promise.all(bodies)).join('\n')
    expect(all).toContain('"seats"')
    expect(all).toContain('green')
    expect(all).not.toMatch(/canary|400|operator|equals|plan/)
  })
})
