import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findViolations } from '../accessibility.ts'
import { shareBrowser } from '../browser.ts'
import { takePicture } from '../take-picture.ts'
import { isNight } from '../is-night.ts'
import { findContrastViolations } from './page/contrast.ts'
import { measureLaidOut } from './measure-page.ts'
import { openDashboard, type Dashboard } from './open-dashboard.ts'

let dashboard: Dashboard
let service: Dashboard['service']
/** Every address of the documentation, found by following its links. */
let found: ReadonlyMap<string, Visit>

interface Visit {
  readonly status: number
  readonly anchors: ReadonlySet<string>
  readonly links: readonly string[]
  /** Says which scripts and styles it may load. */
  readonly policy: string
  /** Says that it has a script or a style of its own, which the policy refuses. */
  readonly hasOwn: boolean
  /** Names the elements of a page, each with its class. */
  readonly kinds: ReadonlySet<string>
  readonly length: number
  /** Names the page that first linked to it. */
  readonly from: string
}

beforeAll(async () => {
  dashboard = await openDashboard()
  service = dashboard.service
  found = await followAll(service.apiUrl, '/docs/guide')
})
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
    const elements = [...text.matchAll(/<(\w+)(?:[^>]* class="([^"]*)")?/g)]
    const kinds = new Set(elements.map(([, tag = '', look = '']) => `${tag} ${look}`))
    visits.set(path, {
      status: answer.status,
      anchors,
      links,
      policy: answer.headers.get('content-security-policy') ?? '',
      hasOwn: /<script(?! [^>]*src="\/assets\/)|<style|<[^>]+ style="/.test(text),
      kinds,
      length: text.length,
      from,
    })
    for (const link of links) {
      const [target = ''] = link.split('#')
      if (target.startsWith('/')) waiting.push({ path: target, from: path })
    }
  }
  return visits
}

const pagePaths = () => [...found.keys()].filter((path) => /^\/docs(?!.*\.(md|json)$)/.test(path))

/** Takes out of a page all endpoints of a section but three: there are hundreds, drawn alike. */
const leaveFewEndpoints = () => {
  for (const more of document.querySelectorAll('section.endpoints details:nth-of-type(n+4)'))
    more.remove()
}

/** Chooses pages that have each kind of element between them, from the longest down. At night it is all of them. */
function chooseExamined(): readonly string[] {
  const known = new Set<string>()
  const sizeOf = (path: string) => found.get(path)?.length ?? 0
  return pagePaths()
    .toSorted((a, b) => sizeOf(b) - sizeOf(a))
    .filter((path) => {
      const before = known.size
      for (const kind of found.get(path)?.kinds ?? []) known.add(kind)
      return known.size > before || isNight
    })
}

const openReader = async (theme: 'light' | 'dark', width: number) =>
  (await dashboard.open({ theme, width, session: null })).page

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
    const browser = await shareBrowser()
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    for (const path of ['/docs/guide', '/docs/guide/integrations', '/docs', '/docs/problems']) {
      await page.goto(service.apiUrl + path)
      expect(await page.locator('main').innerText()).toMatch(/\w{3}/)
      expect(await page.locator('input').count()).toBe(0)
    }
    await context.close()
  })

  it('has a policy, and nothing that it refuses', () => {
    for (const path of pagePaths()) {
      const { policy, hasOwn } = found.get(path) ?? {}
      expect([path, policy, hasOwn]).toEqual([
        path,
        expect.stringContaining("default-src 'none'"),
        false,
      ])
    }
  })

  it('is readable by everyone in both themes, and fits a phone', async () => {
    const page = await openReader('light', 1360)
    const known = new Set<string>()
    const examined = chooseExamined()
    expect(examined.length).toBeGreaterThan(2)
    for (const path of examined) {
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(service.apiUrl + path)
      if (!isNight) await page.evaluate(leaveFewEndpoints)
      const violations = await findViolations(page, { without: ['color-contrast'] })
      // The themes differ in their colors alone.
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        violations.push(...(await findContrastViolations(page, known)))
        await takePicture(page, `${path.slice(1).replaceAll('/', '-')}-${colorScheme}`, false)
      }
      expect([path, ...violations]).toEqual([path])
      await page.setViewportSize({ width: 390, height: 800 })
      expect([path, await measureLaidOut(page)]).toEqual([path, 390])
      await page.setViewportSize({ width: 1360, height: 860 })
    }
  })

  it('is examined by what finds a text that is too pale in one theme, though another is drawn like it in the other', async () => {
    const page = await openReader('light', 1360)
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
  })

  it('finds a section by words of its heading or its text, with the keyboard alone', async () => {
    const page = await openReader('light', 1360)
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
  })

  it('narrows the endpoints of the API reference down, and opens the one that a link names', async () => {
    const page = await openReader('light', 1360)
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
  })

  it('has the theme that the person chose in the dashboard, whatever the system prefers, and its typeface', async () => {
    const page = await openReader('light', 1360)
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
  })

  it('says that there is no page where somebody opens one, with ways on', async () => {
    const page = await openReader('light', 390)
    for (const path of ['/docs/guide/nothing', '/docs/guides', '/docs/reference/a/b']) {
      const answer = await page.goto(service.apiUrl + path)
      expect([path, answer?.status()]).toEqual([path, 404])
      await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
      expect(await findViolations(page)).toEqual([])
    }
    await page.getByRole('link', { name: 'All guide pages' }).click()
    await page.getByRole('heading', { level: 1, name: 'Documentation' }).waitFor()
  })
})
