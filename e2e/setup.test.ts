import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findViolations } from './accessibility.ts'
import { shareBrowser } from './browser.ts'
import { startService, type ServiceProcess } from './start-service.ts'

let directory: string
let service: ServiceProcess

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-setup-'))
  // PostgreSQL runs as another user when the tests run as root, and has to pass through.
  await chmod(directory, 0o711)
  service = await startService({ env: { SIGNALBOX_DATA_DIR: join(directory, 'data') } })
})

afterAll(async () => {
  await service.stop()
  await rm(directory, { recursive: true, force: true })
})

/** A page of a fresh visitor, with everything it complains about. */
async function openPage(address: string, colorScheme: 'light' | 'dark' = 'light') {
  const browser = await shareBrowser()
  const context = await browser.newContext({ colorScheme, permissions: ['clipboard-write'] })
  const page = await context.newPage()
  onTestFinished(() => context.close())
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text())
  })
  await page.goto(address)
  return { page, complaints }
}

const person = {
  'Your name': 'Ada',
  'E-mail': 'ada@example.com',
  Password: 'correct horse battery',
  'Name of your organization': 'Acme',
}

async function fill(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label).fill(value)
}

/** Says of each block whether a line of it is cut. */
const isCut = (blocks: readonly Element[]) =>
  blocks.map(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)

const press = (page: Page, name: string) => page.getByRole('button', { name }).click()

describe('the first start', () => {
  it('explains a link without its token and stores nothing', async () => {
    const { page } = await openPage(`${service.apiUrl}/setup`)
    await page.getByText('Open the setup link that the server printed').waitFor()
    expect(await page.getByRole('button', { name: 'Set up' }).count()).toBe(0)
  })

  it('refuses a link with another token', async () => {
    const { page } = await openPage(`${service.apiUrl}/setup#token=${'A'.repeat(43)}`)
    await fill(page, person)
    await press(page, 'Set up')
    await page.getByRole('alert').getByText('not the latest setup link').waitFor()
    expect(page.url()).toContain('/setup#token=')
  })

  it('names each field that is wrong, beside the field', async () => {
    const { page } = await openPage(service.setupUrl ?? '')
    await fill(page, { ...person, 'E-mail': 'ada', Password: 'short' })
    await press(page, 'Set up')
    await page.getByText('Use an e-mail address.').waitFor()
    await page.getByText('Use at least 12 characters.').waitFor()
    for (const label of ['E-mail', 'Password'])
      expect(await page.getByLabel(label).getAttribute('aria-invalid')).toBe('true')
  })

  it('is readable by everyone in both colour schemes', async () => {
    for (const scheme of ['light', 'dark'] as const) {
      const { page, complaints } = await openPage(service.setupUrl ?? '', scheme)
      await page.getByLabel('Your name').waitFor()
      expect(await findViolations(page)).toEqual([])
      expect(complaints).toEqual([])
    }
  })

  it('makes the owner, shows the keys once, and lets the person in', async () => {
    const { page, complaints } = await openPage(service.setupUrl ?? '')
    await fill(page, person)
    const wantsServerKey = page.getByLabel('Create a server key too')
    expect(await wantsServerKey.isChecked()).toBe(false)
    await wantsServerKey.check()
    expect(await page.getByRole('radio', { name: /^Reads All values/ }).isChecked()).toBe(true)
    await press(page, 'Set up')
    await page.getByRole('heading', { name: 'Acme is set up' }).waitFor()
    const keyOf = async (name: string) =>
      (await page.getByRole('region', { name }).locator('code').textContent()) ?? ''
    const serverKey = await keyOf('Server key')
    expect(serverKey).toMatch(/^sbx_m2m_/)
    expect(await keyOf('Browser key')).toMatch(/^sbx_b2m_/)
    expect(await page.textContent('main')).toContain(
      'npx --no-install signalbox push --env development',
    )
    expect(await page.textContent('main')).toContain(`SIGNALBOX_TOKEN=${serverKey}`)
    expect(await page.locator('pre').evaluateAll(isCut)).toEqual([false, false, false])
    expect(page.url()).toBe(`${service.apiUrl}/setup`)
    expect(await findViolations(page)).toEqual([])

    const answer = await fetch(`${service.apiUrl}/me`, {
      headers: { authorization: `Bearer ${serverKey}` },
    })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ keyAccess: 'read' })

    await page.getByRole('link', { name: 'Open the dashboard' }).click()
    await page.waitForURL(`${service.apiUrl}/acme`)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    expect(complaints).toEqual([])
  })

  it('works once', async () => {
    const { page } = await openPage(service.setupUrl ?? '')
    await fill(page, { ...person, 'E-mail': 'eve@example.com' })
    await press(page, 'Set up')
    await page.getByRole('alert').getByText('This server is set up').waitFor()
    expect(await page.getByRole('region', { name: 'Server key' }).count()).toBe(0)
  })

  it('signs in with the password, to the page that was asked for, and out again', async () => {
    const { page, complaints } = await openPage(`${service.apiUrl}/acme/members`)
    await page.waitForURL(/\/login\?returnTo=/)
    expect(await findViolations(page)).toEqual([])
    await fill(page, { 'E-mail': person['E-mail'], Password: 'not the password' })
    await press(page, 'Sign in')
    await page.getByText('The e-mail address or the password is wrong.').waitFor()
    await fill(page, { Password: person.Password })
    await press(page, 'Sign in')
    await page.waitForURL(`${service.apiUrl}/acme/members`)
    await press(page, 'Account of Ada')
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(/\/login/)
    expect(complaints).toEqual([])
  })
})
