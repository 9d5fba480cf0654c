import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  browserKey,
  environment,
  environmentId,
  orgId,
  schema,
  schemaId,
  startSnapshotServer,
  type SnapshotServer,
} from '../packages/config/src/testing/snapshot-server.ts'
import { shareBrowser } from './browser.ts'
import type { AppProps } from './react-page/app.ts'
import { isNight } from './is-night.ts'
import { buildReactPage, reacts, type ReactPage, type ReactVersion } from './react-page/build.ts'

let browser: Browser
let pages: ReadonlyMap<ReactVersion, ReactPage>
let react: ReactVersion
let server: SnapshotServer
let site: Server
let page: Page
let props: AppProps
let isRendered: boolean
/** Holds the values that a plugin has written into the page. */
let written: object | undefined
const complaints: string[] = []
/** By day it is the version that is installed. */
const tried = isNight ? reacts : reacts.slice(-1)

beforeAll(async () => {
  browser = await shareBrowser()
  pages = new Map(
    await Promise.all(tried.map(async (each) => [each, await buildReactPage(each)] as const)),
  )
})

beforeEach(async () => {
  complaints.length = 0
  react = '19'
  isRendered = true
  written = undefined
  server = await startSnapshotServer()
  props = {
    baseUrl: server.url,
    apiKey: browserKey,
    schemaId,
    environmentId,
    initialValues: {
      schemaId,
      environmentId,
      version: 1,
      public: { apiUrl: 'https://a.example', pageSize: 20 },
      featureFlags: { newCheckout: false },
    },
  }
  site = createServer((request, response) => {
    const isScript = request.url === '/main.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? built().script : render())
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  page = await browser.newPage()
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // A server that is gone is an error of the network, which the browser writes by itself.
    const isOurs = message.type() === 'error' && !/Failed to load resource/.test(message.text())
    if (isOurs) complaints.push(message.text())
  })
})

afterEach(async () => {
  await page.close()
  await server.stop()
  await new Promise((resolve) => {
    site.close(resolve)
    site.closeAllConnections()
  })
})

const built = (): ReactPage => {
  const found = pages.get(react)
  if (found === undefined) throw new Error(`React ${react} was not built`)
  return found
}

const render = () => {
  const html = isRendered ? built().render(props) : ''
  const given = JSON.stringify({ props, isRendered }).replaceAll('<', '\\u003c')
  return `<!doctype html><title>page</title><div id="root">${html}</div>
<script>Math.random = () => 0; window.given = ${given}; window.signalbox = ${JSON.stringify(written)}</script><script type="module" src="/main.js"></script>`
}

const open = async () => {
  const { port } = site.address() as AddressInfo
  await page.goto(`http://127.0.0.1:${port}/`)
}
const shown = (text: string) =>
  page.waitForFunction((wanted) => document.getElementById('root')?.innerText === wanted, text)
/** Every text that was on the screen, each once. */
const history = () => page.evaluate<string[]>('window.history_')
const renders = () => page.evaluate<Record<string, number>>('({ ...window.renders })')

describe.each(tried)('a page that was rendered on a server by React %s', (version) => {
  beforeEach(() => {
    react = version
  })

  it('is of that version, on both sides', () => {
    expect(built().version.startsWith(`${version}.`)).toBe(true)
    expect(built().script).toContain(`"${built().version}"`)
  })

  it('hydrates without a complaint, and follows the server', async () => {
    await open()
    await shown('20 off network')
    await expect.poll(() => server.openStreams()).toBe(1)
    server.publish({ featureFlags: { newCheckout: true } })
    await shown('20 on network')
    expect(complaints).toEqual([])
  })

  it('hydrates with what it was rendered with, also when it is old and the browser has a newer copy', async () => {
    await open()
    await shown('20 off network')
    server.publish({ public: { pageSize: 30 } })
    await shown('30 off network')
    await server.stop()
    await page.reload()
    await shown('30 off persisted!')
    expect(complaints).toEqual([])
    expect((await history())[0]).toBe('20 off initial')
  })

  it('control: another value on the server than in the browser is complained of here', async () => {
    const { initialValues } = props
    await open()
    complaints.length = 0
    const wrong = { ...initialValues, version: 1, public: { pageSize: 7 }, featureFlags: {} }
    const html = built().render({ ...props, initialValues: wrong })
    const right = render()
    site.removeAllListeners('request')
    site.on('request', (request, response) => {
      const isScript = request.url === '/main.js'
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
      response.end(
        isScript
          ? built().script
          : right.replace(/(<div id="root">).*?(<\/div>\n)/s, `$1${html}$2`),
      )
    })
    await page.reload()
    await shown('20 off network')
    expect(complaints.join()).toMatch(/[Hh]ydrat/)
  })

  it('renders only what reads the key that changed', async () => {
    await open()
    await shown('20 off network')
    await expect.poll(() => server.openStreams()).toBe(1)
    const before = await renders()
    server.publish({ featureFlags: { newCheckout: true } })
    await shown('20 on network')
    const after = await renders()
    expect(after['flag']).toBeGreaterThan(before['flag'] ?? 0)
    expect(after['size']).toBe(before['size'])
  })

  it('never shows another value on the way to the same', async () => {
    props = { ...props, defaults: { pageSize: 5, newCheckout: true } }
    await open()
    await shown('20 off network')
    const texts = (await history()).map((text) => text.replace(/ \w+!?$/, ''))
    expect(new Set(texts)).toEqual(new Set(['20 off']))
  })

  it('closes what it opened when it is taken away', async () => {
    await open()
    await expect.poll(() => server.openStreams()).toBe(1)
    await page.evaluate('window.root.unmount()')
    await expect.poll(() => server.openStreams()).toBe(0)
    const asked = server.asked()
    server.publish({ public: { pageSize: 50 } })
    expect(server.asked()).toBe(asked)
    expect(complaints).toEqual([])
  })
})

