import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from './browser.ts'
import { startService, type ServiceProcess } from './start-service.ts'

let directory: string
let service: ServiceProcess
let browser: Browser

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-setup-'))
  // PostgreSQL runs as another user when the tests run as root, and has to pass through.
  await chmod(directory, 0o711)
  service = await startService({ env: { SIGNALBOX_DATA_DIR: join(directory, 'data') } })
  browser = await openBrowser()
})

afterAll(async () => {
  await browser.close()
  await service.stop()
  await rm(directory, { recursive: true, force: true })
})

/** A page of a fresh visitor, with everything it complains about. */
async function openPage(address: string, colorScheme: 'light' | 'dark' = 'light') {
  const context = await browser.newContext({ colorScheme, permissions: ['clipboard-write'] })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text())
  })
  await page.goto(address)
  return { page, complaints }
}

async function accessibilityFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`)
}

const person = {
  name: 'Ada',
  email: 'ada@example.com',
  password: 'correct horse battery',
  organizationName: 'Acme',
}

async function fill(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [id, value] of Object.entries(values)) await page.fill(`#${id}`, value)
}

describe('the first start', () => {
  it('explains a link without its token and stores nothing', async () => {
    const { page } = await openPage(`${service.apiUrl}/setup`)
    expect(await page.textContent('#alert')).toContain('Open the link that the server printed')
    expect(await page.isVisible('#form')).toBe(false)
  })

  it('refuses a link with another token', async () => {
    const { page } = await openPage(`${service.apiUrl}/setup#token=${'A'.repeat(43)}`)
    await fill(page, person)
    await page.click('#submit')
    await page.waitForSelector('#alert:not(:empty)')
    expect(await page.textContent('#alert')).toContain('not the last one')
  })

  it('names each field that is wrong, beside the field', async () => {
    const { page } = await openPage(service.setupUrl ?? '')
    await fill(page, { ...person, email: 'ada', password: 'short' })
    await page.click('#submit')
    await page.waitForSelector('#email[aria-invalid=true]')
    expect(await page.textContent('#email-fault')).toBe('Give an e-mail address.')
    expect(await page.textContent('#password-fault')).toBe('Use at least 12 characters.')
  })

  it('is readable by everyone in both colour schemes', async () => {
    for (const scheme of ['light', 'dark'] as const) {
      const { page, complaints } = await openPage(service.setupUrl ?? '', scheme)
      expect(await accessibilityFaults(page)).toEqual([])
      expect(complaints).toEqual([])
    }
  })

  it('makes the owner, shows the keys once, and lets the person in', async () => {
    const { page, complaints } = await openPage(service.setupUrl ?? '')
    await fill(page, person)
    await page.click('#submit')
    await page.waitForSelector('#done:not([hidden])')
    const serverKey = (await page.textContent('#key-m2m')) ?? ''
    expect(serverKey).toMatch(/^sbx_m2m_/)
    expect(await page.textContent('#key-b2m')).toMatch(/^sbx_b2m_/)
    expect(await page.textContent('#commands')).toContain('npx signalbox push --env development')
    expect(await accessibilityFaults(page)).toEqual([])

    const answer = await fetch(`${service.apiUrl}/me`, {
      headers: { authorization: `Bearer ${serverKey}` },
    })
    expect(answer.status).toBe(200)

    await page.goto(service.apiUrl)
    await page.waitForSelector('#home:not([hidden])')
    expect(await page.textContent('#welcome')).toBe('Hello, Ada')
    expect(await page.textContent('#organizations')).toContain('Acme')
    await page.click('#create-token')
    expect(await page.textContent('#personal-token')).toMatch(/^sbx_pat_/)
    expect(complaints).toEqual([])
  })

  it('works once', async () => {
    const { page } = await openPage(service.setupUrl ?? '')
    await fill(page, { ...person, email: 'eve@example.com' })
    await page.click('#submit')
    await page.waitForSelector('#alert:not(:empty)')
    expect(await page.textContent('#alert')).toContain('This server is set up')
  })

  it('asks for the password once more when it was typed long ago, and then makes the token', async () => {
    const { page, complaints } = await openPage(service.apiUrl)
    await page.waitForSelector('#sign-in:not([hidden])')
    await fill(page, { email: person.email, password: person.password })
    await page.click('#submit')
    await page.waitForSelector('#home:not([hidden])')
    const code = 'step_up_required'
    await page.route(
      '**/me/tokens',
      (route) => route.fulfill({ status: 403, json: { code, detail: 'Confirm your password.' } }),
      { times: 1 },
    )
    await page.click('#create-token')
    await page.waitForSelector('#confirm:not([hidden])')
    expect(await page.textContent('#home-alert')).toBe('Confirm your password.')
    expect(await accessibilityFaults(page)).toEqual([])
    await fill(page, { 'confirm-password': person.password })
    await page.click('#confirm-submit')
    expect(await page.textContent('#personal-token')).toMatch(/^sbx_pat_/)
    expect(await page.isVisible('#confirm')).toBe(false)
    expect(await page.textContent('#home-alert')).toBe('')
    expect(complaints).toEqual([])
  })

  it('signs in with the password, and out again', async () => {
    const { page } = await openPage(service.apiUrl)
    await page.waitForSelector('#sign-in:not([hidden])')
    await fill(page, { email: person.email, password: 'not the password' })
    await page.click('#submit')
    await page.waitForSelector('#alert:not(:empty)')
    expect(await page.textContent('#alert')).toBe('The e-mail address or the password is wrong.')
    await fill(page, { password: person.password })
    await page.click('#submit')
    await page.waitForSelector('#home:not([hidden]), #alert:has-text("too many")')
    await page.click('#sign-out')
    await page.waitForSelector('#sign-in:not([hidden])')
  })
})
