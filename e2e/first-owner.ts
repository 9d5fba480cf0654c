import type { Page } from 'playwright-core'
import { callAs, type Caller } from './call.ts'

const person = {
  'Your name': 'Ada',
  'E-mail': 'ada@example.com',
  Password: 'correct horse battery',
  'Name of your organization': 'Acme',
}

/** Holds the keys that the set-up shows once. */
export interface FirstKeys {
  readonly server: string
  readonly browser: string
}

/** Sets a fresh server up in a browser, by the link that its start printed, and goes on to the dashboard of `acme`. */
export async function setUpInBrowser(page: Page, setupUrl: string | undefined): Promise<FirstKeys> {
  await page.goto(setupUrl ?? '')
  for (const [label, value] of Object.entries(person)) await page.getByLabel(label).fill(value)
  await page.getByLabel('Create a server key too').check()
  await page.getByRole('radio', { name: /^Reads and writes/ }).check()
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByRole('heading', { name: 'Acme is set up' }).waitFor()
  const keyOf = async (name: string) =>
    (await page.getByRole('region', { name }).locator('code').textContent()) ?? ''
  const keys = { server: await keyOf('Server key'), browser: await keyOf('Browser key') }
  await page.getByRole('link', { name: 'Open the dashboard' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  return keys
}

/** A caller for the addresses below the organization of a server key. */
export async function callAsServerKey(apiUrl: string, key: string): Promise<Caller> {
  const { items } = await callAs(apiUrl, key)<{ items: { id: string }[] }>('GET', '/organizations')
  return callAs(`${apiUrl}/organizations/${items[0]?.id}`, key)
}