describe('what is read', () => {
  const asked = () => server.requests.map(({ line }) => line.replace(/&?apiKey=.*/, ''))
  const byIds = `GET /snapshots/${schemaId}/${environmentId}`
  const byNames = `GET /organizations/${orgId}/config/snapshot?environment=${environment}`

  beforeEach(() => {
    isRendered = false
  })

  it('is the schema that is named, of several', async () => {
    props = { baseUrl: server.url, apiKey: browserKey, orgId, environment, schema }
    await open()
    await shown('20 off network')
    await expect.poll(() => server.openStreams()).toBe(1)
    expect(asked()).toEqual([`${byNames}&schema=${schema}`, `${byIds}/stream?`])
  })

  it('is what the page says, where the provider says nothing', async () => {
    written = { baseUrl: server.url, apiKey: browserKey, orgId, environment, schema }
    props = {}
    await open()
    await shown('20 off network')
    expect(asked()[0]).toBe(`${byNames}&schema=${schema}`)
  })

  it('is what the provider says by ids, whatever the page says by names', async () => {
    written = { baseUrl: server.url, apiKey: browserKey, orgId, environment: 'another' }
    props = { schemaId, environmentId }
    await open()
    await shown('20 off network')
    expect(asked()[0]).toBe(`${byIds}?`)
  })

  it('is what the names mean now, also when it is younger than the copy of what they meant', async () => {
    props = { baseUrl: server.url, apiKey: browserKey, orgId, environment }
    server.publish({ version: 7, public: { pageSize: 70 } })
    await open()
    await shown('70 off network')
    // As after a new start with an empty database.
    const content = { schemaId: schemaId.replace('sch_01', 'sch_02'), public: { pageSize: 20 } }
    server.publish({ version: 1, ...content })
    await page.reload()
    await shown('20 off network')
    expect(complaints).toEqual([])
  })
})

describe.each(tried)('a page without initial values, in React %s', (version) => {
  beforeEach(() => {
    react = version
    isRendered = false
    const { initialValues: _, ...others } = props
    props = { ...others, defaults: { pageSize: 5, newCheckout: false } }
  })

  it('shows the fallback until the first answer', async () => {
    await open()
    await shown('20 off network')
    expect((await history())[0]).toBe('wait')
    expect(complaints).toEqual([])
  })

  it('hydrates the fallback of a server that had no values', async () => {
    isRendered = true
    await open()
    await shown('20 off network')
    expect(complaints).toEqual([])
  })

  it('starts from what the browser has while the server is gone, and says so', async () => {
    await open()
    await shown('20 off network')
    await server.stop()
    await page.reload()
    await shown('20 off persisted!')
    expect((await history()).filter((text) => text.startsWith('5'))).toEqual([])
    await server.restart()
    server.publish({ public: { pageSize: 30 } })
    await shown('30 off network')
    expect(complaints).toEqual([])
  })
})

describe('a server that is gone, at every phase of a start', () => {
  beforeEach(() => {
    isRendered = false
    const { initialValues: _, ...others } = props
    props = { ...others, defaults: { pageSize: 5, newCheckout: true } }
  })

  const phases: [string, () => unknown][] = [
    ['before the request', () => server.stop()],
    ['and takes the request without an answer', () => server.behave('hang')],
    ['within the answer', () => server.behave('hangInBody')],
    ['and cuts the answer', () => server.behave('cut')],
    ['and something else answers', () => server.behave('garbage')],
    ['and answers 503', () => server.behave({ status: 503 })],
    ['and refuses the key', () => server.behave({ status: 401 })],
  ]

  it.each(phases)(
    '%s: the defaults within two seconds, and a status that says so',
    async (_, act) => {
      await act()
      await open()
      await shown('5 on default!')
      expect(await page.evaluate<number>('window.shownAfterMs')).toBeLessThan(15_000)
      expect(complaints).toEqual([])
      // And it comes back by itself.
      server.behave('well')
      await server.restart().catch(() => {})
      // Another version, because what else answered had the ETag of this one.
      server.publish({})
      await shown('20 off network')
      expect(complaints).toEqual([])
    },
  )

  it('after the start: what is known stays, and the status says that it is old', async () => {
    await open()
    await shown('20 off network')
    await server.stop()
    await shown('20 off network!')
    await server.restart()
    await shown('20 off network')
    expect(complaints).toEqual([])
  })

  it('without a default: the reader of the key throws why, into its boundary', async () => {
    await server.stop()
    const { defaults: _, ...others } = props
    props = others
    await open()
    await shown('caught unreachable')
    expect(await page.innerText('#root')).toBe('caught unreachable')
  })
})
