import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findViolations } from '../accessibility.ts'
import { shareBrowser } from '../browser.ts'
import { takePicture } from '../take-picture.ts'
import { findContrastViolations } from './page/contrast.ts'
import { measureLaidOut } from './measure-page.ts'
import { openDashboard, type Dashboard } from './open-dashboard.ts'

let dashboard: Dashboard
let service: Dashboard['service']
let browser: Browser
/** Every address of the documentation, found by following its links. */
let found: ReadonlyMap<string, Visit>

interface Visit {
  readonly status: number
  readonly anchors: ReadonlySet<string>
  readonly links: readonly string[]
  /** Where a reader first found it. */
  readonly from: string
}

beforeAll(async () => {
  ;[dashboard, browser] = await Promise.all([openDashboard(), shareBrowser()])
  service = dashboard.service
  found = await followAll(service.apiUrl, '/docs/guide')
}, 120_000)
afterAll(() => dashboard.close())

/** Reads a page and all it leads to below `/docs`. */
async function followAll(apiUrl: string, start: string): Promise<ReadonlyMap<string, Visit>> {
  const visits = new Map<string, Visit>()
  const waiting = [{ path: start, from: '' }]
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { path, from } = next
    if (visits.has(path)) continue
    const answer = await fetch(apiUrl + path)
    const text = await answer.text()
    const isPage =
      path !== '/' && answer.headers.get('content-type')?.startsWith('text/html') === true
    const links = isPage ? [...text.matchAll(/ href="([^"]+)"/g)].map(([, link = '']) => link) : []
    const anchors = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id))
    visits.set(path, { status: answer.status, anchors, links, from })
    for (const link of links) {
      const [target = ''] = link.split('#')
      if (target.startsWith('/')) waiting.push({ path: target, from: path })
    }
  }
  return visits
}

const pagePaths = () => [...found.keys()].filter((path) => /^\/docs(?!.*\.(md|json)$)/.test(path))

interface Reader {
  readonly page: Page
  readonly complaints: readonly string[]
}

/** A browser that reaches this service and nothing else, with everything it complains about. */
async function openReader(
  colorScheme: 'light' | 'dark',
  width: number,
): Promise<Reader & { readonly context: BrowserContext }> {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 860 } })
  const complaints: string[] = []
  await context.route('**', async (route) => {
    const url = route.request().url()
    if (url.startsWith(`${service.apiUrl}/`)) return route.continue()
    complaints.push(`asked another host: ${url}`)
    return route.abort()
  })
  const page = await context.newPage()
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (/error|warning/.test(message.type())) complaints.push(message.text())
  })
  return { context, page, complaints }
}

