import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  browserKey,
  startSnapshotServer,
  type SnapshotServer,
} from '../packages/config/src/testing/snapshot-server.ts'
import { startAcme, type Acme } from './acme.ts'
import { openBrowser } from './browser.ts'
import { copyViteApp, type ViteProject } from './vite-project.ts'

/** Holds the schema that `signalbox push` makes of the example's definition. */
const schema = {
  greeting: { type: 'string', tier: 'public', default: 'Hello' },
  pageSize: { type: 'number', tier: 'public', default: 20 },
  paymentToken: { type: 'string', tier: 'secret' },
  mailPassword: { type: 'string', tier: 'secret' },
  newCheckout: { type: 'boolean', tier: 'featureFlags', default: false },
}
const canaries = { paymentToken: 'pay_canary_7Fq2ZxW9', mailPassword: 'Mäil&canary"51-xyz' }

let browser: Browser
let page: Page
const complaints: string[] = []

beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())
beforeEach(async () => {
  complaints.length = 0
  page = await browser.newPage()
  page.on('pageerror', (error) => complaints.push(error.message))
})
afterEach(() => page.close())

const shown = (selector: string, text: string) =>
  page.waitForFunction(
    ([where, wanted]) => document.querySelector(where ?? '')?.textContent === wanted,
    [selector, text],
  )

describe('the example against the service', () => {
  let acme: Acme
  let project: ViteProject
  let site: Awaited<ReturnType<ViteProject['serve']>>
  let env: Record<string, string>

  beforeAll(async () => {
    acme = await startAcme('vite-app', schema)
    await acme.set(canaries)
    project = await copyViteApp()
    env = {
      SIGNALBOX_CONFIG_URL: acme.service.configUrl,
      SIGNALBOX_ORGANIZATION: 'acme',
      SIGNALBOX_ENVIRONMENT: 'production',
      SIGNALBOX_BROWSER_KEY: acme.browserKey,
      SIGNALBOX_TOKEN: acme.serverKey,
    }
    const { code, output } = await project.build(env)
    if (code !== 0 || !output.includes('Searched 4 files for 2 names and 2 values'))
      throw new Error(output)
    site = await project.serve()
  })

  afterAll(async () => {
    await site?.close()
    await project?.remove()
    await acme?.close()
  })

  it('shows a flipped flag and another value live, without a reload', async () => {
    await page.goto(site.url)
    await shown('button', 'Continue to checkout')
    await shown('h1', 'Hello')
    await shown('small', 'network')
    await page.evaluate(() => Object.assign(window, { same: true }))
    await acme.set({ newCheckout: true, greeting: 'Good morning' })
    await shown('button', 'Buy now')
    await shown('h1', 'Good morning')
    expect(await page.evaluate('window.same')).toBe(true)
    expect(complaints).toEqual([])
  })

  it('has none of its secrets in what was built, source maps included', async () => {
    const files = await project.readBuilt()
    expect([...files.keys()].some((path) => path.endsWith('.map'))).toBe(true)
    for (const [path, text] of files) {
      for (const value of [...Object.values(canaries), acme.serverKey]) {
        expect([path, text.includes(value)]).toEqual([path, false])
      }
      expect([path, /paymentToken|mailPassword/.test(text)]).toEqual([path, false])
    }
  })

  it('is not built with a secret in it, and the value is not printed', async () => {
    const { paymentToken } = canaries
    const planted = {
      literal: JSON.stringify(paymentToken),
      'two literals': `'${paymentToken.slice(0, 7)}' + '${paymentToken.slice(7)}'`,
      'in base64': JSON.stringify(btoa(paymentToken)),
    }
    for (const [how, code] of Object.entries(planted)) {
      await project.write('src/leak.ts', `export const leak = ${code}\n`)
      const main = `import { leak } from './leak.ts'\nconsole.log(leak)\n`
      await project.write('src/main.tsx', main)
      const { code: exit, output } = await project.build(env)
      expect([how, exit]).toEqual([how, 1])
      expect(output).toMatch(
        /assets\/index-[^:]+\.js:\d+:\d+ holds the value of the secret 'paymentToken'/,
      )
      expect(output).toMatch(/\.js\.map, of .*src\/leak\.ts:1:\d+ holds the value/)
      expect(output).not.toContain(paymentToken)
    }
  }, 120_000)

  it('is not built with the definition in it, or with a file to copy that has a secret', async () => {
    const copied = join(project.directory, 'public')
    await mkdir(copied)
    await writeFile(join(copied, 'notes.txt'), `\n${canaries.mailPassword}`)
    expect((await project.build(env)).output).toMatch(
      /public\/notes\.txt:2:1 holds the value of the/,
    )
    await rm(copied, { recursive: true })
    await project.write('src/main.tsx', `console.log(['paymentToken', 'mailPassword'])\n`)
    expect((await project.build(env)).output).toContain(
      "holds the names of secrets: 'paymentToken', 'mailPassword'",
    )
    await project.write(
      'src/main.tsx',
      `import config from '../signalbox.config.ts'\nconsole.log(config)\n`,
    )
    const definition = await project.build(env)
    expect([definition.code, definition.output]).toEqual([
      1,
      expect.stringContaining('definition-is-not-for-browsers'),
    ])
  }, 120_000)

  it('control: with the check off the secret is in the build', async () => {
    await project.write('src/main.tsx', `console.log('${canaries.paymentToken}')\n`)
    const config = `import { signalbox } from '@signalbox/vite'
export default { plugins: [signalbox({ environment: 'production', leakCheck: false })] }\n`
    await project.write('vite.config.ts', config)
    expect((await project.build(env)).code).toBe(0)
    const files = [...(await project.readBuilt()).values()]
    expect(files.some((text) => text.includes(canaries.paymentToken))).toBe(true)
  })
})

