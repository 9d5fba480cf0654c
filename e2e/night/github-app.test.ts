import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox, type Sandbox } from '@signalbox/sandbox'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findViolations } from '../accessibility.ts'
import { openBrowser } from '../browser.ts'
import { startService, type ServiceProcess } from '../start-service.ts'

let directory: string
let sandbox: Sandbox
let service: ServiceProcess
let browser: Browser

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'signalbox-github-app-'))
  // PostgreSQL runs as another user when the tests run as root, and has to pass through.
  await chmod(directory, 0o711)
  sandbox = await startSandbox()
  const { githubWeb, githubApi } = sandbox.addresses
  service = await startService({
    env: {
      SIGNALBOX_DATA_DIR: join(directory, 'data'),
      SIGNALBOX_GITHUB_WEB_URL: githubWeb,
      SIGNALBOX_GITHUB_API_URL: githubApi,
    },
  })
  browser = await openBrowser()
})

afterAll(async () => {
  await browser?.close()
  await service?.stop()
  await sandbox?.close()
  await rm(directory, { recursive: true, force: true })
})

const person = {
  'Your name': 'Ada',
  'E-mail': 'ada@example.com',
  Password: 'correct horse battery',
  'Name of your organization': 'Acme',
}

it('who set the server up registers the GitHub App with one button, and nobody else sees it', async () => {
  const page = await (await browser.newContext()).newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text())
  })
  const address = `${service.apiUrl}/setup/github-app`
  await page.goto(address)
  expect(await page.textContent('main')).toContain('signed_out')
  await page.goto(service.setupUrl ?? '')
  for (const [label, value] of Object.entries(person)) await page.getByLabel(label).fill(value)
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByRole('heading', { name: 'Acme is set up' }).waitFor()

  await page.goto(address)
  const owner = page.getByLabel('an organization on GitHub')
  await owner.fill('my shop!')
  await page.getByRole('button', { name: 'Change the owner' }).click()
  await page.getByRole('alert').waitFor()
  expect(await findViolations(page)).toEqual([])
  await owner.fill('acme')
  await page.getByRole('button', { name: 'Change the owner' }).click()
  await page.getByText('It will belong to the organization acme on GitHub.').waitFor()
  await page.getByRole('button', { name: 'Register at GitHub' }).click()
  await page.fill('input[name=name]', 'signalbox-acme')
  await page.click('button')
  await page.waitForURL(`${service.apiUrl}/server/provider-apps/**`)
  expect(await page.textContent('main')).toContain('signalbox-acme')
  expect(await findViolations(page)).toEqual([])
  expect(complaints).toEqual([])

  await page.reload()
  expect(await page.textContent('main')).toContain('state_')
})