describe('the documentation that the server has', { timeout: 600_000 }, () => {
  it('leads nowhere that is not there: every link within it is followed, with its anchor', () => {
    expect(pagePaths().length).toBeGreaterThan(15)
    const dead = [...found].flatMap(([path, { status, links, from }]) => [
      ...(status === 200 || path === '/' ? [] : [`${from} leads to ${path}: ${status}`]),
      ...links.flatMap((link) => {
        const [target = '', anchor] = link.split('#')
        if (anchor === undefined || target.startsWith('http')) return []
        const page = found.get(target === '' ? path : target)
        return page?.anchors.has(anchor) === true ? [] : [`${path} leads to ${link}: no anchor`]
      }),
    ])
    expect(dead).toEqual([])
  })

  it('has each page of the guide as Markdown as well, whose links lead to pages that are there', async () => {
    const twins = [...found.keys()].filter((path) => path.endsWith('.md'))
    expect(twins.length).toBe(pagePaths().filter((path) => /^\/docs\/\w+\/./.test(path)).length)
    for (const path of twins) {
      const text = await (await fetch(service.apiUrl + path)).text()
      expect(text).toMatch(/^# /m)
      for (const [, link = ''] of text.matchAll(/\]\((\/[^)#\s]*)/g)) {
        expect([path, link, (await fetch(service.apiUrl + link)).status]).toEqual([path, link, 200])
      }
    }
  })

  it('is whole without a script, and says nothing that only a script would do', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    for (const path of ['/docs/guide', '/docs/guide/integrations', '/docs', '/docs/problems']) {
      await page.goto(service.apiUrl + path)
      expect(await page.locator('main').innerText()).toMatch(/\w{3}/)
      expect(await page.locator('input').count()).toBe(0)
    }
    await context.close()
  })

  it('follows its policy with the network blocked, is readable by everyone in both themes, and fits a phone', async () => {
    const { context, page, complaints } = await openReader('light', 1360)
    const known = new Set<string>()
    for (const path of pagePaths()) {
      await page.setViewportSize({ width: 1360, height: 860 })
      await page.emulateMedia({ colorScheme: 'light' })
      const answer = await page.goto(service.apiUrl + path)
      expect(answer?.headers()['content-security-policy']).toContain("default-src 'none'")
      expect(await page.locator('script:not([src^="/assets/"]), style, [style]').count()).toBe(0)
      const violations = await findViolations(page, { without: ['color-contrast'] })
      // The themes differ in their colors alone.
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        violations.push(...(await findContrastViolations(page, known)))
      }
      expect([path, ...violations]).toEqual([path])
      await page.setViewportSize({ width: 390, height: 860 })
      expect([path, await measureLaidOut(page)]).toEqual([path, 390])
    }
    expect(complaints).toEqual([])
    await context.close()
  })

  it('is examined by what finds a text that is too pale in one theme, though another is drawn like it in the other', async () => {
    const { context, page } = await openReader('light', 1360)
    const known = new Set<string>()
    await page.goto(`${service.apiUrl}/docs/guide`)
    expect(await findContrastViolations(page, known)).toEqual([])
    expect(await findContrastViolations(page, known)).toEqual([])
    await page.evaluate(() => {
      const dark = Object.assign(document.createElement('p'), {
        textContent: 'as dark as the others',
      })
      dark.style.color = getComputedStyle(document.body).color
      document.querySelector('main')?.append(dark)
    })
    expect(await findContrastViolations(page, known)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await findContrastViolations(page, known)).toEqual([
      expect.stringMatching(/^color-contrast: .*as dark as the others/),
    ])
    await context.close()
  })

  it('opens the list of pages over the page on a phone', async () => {
    const { context, page, complaints } = await openReader('light', 390)
    await page.goto(`${service.apiUrl}/docs/guide/clients`)
    const inList = page.getByRole('navigation', { name: 'Pages' }).getByText('Feature flags')
    expect(await inList.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'All pages' }).click()
    await inList.click()
    await page.getByRole('heading', { level: 1, name: 'Feature flags' }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  it('finds a section by words of its heading or its text, with the keyboard alone', async () => {
    const { context, page, complaints } = await openReader('light', 1360)
    await page.goto(`${service.apiUrl}/docs/guide`)
    await page.keyboard.press('/')
    await page.keyboard.type('disconnect')
    const results = page.getByRole('search').getByRole('link')
    await page
      .getByRole('status')
      .getByText(/results/)
      .waitFor()
    expect(await results.first().innerText()).toContain('Integrations')
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/guide/integrations#disconnect')
    await page.keyboard.press('/')
    await page.keyboard.type('zyzzyva xylophone')
    await page.getByText('No matches. Try fewer words.').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => results.count()).toBe(0)
    await page.keyboard.type('invalid_cursor')
    await results.first().getByText('invalid_cursor').first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/problems#invalid_cursor')
    expect(complaints).toEqual([])
    await context.close()
  })

  it('narrows the endpoints of the API reference down, and opens the one that a link names', async () => {
    const { context, page, complaints } = await openReader('light', 1360)
    await page.goto(`${service.apiUrl}/docs`)
    const shown = page.locator('section.endpoints details:visible')
    const all = await shown.count()
    expect(all).toBeGreaterThan(100)
    await page.getByRole('searchbox', { name: 'Filter endpoints' }).fill('get deployments')
    await page.getByRole('status').getByText('endpoints').waitFor()
    await expect.poll(() => shown.count()).toBeLessThan(30)
    await page.getByRole('searchbox', { name: 'Filter endpoints' }).fill('')
    await expect.poll(() => shown.count()).toBe(all)
    await page.getByRole('link', { name: /createDeployment/ }).click()
    await page.locator('#createDeployment[open]').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  it('has the theme that the person chose in the dashboard, whatever the system prefers, and its typeface', async () => {
    const { context, page, complaints } = await openReader('light', 1360)
    const groundOf = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    await page.goto(`${service.apiUrl}/docs/guide/clients`)
    const light = await groundOf()
    await page.evaluate(() => {
      localStorage.setItem('theme', 'dark')
    })
    await page.reload()
    expect(await groundOf()).not.toBe(light)
    expect(await page.evaluate(() => document.fonts.check('16px "Inter Variable"'))).toBe(true)
    const loaded = await page.evaluate(async () => {
      await document.fonts.ready
      return [...document.fonts].filter(({ status }) => status === 'loaded').length
    })
    expect(loaded).toBeGreaterThan(0)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('says that there is no page where somebody opens one, with ways on', async () => {
    const { context, page } = await openReader('light', 390)
    for (const path of ['/docs/guide/nothing', '/docs/guides', '/docs/reference/a/b']) {
      const answer = await page.goto(service.apiUrl + path)
      expect([path, answer?.status()]).toEqual([path, 404])
      await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
      expect(await findViolations(page)).toEqual([])
    }
    await page.getByRole('link', { name: 'All guide pages' }).click()
    await page.getByRole('heading', { level: 1, name: 'Documentation' }).waitFor()
    await context.close()
  })

  it.each([
    ['light', 1360, 'docs-light'],
    ['dark', 1360, 'docs-dark'],
    ['light', 390, 'docs-phone'],
  ] as const)('opens without complaints of the browser (%s, %i px)', async (theme, width, name) => {
    const { context, page, complaints } = await openReader(theme, width)
    await page.goto(`${service.apiUrl}/docs/guide/dashboard`)
    await takePicture(page, name, false)
    await page.goto(`${service.apiUrl}/docs/guide`)
    await takePicture(page, `${name}-contents`, false)
    await page.getByRole('searchbox').fill('webhook secret')
    await page
      .getByRole('status')
      .getByText(/results/)
      .waitFor()
    await takePicture(page, `${name}-search`, false)
    await page.goto(`${service.apiUrl}/docs`)
    await takePicture(page, `${name}-reference`, false)
    await page.goto(`${service.apiUrl}/docs/guide/integrations`)
    await page.locator('summary').first().click()
    await takePicture(page, `${name}-integrations`, false)
    expect(complaints).toEqual([])
    await context.close()
  })
})
