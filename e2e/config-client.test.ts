import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bundleForBrowser } from '../packages/config/src/testing/bundle.ts'
import {
  browserKey,
  environmentId,
  schemaId,
  startSnapshotServer,
  type SnapshotServer,
} from '../packages/config/src/testing/snapshot-server.ts'
import { shareBrowser } from './browser.ts'

let browser: Browser
let script: string
let server: SnapshotServer
let site: Server
let page: Page
const complaints: string[] = []

beforeAll(async () => {
  browser = await shareBrowser()
  script = await bundleForBrowser("export { createConfigClient } from '@signalbox/config/client'")
})

beforeEach(async () => {
  complaints.length = 0
  server = await startSnapshotServer()
  site = createServer((request, response) => {
    const isScript = request.url === '/client.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : render(server.url))
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  page = await browser.newPage()
  page.on('pageerror', (error) => complaints.push(error.message))
})

afterEach(async () => {
  await page.close()
  await server.stop()
  await new Promise((resolve) => site.close(resolve))
})

/** An app that shows two values and where they came from. */
const render = (serverUrl: string) => `<!doctype html><title>app</title><pre></pre>
<script type="module">
  import { createConfigClient } from '/client.js'
  // The shortest of every jittered wait.
  Math.random = () => 0
  const client = createConfigClient(${JSON.stringify({ serverUrl, token: browserKey, schemaId, environmentId })})
  window.client = client
  const show = () => {
    const { public: values, featureFlags } = client.snapshot()
    const text = [values.pageSize, featureFlags.newCheckout, client.status.source].join(' ')
    document.querySelector('pre').textContent = text
  }
  show()
  window.first = document.querySelector('pre').textContent
  client.subscribe(show)
  client.ready().then(show)
</script>`

const open = () => {
  const { port } = site.address() as AddressInfo
  return page.goto(`http://127.0.0.1:${port}/`)
}
const shown = (text: string) =>
  page.waitForFunction((wanted) => document.querySelector('pre')?.textContent === wanted, text)
const preflights = () => server.requests.filter(({ line }) => line.startsWith('OPTIONS'))

describe('the client in Chromium', () => {
  it('reads across origins, with the key in the URL and without a single preflight', async () => {
    await open()
    await shown('20 false network')
    await expect.poll(() => server.openStreams()).toBe(1)
    expect(preflights()).toEqual([])
    for (const { line, headers } of server.requests) {
      expect(line).toContain(`?apiKey=${browserKey}`)
      expect(headers.authorization).toBeUndefined()
    }
    expect(complaints).toEqual([])
  })

  it('control: a header set by hand is preflighted, and that is seen here', async () => {
    await open()
    await page.evaluate(
      `fetch('${server.url}/', { headers: { authorization: 'Bearer x' } }).catch(() => {})`,
    )
    expect(preflights().length).toBeGreaterThan(0)
  })

  it('shows a flipped flag without a reload', async () => {
    await open()
    await expect.poll(() => server.openStreams()).toBe(1)
    server.publish({ featureFlags: { newCheckout: true } })
    await shown('20 true network')
    expect(preflights()).toEqual([])
  })

  it('asks for what it has with its ETag, and still without a preflight', async () => {
    await open()
    await shown('20 false network')
    await page.evaluate('client.refresh()')
    const [first, again] = server.requests.filter(({ line }) => !line.includes('/stream'))
    expect(first?.headers['if-none-match']).toBeUndefined()
    expect(again?.headers['if-none-match']).toBe('"v1"')
    expect(preflights()).toEqual([])
  })

  it('starts from what it had while the server is gone, and recovers by itself', async () => {
    await open()
    await shown('20 false network')
    await server.stop()
    await page.reload()
    await shown('20 false persisted')
    expect(await page.evaluate('first')).toBe('20 false persisted')
    expect(await page.evaluate('client.status.stale')).toBe(true)
    await server.restart()
    server.publish({ public: { pageSize: 30 } })
    await shown('30 false network')
    expect(complaints).toEqual([])
  })

  it('opens a refused stream again, which the platform would not', async () => {
    server.behave('well', { status: 503 })
    await open()
    await shown('20 false network')
    await expect
      .poll(() => server.requests.filter(({ line }) => line.includes('/stream')).length)
      .toBeGreaterThan(1)
    server.behave('well')
    await expect.poll(() => server.openStreams()).toBe(1)
    server.publish({ public: { pageSize: 40 } })
    await shown('40 false network')
  })

  it('rests while nobody looks', async () => {
    await open()
    await expect.poll(() => server.openStreams()).toBe(1)
    await page.evaluate(`
      Object.defineProperty(document, 'hidden', { configurable: true, value: true })
      document.dispatchEvent(new Event('visibilitychange'))`)
    await expect.poll(() => server.openStreams()).toBe(0)
    server.publish({ public: { pageSize: 50 } })
    await page.evaluate(`
      Object.defineProperty(document, 'hidden', { configurable: true, value: false })
      document.dispatchEvent(new Event('visibilitychange'))`)
    await shown('50 false network')
    await expect.poll(() => server.openStreams()).toBe(1)
  })

  it('refuses a secret token at once', async () => {
    await open()
    const rejection = await page.evaluate(`import('/client.js').then(({ createConfigClient }) => {
      try { createConfigClient({ token: 'sbx_m2m_x' }) } catch (error) { return error.code }
    })`)
    expect(rejection).toBe('forbidden')
    expect(server.requests.some(({ line }) => line.includes('m2m'))).toBe(false)
  })
})
