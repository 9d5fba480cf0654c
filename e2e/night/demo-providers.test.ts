import { afterAll, beforeAll, expect, it } from 'vitest'
import { shareBrowser } from '../browser.ts'
import { startDemo, type Demo } from '../start-demo.ts'

let demo: Demo

beforeAll(async () => {
  demo = await startDemo('--with', 'gitlab,linear,discord')
}, 240_000)
afterAll(() => demo?.kill())

it('signalbox demo --with gitlab,linear,discord turns a push to GitLab into one message in Discord, with the issues of Linear and the tests', async () => {
  const { push, channel, deployments, email, password } = demo.shown
  const context = await (await shareBrowser()).newContext()
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => complaints.push(message.text()))
  await page.goto(push)
  expect(await page.locator('main').innerText()).not.toMatch(/GitHub|Jira|Slack/)
  // Somebody looks at the channel meanwhile, and reloads nothing.
  const watched = await context.newPage()
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
  await page.goto(channel)
  expect(await page.locator('.messages > article').allInnerTexts()).toEqual([
    expect.stringMatching(/Deployed to staging[\s\S]*4 passed[\s\S]*ABC-1[\s\S]*ABC-2/),
  ])

  await page.goto(deployments)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('main').getByRole('link', { name: /ABC-1/ }).first().click()
  const link = page.getByRole('link', { name: 'ABC-1', exact: true }).first()
  await link.waitFor()
  expect(await link.getAttribute('href')).toMatch(/\/linear\/acme\/issue\/ABC-1/)
  await context.close()
})