describe('the example while it is developed', () => {
  it('reads the service, follows it, and shows an edited file without losing that', async () => {
    const server = await startSnapshotServer({
      schema: 'vite-app',
      public: { greeting: 'Hi', pageSize: 30 },
      secret: {},
    })
    const project = await copyViteApp()
    const dev = await project.develop({
      SIGNALBOX_CONFIG_URL: server.url,
      SIGNALBOX_ORGANIZATION: 'acme',
      SIGNALBOX_ENVIRONMENT: 'production',
      SIGNALBOX_BROWSER_KEY: browserKey,
    })
    try {
      page.on('console', (message) => {
        if (/^(error|warning)$/.test(message.type())) complaints.push(message.text())
      })
      await page.goto(dev.url)
      await shown('h1', 'Hi')
      await expect.poll(() => server.openStreams()).toBe(1)
      server.publish({ featureFlags: { newCheckout: true } })
      await shown('button', 'Buy now')
      const shop = await readFile(join(project.directory, 'src/shop.tsx'), 'utf8')
      await project.write('src/shop.tsx', shop.replace('Buy now', 'Buy at once'))
      await shown('button', 'Buy at once')
      server.publish({ public: { greeting: 'Hello again', pageSize: 30 } })
      await shown('h1', 'Hello again')
      expect(complaints).toEqual([])
    } finally {
      await dev.close()
      await project.remove()
      await server.stop()
    }
  })
})

describe('how the page is read first', () => {
  let server: SnapshotServer
  let project: ViteProject

  beforeAll(async () => {
    project = await copyViteApp()
  })
  afterAll(() => project?.remove())
  beforeEach(async () => {
    const content = { greeting: 'Hi', pageSize: 30 }
    server = await startSnapshotServer({ schema: 'vite-app', public: content, secret: {} })
  })
  afterEach(() => server.stop())

  // The build asks too, whether the server has the schema.
  let byBuild = { asked: 0, requests: 0 }
  const askedByPage = () => server.asked() - byBuild.asked

  /** Builds the example with options of the plugin, and opens it. */
  async function open(options: string, main?: string) {
    await project.write(
      'vite.config.ts',
      `import { signalbox } from '@signalbox/vite'
import react from '@vitejs/plugin-react'
export default { plugins: [react(), signalbox({ environment: 'production', ${options} })] }\n`,
    )
    if (main !== undefined) await project.write('src/main.tsx', main)
    const { code, output } = await project.build({
      SIGNALBOX_CONFIG_URL: server.url,
      SIGNALBOX_ORGANIZATION: 'acme',
      SIGNALBOX_BROWSER_KEY: browserKey,
    })
    if (code !== 0) throw new Error(output)
    byBuild = { asked: server.asked(), requests: server.requests.length }
    return project.serve()
  }

  it.each(["preload: 'link'", "preload: 'inline'", "inject: 'build'", 'preload: false'])(
    '%s: one request on the wire, and no preflight',
    async (options) => {
      const site = await open(options)
      await page.goto(site.url)
      await shown('h1', 'Hi')
      await shown('small', 'network')
      await expect.poll(() => server.openStreams()).toBe(1)
      const ofPage = server.requests.slice(byBuild.requests)
      expect(ofPage.map(({ line }) => line.replace(/\?.*/, ''))).toEqual([
        'GET /organizations/acme/config/snapshot',
        expect.stringMatching(/^GET \/snapshots\/.*\/stream$/),
      ])
      expect(complaints).toEqual([])
      await site.close()
    },
  )

  it('the head asks while no script has come, and without it nobody does', async () => {
    await page.route('**/assets/*.js', () => {})
    const eager = await open("preload: 'link'")
    await page.goto(eager.url, { waitUntil: 'commit' })
    await expect.poll(askedByPage).toBe(1)
    await eager.close()
    const late = await open('preload: false')
    await page.goto(late.url, { waitUntil: 'commit' })
    await page.waitForSelector('#root', { state: 'attached' })
    expect(askedByPage()).toBe(0)
    await late.close()
  })

  it('preloadConfig asks once where the head has not', async () => {
    const main = await readFile(`${project.directory}/src/main.tsx`, 'utf8')
    const preloading = `import { preloadConfig } from '@signalbox/vite/client'
preloadConfig({ environment: 'production' })
preloadConfig({ environment: 'production' })
${main}`
    const site = await open('preload: false', preloading)
    await page.goto(site.url)
    await shown('h1', 'Hi')
    await expect.poll(() => server.openStreams()).toBe(1)
    expect(askedByPage()).toBe(1)
    expect(await page.evaluate(`document.querySelectorAll('link[rel=preload]').length`)).toBe(1)
    await site.close()
    await project.write('src/main.tsx', main)
  })
})
