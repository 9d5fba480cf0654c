import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect, onTestFinished, TestRunner } from 'vitest'
import {
  openConnected,
  type Connected,
  type OpenConnected,
} from '../../packages/server/src/start/testing/open-connected.ts'
import { findViolations } from '../accessibility.ts'
import { shareBrowser } from '../browser.ts'
import { takePicture } from '../take-picture.ts'
import { isNight } from '../is-night.ts'
import { followLink } from './page/follow-link.ts'
import { takePage } from './page/page-pool.ts'
import { settle } from './page/settle.ts'

export interface OpenSeat {
  readonly theme?: 'light' | 'dark'
  /** Of the window, in CSS pixels; 1360 left out. A phone is 390. */
  readonly width?: number
  /** As in a contrast theme of the system, where colours are the person's. */
  readonly forcedColors?: boolean
  /** Says whether animations run. Default no, so that a picture shows their end. */
  readonly motion?: boolean
  /** Of the page. Default that of the machine. */
  readonly timeZone?: string
  /** The session's cookie; the owner's left out, `null` for nobody. */
  readonly session?: string | null
}

/** Somebody at a browser. */
export interface Seat {
  readonly page: Page
  /**
   * Goes to an address of the organization, such as `/deployments?state=failure`, and waits until nothing is being loaded. It
   * is loaded where the page does not show the dashboard yet, and gone to as by a link otherwise.
   */
  go(path: string): Promise<void>
  /** Loads an address of the organization, whatever the page shows. */
  load(path: string): Promise<void>
  /**
   * Takes the page's errors, rejections of the Content-Security-Policy, and requests to other hosts since the last time. What
   * nobody takes fails the test, or the file where the seat outlasts a test.
   */
  complaints(): readonly string[]
  /** Lists axe's findings by WCAG 2.0 to 2.2, A and AA, and its best practices, in a part of the page or all of it. */
  accessibilityViolations(part?: string): Promise<readonly string[]>
  /** Lists the findings by the rules that depend on colours: all that another theme can add. */
  colourViolations(part?: string): Promise<readonly string[]>
  /**
   * Lists all findings, or those in a part of the page, and at night those in the open dialog, or else in the content, in the
   * other theme, which changes colours and nothing else: by day each screen is looked at in one of them.
   */
  violationsInBothThemes(part?: string): Promise<readonly string[]>
  /** Leaves a picture of the whole page in `e2e/dashboard/pictures/{name}.png`, when `DASHBOARD_PICTURES=1`. */
  picture(name: string): Promise<void>
  close(): Promise<void>
}

/** A whole service with its sandbox, an organization, and a browser: the dashboard as people have it. */
export interface Dashboard {
  readonly service: Connected
  /** Opens a seat, which is closed with the test that opens it, or else with the dashboard. */
  open(seat?: OpenSeat): Promise<Seat>
  close(): Promise<void>
}

/**
 * Opens it; the organization is `acme`, its owner Ada. Nothing is connected yet. All files of a worker share one service, in
 * which each has an organization of its own; one that says how its service is started has a service of its own.
 */
export async function openDashboard(options?: OpenConnected): Promise<Dashboard> {
  const opened = options === undefined ? takeShared() : openConnected(options)
  const [service, browser] = await Promise.all([opened, shareBrowser()])
  const seats: Seat[] = []
  return {
    service,
    async open(options = {}) {
      const seat = await openSeat(service, browser, options)
      if (TestRunner.getCurrentTest() === undefined) seats.push(seat)
      else onTestFinished(() => leave(seat))
      return seat
    },
    async close() {
      for (const seat of seats) await leave(seat)
      if (options !== undefined) await service.close()
    },
  }
}

/** Closes a seat, of which nothing may have been complained that nobody has taken. */
async function leave(seat: Seat): Promise<void> {
  const left = seat.complaints()
  await seat.close()
  expect(left).toEqual([])
}

let shared: Promise<Connected> | undefined

/** Starts the service of this worker, or sets it up anew for the next file. One that cannot be set up is not used again. */
async function takeShared(): Promise<Connected> {
  const taken = shared?.then((service) => service.renew()) ?? startShared()
  shared = taken
  try {
    return await taken
  } catch (error) {
    shared = undefined
    throw error
  }
}

async function startShared(): Promise<Connected> {
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-dashboard-'))
  // The service ends with the worker, which is killed half a second after this signal.
  process.once('SIGTERM', () => rmSync(directory, { recursive: true, force: true }))
  return openConnected({ directory })
}

async function openSeat(
  service: Connected,
  browser: Browser,
  {
    theme = 'light',
    width = 1360,
    forcedColors = false,
    motion = false,
    timeZone,
    session = service.session,
  }: OpenSeat,
): Promise<Seat> {
  const { page, release } = await takePage(browser, { theme, forcedColors, motion, timeZone })
  const context = page.context()
  await page.setViewportSize({ width, height: width < 500 ? 800 : 860 })
  if (session !== null) await takeSession(context, service.apiUrl, session)
  const complaints = collectComplaints(page, service.apiUrl)
  return {
    page,
    go: (path) => followLink(page, `${service.apiUrl}/acme${path}`),
    async load(path) {
      await page.goto(`${service.apiUrl}/acme${path}`)
      await settle(page)
    },
    complaints: () => complaints.splice(0),
    accessibilityViolations: (within) => findViolations(page, { within }),
    colourViolations: (within) => findViolations(page, { within, rules: rulesOfColours }),
    async violationsInBothThemes(part) {
      const found = await findViolations(page, { within: part })
      if (!isNight) return found
      await page.emulateMedia({ colorScheme: theme === 'light' ? 'dark' : 'light' })
      const hasDialog = (await page.locator('dialog[open]').count()) > 0
      const within = hasDialog ? 'dialog[open]' : 'main'
      const inOther = await findViolations(page, { within, rules: rulesOfColours })
      await page.emulateMedia({ colorScheme: theme })
      return [...found, ...inOther.map((violation) => `in the other theme, ${violation}`)]
    },
    picture: (name) => takePicture(page, name),
    close: () => release(service.apiUrl),
  }
}

/** Lists the rules of axe that depend on colours. */
const rulesOfColours = ['color-contrast', 'link-in-text-block']

async function takeSession(context: BrowserContext, url: string, session: string): Promise<void> {
  const [name = '', value = ''] = session.split('=')
  // Its name begins with `__Host-`, which the protocol takes from https alone; pages take it over http from this machine.
  const secureUrl = url.replace('http:', 'https:')
  await context.addCookies([{ name, value, url: secureUrl, secure: true, httpOnly: true }])
}

/** Recognises what Chromium logs of an answer with an error status, or of none. That is no error of the page, which shows it to people. */
const ownLog = /^Failed to load resource: (?:the server responded with a status of|net::ERR_)/

function collectComplaints(page: Page, origin: string): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    if (!ownLog.test(message.text())) complaints.push(message.text())
  })
  page.on('request', (request) => {
    const url = request.url()
    // A person may leave for another host, such as the consent page of a provider. Only what a page loads is checked.
    if (request.isNavigationRequest()) return
    if (!url.startsWith(origin) && !url.startsWith('data:') && !url.startsWith('blob:'))
      complaints.push(`asked another host: ${url}`)
  })
  return complaints
}
