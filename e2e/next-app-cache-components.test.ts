import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
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

let acme: Acme
let app: NextProject
let server: NextServer
let browser: Browser
let printed: string

beforeAll(async () => {
  ;[acme, app, browser] = await Promise.all([
    startAcme('next-app', nextAppSchema),
    copyNextApp(),
    openBrowser(),
  ])
  await acme.set({ greeting: 'Good morning' })
  await app.write('app/page.tsx', "export { default } from '../cache-components/page'\n")
  const options = await readFile(join(app.directory, 'cache-components/next.config.ts'), 'utf8')
  await app.write('next.config.ts', options)
  const { code, output } = await app.build(nextAppEnv(acme))
  if (code !== 0) throw new Error(output)
  printed = output
  server = await app.start(nextAppEnv(acme))
}, 300_000)

afterAll(async () => {
  await server?.stop()
  await Promise.all([app?.remove(), acme?.close(), browser?.close()])
})

describe('the Next.js example with cacheComponents', () => {
  it('is a static page: nothing of it waits for a request', () => {
    expect(printed).toMatch(/○ \/ /)
  })

  it('follows a change in what it keeps and in the browser, and both agree', async () => {
    const page = await browser.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      if (/^(error|warning)$/.test(message.type())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(server.url)
    await page.getByRole('heading', { name: 'Good morning' }).waitFor()
    await acme.set({ greeting: 'Good evening', newCheckout: true })
    await page.getByRole('heading', { name: 'The new checkout' }).waitFor()
    const html = async () => (await fetch(server.url)).text()
    await expect.poll(html).toContain('<h1>Good evening</h1>')
    await page.reload()
    await page.getByRole('heading', { name: 'Good evening' }).waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })
})
