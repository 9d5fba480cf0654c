import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startAcme, type Acme } from './acme.ts'
import { copyNextApp, nextAppEnv, nextAppSchema, type NextProject } from './next-project.ts'
import { listen } from '../test/testing/network/ports.ts'

let acme: Acme
let app: NextProject

beforeAll(async () => {
  ;[acme, app] = await Promise.all([startAcme('next-app', nextAppSchema), copyNextApp()])
  await acme.set({ adminToken: 'canary-that-no-browser-sees' })
  // Keeps the cache of the first build: the other two reuse it.
  const options = 'export default { experimental: { turbopackFileSystemCacheForBuild: true } }\n'
  await app.write('next.config.ts', options)
}, 150_000)

afterAll(() => Promise.all([app?.remove(), acme?.close()]))

/** A page of the build that hands `given` to a client component. */
const staticPage = (given: string) => `import { getServerConfig } from '@signalbox/next/server'
import { Checkout } from './checkout'
import { configSource } from './config-source'
import { Show } from './show'
export const dynamic = 'force-static'
export default async function Page() {
  const found = await getServerConfig({ ...configSource, apiKey: process.env['SIGNALBOX_TOKEN'] })
  return <><Checkout /><Show given={${given}} /></>
}
`

const plainPage = `import { getConfig } from '@signalbox/next/server'
import config from '../signalbox.config'
import { configSource } from './config-source'
export default async function Page() {
  return <h1>{(await getConfig({ ...configSource, config })).public.greeting}</h1>
}
`

async function build(
  given: string,
): Promise<{ readonly code: number | null; readonly output: string }> {
  await app.write('app/page.tsx', staticPage(given))
  await app.write(
    'app/show.tsx',
    `'use client'
export const Show = ({ given }: { readonly given: object }) => <p>{Object.keys(given).join()}</p>
`,
  )
  return app.build(nextAppEnv(acme))
}

describe('a static page that hands values to a client component', { timeout: 300_000 }, () => {
  it('fails the build when secrets are among them', async () => {
    const { code, output } = await build('found')
    expect(output).toMatch(/Only plain objects.*can be passed to Client Components/)
    expect(code).not.toBe(0)
    expect(output).not.toContain('canary-that-no-browser-sees')
  })

  it('control: is built with those that are public', async () => {
    const { code, output } = await build('{ ...found.public, ...found.status }')
    expect([code, output]).toEqual([0, expect.stringContaining('Generating static pages')])
  })
})

describe('a build while Signalbox is silent', { timeout: 300_000 }, () => {
  it('ends, with the defaults of the definition', async () => {
    const silent = createServer(() => {})
    const port = await listen(silent)
    await app.write('app/page.tsx', plainPage)
    const { code, output } = await app.build({
      ...nextAppEnv(acme),
      SIGNALBOX_CONFIG_URL: `http://127.0.0.1:${port}`,
    })
    silent.close()
    expect([code, output]).toEqual([0, expect.stringContaining('No response within')])
    const { found } = await app.search('.next/server/app', '<h1>Hello</h1>')
    expect(found.some((path) => path.endsWith('index.html'))).toBe(true)
  })
})
