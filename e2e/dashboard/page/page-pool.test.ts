import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shareBrowser } from '../../browser.ts'
import { takePage } from './page-pool.ts'
import { listen } from '../../../test/testing/network/ports.ts'

/** No other test opens pages like this, so that none of theirs is taken. */
const options = { theme: 'dark', forcedColors: true, motion: true } as const

let server: Server
let origin: string

beforeAll(async () => {
  server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<title>Any page</title>')
  })
  origin = `http://127.0.0.1:${await listen(server)}`
})
afterAll(() => server.close())

const take = async () => takePage(await shareBrowser(), options)

describe('a page that was given back', () => {
  it('is given to the next, with nothing of what was done on it', async () => {
    const { page, release } = await take()
    const context = page.context()
    let seen = 0
    await page.goto(`${origin}/before`)
    await page.goto(origin)
    await page.evaluate(() => {
      localStorage.setItem('kept', 'by a test')
      sessionStorage.setItem('kept', 'by a test')
      window.name = 'kept'
    })
    await context.addCookies([{ name: 'kept', value: 'by a test', url: origin }])
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce', forcedColors: 'none' })
    for (const routed of [page, context]) {
      await routed.route('**/*', (route) => {
        seen += 1
        return route.continue()
      })
    }
    page.on('request', () => (seen += 1))
    await context.newPage()
    await release(origin)
    await release(origin)
    seen = 0

    const next = await take()
    expect(next.page).toBe(page)
    expect((await take()).page).not.toBe(page)
    expect(context.pages()).toEqual([page])
    await page.goto(origin)
    const left = await page.evaluate(() => [
      localStorage.length + sessionStorage.length,
      document.cookie + window.name,
      matchMedia('(prefers-color-scheme: dark)').matches,
      matchMedia('(prefers-reduced-motion: reduce)').matches,
      matchMedia('(forced-colors: active)').matches,
    ])
    expect(left).toEqual([0, '', true, false, true])
    expect(seen).toBe(0)
    await page.goBack()
    expect(page.url()).toBe(`${origin}/healthz`)
    expect(await page.goBack()).toBeNull()
    await next.release(origin)
  })

  it('is closed where a test has taken over its time', async () => {
    const { page, release } = await take()
    await page.clock.install()
    await release(origin)
    expect(page.isClosed()).toBe(true)
  })

  it('is closed where it cannot be cleaned', async () => {
    const { page, release } = await take()
    await release('http://127.0.0.1:1')
    expect(page.isClosed()).toBe(true)
  })
})
