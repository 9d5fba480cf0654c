import type { Browser, CDPSession, Page } from 'playwright-core'
import { openPages } from '../../open-pages.ts'

/** Holds what a browser context is opened with and no page of it can change for a page that it opens. */
interface PageOptions {
  readonly theme: 'light' | 'dark'
  readonly forcedColors: boolean
  readonly motion: boolean
  /** Default that of the machine. Example: `Etc/GMT-5`. */
  readonly timeZone?: string | undefined
}

interface PooledPage {
  readonly page: Page
  /** Gives it back, with nothing left of what was done on it at this origin: its context is closed where that fails. */
  readonly release: (origin: string) => Promise<void>
}

/** Maps options to the pages of this worker that nobody has. */
const idle = new Map<string, Page[]>()
/** More of them would save nothing: few tests have more pages at once. */
const idleMax = 3

/**
 * Takes a page in a context of its own, with no cookies, no storage and no routes, as a new context has it.
 *
 * It is one that another test has given back, where there is one: its process has compiled the dashboard already, and has
 * its fonts. To start another one and to load the dashboard into it takes more than twice as long as to load it again.
 */
export async function takePage(browser: Browser, options: PageOptions): Promise<PooledPage> {
  const { theme, forcedColors, motion, timeZone } = options
  const key = JSON.stringify([theme, forcedColors, motion, timeZone])
  const page = idle.get(key)?.pop() ?? (await openPage(browser, options))
  openPages.add(page)
  const { clock } = page
  let isReleased = false
  let hasOwnTime = false
  // A page whose time was taken over keeps that, so it is not given to another test.
  Object.defineProperty(page, 'clock', {
    configurable: true,
    get() {
      hasOwnTime = true
      return clock
    },
  })
  return {
    page,
    async release(origin) {
      if (isReleased) return
      isReleased = true
      openPages.delete(page)
      const others = idle.get(key) ?? []
      if (hasOwnTime || others.length >= idleMax || !(await isCleaned(page, origin, options))) {
        await page.context().close()
        return
      }
      Object.defineProperty(page, 'clock', { configurable: true, value: clock })
      idle.set(key, [...others, page])
    },
  }
}

const mediaOf = ({ theme, forcedColors, motion }: PageOptions) =>
  ({
    colorScheme: theme,
    forcedColors: forcedColors ? 'active' : 'none',
    reducedMotion: motion ? 'no-preference' : 'reduce',
  }) as const

async function openPage(browser: Browser, options: PageOptions): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1360, height: 860 },
    permissions: ['clipboard-read', 'clipboard-write'],
    ...(options.timeZone !== undefined && { timezoneId: options.timeZone }),
    ...mediaOf(options),
  })
  // Before the time of the test is over, so that it says which wait was in vain.
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  page.once('close', () => openPages.delete(page))
  return page
}

/** Lists the events that tests of pages listen to. */
const pageEvents = [
  'console',
  'dialog',
  'download',
  'framenavigated',
  'pageerror',
  'popup',
  'request',
  'requestfailed',
  'requestfinished',
  'response',
] as const

/** Holds what tests have opened to the developer tools of pages. */
const tools = new WeakMap<Page, CDPSession[]>()

/** Opens the developer tools of a page, until it is given back. */
export async function openTools(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  tools.set(page, [...(tools.get(page) ?? []), session])
  return session
}

/** Leaves a page with nothing to go back to. */
async function forgetHistory(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Page.resetNavigationHistory')
  await session.detach()
}

/** Takes away what a test has left on a page and in its context. Answers whether nothing is left. */
async function isCleaned(page: Page, origin: string, options: PageOptions): Promise<boolean> {
  const context = page.context()
  try {
    for (const event of pageEvents) page.removeAllListeners(event)
    for (const event of ['page', 'request', 'response'] as const) context.removeAllListeners(event)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    for (const session of tools.get(page) ?? []) await session.detach()
    tools.delete(page)
    for (const other of context.pages()) if (other !== page) await other.close()
    // The dashboard is left first: what it hears of while it is open, it may write down. For a page of the same site: on the way
    // over `about:blank` the browser starts another process, which compiles the dashboard and loads its fonts once more.
    await page.goto(`${origin}/healthz`)
    await page.evaluate(() => {
      localStorage.clear()
      sessionStorage.clear()
      window.name = ''
    })
    await context.clearCookies()
    await forgetHistory(page)
    await page.emulateMedia({ media: null, ...mediaOf(options) })
    await page.mouse.move(-1, -1)
    return true
  } catch {
    return false
  }
}
