import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startAcme, type Acme } from './acme.ts'
import { openBrowser } from './browser.ts'
import {
  copyNextApp,
  nextAppEnv,
  nextAppSchema,
  type NextProject,
  type NextServer,
} from './next-project.ts'

const canary = 'canary-that-no-browser-sees'

/** Holds a route that is rendered again each second, and shows its process and its values. A layout would read too. */
const eachSecond = `import { getConfig } from '@signalbox/next/server'
import { configSource } from '../config-source'
import config from '../../signalbox.config'
export const dynamic = 'force-static'
export async function GET() {
  const fetchOptions = { next: { revalidate: 1 } }
  const { public: values, status } = await getConfig({ ...configSource, config, fetchOptions })
  return Response.json([process.pid, values.greeting, status.source])
}
`

/** A page that hands secrets to a client component. */
const leak = `import { getServerConfig } from '@signalbox/next/server'
import { configSource } from '../config-source'
import { Show } from './show'
export default async function Page() {
  const { secret } = await getServerConfig({ ...configSource, apiKey: process.env['SIGNALBOX_TOKEN'] })
  return <Show given={secret} />
}
`
const show = `'use client'
export function Show({ given }: { readonly given: object }) {
  return <p>{Object.keys(given).join()}</p>
}
`

let acme: Acme
let app: NextProject
let server: NextServer
let browser: Browser

const env = () => nextAppEnv(acme)

beforeAll(async () => {
  ;[acme, app, browser] = await Promise.all([
    startAcme('next-app', nextAppSchema),
    copyNextApp(),
    openBrowser(),
  ])
  await acme.set({ adminToken: canary, greeting: 'Good morning' })
  await app.write('app/each-second/route.ts', eachSecond)
  await app.write('app/leak/page.tsx', leak)
  await app.write('app/leak/show.tsx', show)
  const { code, output } = await app.build(env())
  if (code !== 0) throw new Error(output)
  server = await app.start(env())
}, 300_000)

afterAll(async () => {
  await server?.stop()
  await Promise.all([app?.remove(), acme?.close(), browser?.close()])
})

const html = async (path = '/') => (await fetch(server.url + path)).text()

interface OpenPage {
  readonly page: Page
  /** Everything that the page complained about, hydration included. */
  readonly complaints: readonly string[]
}

async function open(): Promise<OpenPage> {
  const page = await browser.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (/^(error|warning)$/.test(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(server.url)
  return { page, complaints }
}

describe('the Next.js example', () => {
  it('renders with its values on the server, and the browser agrees', async () => {
    expect(await html()).toContain('<h1>Good morning</h1>')
    const { page, complaints } = await open()
    await page.getByRole('heading', { name: 'The checkout', exact: true }).waitFor()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Good morning')
    expect(complaints).toEqual([])
    await page.close()
  })

  it('shows a flipped flag to whoever looks, without a reload', async () => {
    const { page, complaints } = await open()
    await page.evaluate('window.isTheSamePage = true')
    await acme.set({ newCheckout: true, pageSize: 30 })
    await page.getByRole('heading', { name: 'The new checkout' }).waitFor()
    await page.getByText('30 items on a page').waitFor()
    expect(await page.evaluate('window.isTheSamePage')).toBe(true)
    expect(complaints).toEqual([])
    await page.close()
  })

  it('renders its static page anew when a value changes, and hydrates it', async () => {
    await acme.set({ greeting: 'Good evening' })
    await expect.poll(() => html()).toContain('<h1>Good evening</h1>')
    const { page, complaints } = await open()
    await page.getByRole('heading', { name: 'The new checkout' }).waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })

  it('control: without being told, the static page stays as it is for its minute', async () => {
    const { CONFIG_WEBHOOK_SECRET: _, ...untold } = env()
    await server.stop()
    server = await app.start(untold)
    const before = await html()
    await acme.set({ greeting: 'Good night' })
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    expect(await html()).toBe(before)
    expect(before).not.toContain('Good night')
  })

  it('opens with its secret, on the server alone', async () => {
    const ask = async (token: string) =>
      (await fetch(`${server.url}/admin`, { headers: { authorization: `Bearer ${token}` } })).status
    expect(await ask(canary)).toBe(200)
    expect(await ask('guess')).toBe(401)
  })

  it('answers with an error rather than send secrets to a client component', async () => {
    const answer = await fetch(`${server.url}/leak`)
    expect(answer.status).toBe(500)
    expect(await answer.text()).not.toContain(canary)
    expect(server.output()).toMatch(/Only plain objects.*can be passed to Client Components/)
  })

  it.each([canary, 'adminToken', 'sbx_m2m_', 'whsec_'])(
    'has no byte of "%s" in what browsers get',
    async (text) => {
      expect(await html()).not.toContain(text)
      const { found, files } = await app.search('.next/static', text)
      expect(found).toEqual([])
      expect(files).toBeGreaterThan(5)
    },
  )

  it('control: what is in there is found', async () => {
    expect((await app.search('.next/static', 'The new checkout')).found).toHaveLength(1)
  })

  it('keeps no secret on its disk', async () => {
    for (const folder of ['.next/cache', '.next/server']) {
      expect((await app.search(folder, canary)).found).toEqual([])
    }
  })
})

describe('the Next.js example while Signalbox is gone', () => {
  it('starts, keeps its values when it renders anew, and says that they are old', async () => {
    const shown = async (): Promise<unknown[]> => JSON.parse(await html('/each-second'))
    const renderer = async () => (await shown())[0]
    const built = await renderer()
    await expect.poll(renderer).not.toBe(built)
    const [before, ...seen] = await shown()
    expect(seen).toEqual([expect.stringMatching(/^Good (evening|night)$/), 'network'])
    await server.stop()
    await acme.service.stop()
    server = await app.start(env())
    await expect.poll(renderer).not.toBe(before)
    expect((await shown()).slice(1)).toEqual([seen[0], 'persisted'])
    const { page, complaints } = await open()
    await page.getByRole('heading', { name: /checkout/ }).waitFor()
    // The browser itself reports a refused connection.
    expect(complaints.filter((text) => !text.includes('ERR_CONNECTION_REFUSED'))).toEqual([])
    await page.close()
  })
})
