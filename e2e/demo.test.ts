import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findViolations } from './accessibility.ts'
import { openBrowser } from './browser.ts'

const main = join(import.meta.dirname, '../packages/cli/src/main.ts')

interface Shown {
  readonly service: string
  readonly push: string
  readonly channel: string
  readonly application: string
  readonly deployments: string
  readonly flags: string
  readonly config: string
  readonly orgId: string
  readonly email: string
  readonly password: string
  readonly token: string
}

/** Describes a demo that runs. */
interface Demo {
  readonly temporary: string
  readonly child: ChildProcess
  readonly shown: Shown
}

let demo: Demo
/** Runs beside it, with another code host, tracker and chat. */
let other: Demo
let shown: Shown
let browser: Browser
let complaints: string[]

beforeAll(async () => {
  ;[demo, other, browser] = await Promise.all([
    startDemo(),
    startDemo('--with', 'gitlab,linear,discord'),
    openBrowser(),
  ])
  shown = demo.shown
}, 240_000)
afterAll(async () => {
  await browser?.close()
  for (const { child, temporary } of started) {
    child.kill('SIGKILL')
    rmSync(temporary, { recursive: true, force: true })
  }
})

const started: Omit<Demo, 'shown'>[] = []

async function startDemo(...args: readonly string[]): Promise<Demo> {
  const temporary = mkdtempSync(join(tmpdir(), 'signalbox-demo-test-'))
  await chmod(temporary, 0o711)
  const command = ['--conditions=@signalbox/source', main, 'demo', '--json', ...args]
  const child = spawn(process.execPath, command, {
    // Settings of a real service must not reach the one of the demo.
    env: { ...process.env, TMPDIR: temporary, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push({ temporary, child })
  return { temporary, child, shown: await readShown(child) }
}

async function readShown({ stdout, stderr }: ChildProcess): Promise<Shown> {
  let [printed, said] = ['', '']
  stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  for await (const chunk of stdout ?? []) {
    printed += String(chunk)
    if (printed.endsWith('}\n')) return JSON.parse(printed)
  }
  throw new Error(`The demo ended before it was ready:\n${said}`)
}

async function open(url: string, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
  const context = await browser.newContext({ colorScheme })
  const page = await context.newPage()
  complaints = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => complaints.push(message.text()))
  await page.goto(url)
  return page
}

interface Listed {
  readonly items: readonly { readonly id: string; readonly name: string }[]
}

/** Calls the API as the terminal does. */
async function callApi<T>(method: string, path: string, body?: object, of = shown): Promise<T> {
  const answer = await fetch(`${of.service}/organizations/${of.orgId}${path}`, {
    method,
    headers: { authorization: `Bearer ${of.token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  expect(answer.status).toBe(200)
  return answer.json()
}

/** Opens a page of the dashboard, and signs in as the terminal says. */
async function openDashboard(url: string, { email, password } = shown): Promise<Page> {
  const page = await open(url)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  return page
}

const messagesOf = async (page: Page, { channel } = shown) => {
  await page.goto(channel)
  return page.locator('.messages > article').allInnerTexts()
}

describe('signalbox demo', () => {
  it('lets a person in, and the terminal', async () => {
    const { email, password, service, token } = shown
    const signedIn = await fetch(`${service}/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
    expect(signedIn.status).toBe(201)
    const me = await fetch(`${service}/me`, { headers: { authorization: `Bearer ${token}` } })
    expect(me.status).toBe(200)
  })

  it('shows a page to push from that everybody can read, by day and by night', async () => {
    for (const scheme of ['light', 'dark'] as const) {
      const page = await open(shown.push, scheme)
      expect(await findViolations(page)).toEqual([])
      expect(complaints).toEqual([])
    }
  })

  it('has an application that shows a flipped flag without a reload', async () => {
    const page = await open(shown.application)
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByText('Checkout: three steps').waitFor()
    expect(await page.locator('#products > li').count()).toBe(6)
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
    const { items: schemas } = await callApi<Listed>('GET', '/config-schemas')
    const { items: environments } = await callApi<Listed>('GET', '/environments')
    const schemaId = schemas.find(({ name }) => name === 'shop')?.id
    const environmentId = environments.find(({ name }) => name === 'staging')?.id
    const flip = (newCheckout: boolean) =>
      callApi('PUT', '/config-values', { schemaId, environmentId, values: { newCheckout } })
    await flip(true)
    await page.getByText('New checkout: one step').waitFor({ timeout: 60_000 })
    expect(await page.locator('tr.changed').innerText()).toMatch(/newCheckout\s+true/)
    await page.getByRole('button', { name: 'Buy now' }).click()
    await page.getByText('Ordered. Nothing was charged.').waitFor()
    await flip(false)
    await page.getByText('Checkout: three steps').waitFor({ timeout: 60_000 })
    expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
    // The policy of the page has refused nothing, and no secret has come to it.
    expect(complaints).toEqual([])
    expect(await page.content()).not.toMatch(/paymentApiKey|sessionSecret|sbx_m2m/)
    expect(requested.filter((url) => url.includes('sbx_m2m'))).toEqual([])
  })

  it('has an application that everybody can read, by day and by night, on a phone too', async () => {
    for (const scheme of ['light', 'dark'] as const) {
      const page = await open(shown.application, scheme)
      await page.getByText('Live', { exact: true }).waitFor()
      expect(await findViolations(page)).toEqual([])
      await page.setViewportSize({ width: 390, height: 844 })
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(width).toBeLessThanOrEqual(390)
      expect(complaints).toEqual([])
    }
  })

  it('has configuration in every screen: keys, flags, a missing secret, and versions', async () => {
    const page = await openDashboard(shown.config)
    for (const key of ['storeName', 'catalogPageSize', 'smtpPassword', 'newCheckout']) {
      await page.getByText(key, { exact: true }).first().waitFor()
    }
    await page.goto(shown.flags)
    await page.getByText('recommendations', { exact: true }).first().waitFor()
    await page
      .getByRole('button', { name: /^Rules of searchSuggestions in staging: on for staff/ })
      .waitFor()
    await page.goto(shown.flags.replace(/flags$/, 'history'))
    await page.getByText('Let our staff try the search suggestions').first().waitFor()
    await page.goto(shown.deployments)
    await page.getByRole('heading', { name: 'Deployments' }).waitFor()
    const { items } = await callApi<{ items: { id: string }[] }>('GET', '/config-schemas')
    const { report } = await callApi<{ report: { environment: string; missing: string[] }[] }>(
      'GET',
      `/config-schemas/${items[0]?.id}/report`,
    )
    expect(report.map(({ environment, missing }) => [environment, missing])).toEqual([
      ['development', []],
      ['staging', []],
      ['production', ['smtpPassword']],
    ])
  })

  it('turns a push into one message when webhooks come twice and an answer of Slack is lost', async () => {
    const page = await open(shown.push)
    for (const name of ['webhook-twice', 'webhook-repeat-last', 'slack-cut']) {
      await page.click(`#switch-${name}`)
      await page.locator('#said', { hasText: 'Done' }).waitFor()
    }
    await page.getByLabel('A deployment that fails').check()
    await page.click('.push')
    await page.locator('.pushes > li').getByText('failure').waitFor({ timeout: 60_000 })
    await expect
      .poll(() => messagesOf(page), { timeout: 60_000 })
      .toEqual([expect.stringMatching(/Deployment to staging failed[\s\S]*ABC-1/)])
  })
})

describe('signalbox demo --with gitlab,linear,discord', () => {
  it('turns a push to GitLab into one message in Discord, with the issues of Linear and the tests', async () => {
    const { push, channel } = other.shown
    const page = await open(push)
    expect(await page.locator('main').innerText()).not.toMatch(/GitHub|Jira|Slack/)
    // Somebody looks at the channel meanwhile, and reloads nothing.
    const watched = await page.context().newPage()
    await watched.goto(channel)
    // By keyboard alone.
    await page.getByLabel('A feature').focus()
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Push')
    await page.keyboard.press('Enter')
    await page.getByText('Pushed. Watch it below.').waitFor()
    await page.locator('.pushes > li').getByText('passed').waitFor({ timeout: 60_000 })
    await watched.getByText('4 passed').waitFor({ timeout: 60_000 })
    expect(complaints).toEqual([])
    await expect
      .poll(() => messagesOf(page, other.shown), { timeout: 60_000 })
      .toEqual([
        expect.stringMatching(/Deployed to staging[\s\S]*4 passed[\s\S]*ABC-1[\s\S]*ABC-2/),
      ])
    expect(await callApi('GET', '/deployments?limit=1', undefined, other.shown)).toMatchObject({
      items: [{ state: 'success', relation: 'forward', issueKeys: ['ABC-1', 'ABC-2'] }],
    })
  })

  it('shows the deployment with its issues of Linear', async () => {
    const page = await openDashboard(other.shown.deployments, other.shown)
    await page.getByRole('heading', { name: 'Deployments' }).waitFor()
    await page.locator('main').getByRole('link', { name: /ABC-1/ }).first().click()
    const link = page.getByRole('link', { name: 'ABC-1', exact: true }).first()
    await link.waitFor()
    expect(await link.getAttribute('href')).toMatch(/\/linear\/acme\/issue\/ABC-1/)
  })
})

it('both stop when they are asked to, and leave nothing', async () => {
  for (const { child, temporary, shown: was } of [demo, other]) {
    const ended = once(child, 'exit')
    child.kill('SIGINT')
    expect(await ended).toEqual([0, null])
    for (const url of [was.push, was.service]) {
      await expect(fetch(url)).rejects.toThrow('fetch failed')
    }
    expect(existsSync(temporary) ? readdirSync(temporary).filter(isOurs) : []).toEqual([])
  }
})

/** The browser keeps files there too. */
function isOurs(name: string): boolean {
  return name.startsWith('signalbox-demo-')
}
