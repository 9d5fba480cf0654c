import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cliClientId, deviceGrantType } from '@signalbox/contract/rest'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { look, lookEverywhere, press } from '../look.ts'
import { openDashboard, type Dashboard } from '../open-dashboard.ts'
import { ada, addPerson, ageSessions, goTo, signIn, type Person } from './play-people.ts'

let dashboard: Dashboard
let grace: Person

beforeAll(async () => {
  // The assistant is on this machine.
  dashboard = await openDashboard({ more: { SIGNALBOX_EGRESS_ALLOW_MEMBERS: '127.0.0.1' } })
  grace = await addPerson(dashboard, { name: 'Grace', role: 'viewer' })
})
afterAll(() => dashboard.close())

/** Opens an assistant on this machine: the host of its document, and the address that it wants the browser to return to. */
async function openAssistant() {
  const arrived: string[] = []
  const server = createServer(({ url = '' }, response) => {
    const { port } = server.address() as AddressInfo
    const clientId = `http://127.0.0.1:${port}/client.json`
    if (url !== '/client.json') arrived.push(url)
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        client_id: clientId,
        client_name: 'Claude Code',
        redirect_uris: ['http://127.0.0.1/callback'],
      }),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const address = `http://127.0.0.1:${port}/callback`
  return {
    arrived,
    address,
    host: `127.0.0.1:${port}`,
    searchParams: new URLSearchParams({
      response_type: 'code',
      client_id: `http://127.0.0.1:${port}/client.json`,
      redirect_uri: address,
      code_challenge: 'c'.repeat(43),
      code_challenge_method: 'S256',
      state: '007',
      resource: `${dashboard.service.apiUrl}/mcp`,
    }),
  }
}

/** Asks the service as a program without a browser does. */
async function askAsDevice(path: string, body: object) {
  const answer = await fetch(`${dashboard.service.apiUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_id: cliClientId, ...body }),
  })
  const said: Readonly<Record<string, string>> = await answer.json()
  return { status: answer.status, said }
}

it('an assistant is allowed by a person who sees its host, and nothing is sent to it before', async () => {
  const assistant = await openAssistant()
  const { searchParams, address } = assistant
  searchParams.set('scope', 'read write')
  const path = `/oauth/authorize?${searchParams.toString()}`
  const seat = await dashboard.open({ session: null })
  const { page } = seat
  // The request outlives the sign-in.
  await page.goto(dashboard.service.apiUrl + path)
  await signIn(page, ada)
  await page.getByRole('heading', { name: `${assistant.host} wants to act for you` }).waitFor()
  expect(await lookEverywhere(seat, 'assistant')).toEqual([])
  await page.getByLabel('Read and propose').check()
  expect(assistant.arrived).toEqual([])
  await press(page, 'Allow')
  await page.waitForURL(`${address}?**`)
  const allowed = new URL(page.url()).searchParams
  expect([allowed.get('state'), allowed.get('iss')]).toEqual(['007', dashboard.service.apiUrl])
  expect(allowed.get('code')).toMatch(/^[\w-]{43}$/)

  await page.goto(dashboard.service.apiUrl + path)
  await press(page, 'Refuse')
  await page.waitForURL(`${address}?**`)
  expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')

  searchParams.set('code_challenge_method', 'plain')
  await page.goto(`${dashboard.service.apiUrl}/oauth/authorize?${searchParams.toString()}`)
  await page.getByRole('heading', { name: /asks for something that is not possible/ }).waitFor()
  expect(await look(seat, 'assistant-impossible')).toEqual([])
  searchParams.set('redirect_uri', 'https://evil.example/')
  await page.goto(`${dashboard.service.apiUrl}/oauth/authorize?${searchParams.toString()}`)
  await page.getByText('has not registered').waitFor()
  expect(await look(seat, 'assistant-unverified')).toEqual([])
})

it('a device is let in by who opened its code first, and by nobody else, with a fresh password', async () => {
  const { said: begun } = await askAsDevice('/oauth/device_authorization', {
    device_name: 'laptop',
  })
  const { user_code: code = '', device_code } = begun

  const seat = await dashboard.open()
  const { page } = seat
  await goTo(dashboard, seat, `/device?user_code=${code}`)
  // The link fills the code in; nothing happens by opening it.
  expect(await page.getByLabel('Code shown on the device').inputValue()).toBe(code)
  await press(page, 'Continue')
  await page.getByRole('definition').filter({ hasText: code }).waitFor()
  expect(await look(seat, 'device-request')).toEqual([])

  const other = await dashboard.open({ session: grace.session, width: 390 })
  await goTo(dashboard, other, `/device?user_code=${code}`)
  await press(other.page, 'Continue')
  await other.page.getByText('No device waits with this code.').waitFor()
  await other.picture('device-taken-390')

  await ageSessions(dashboard)
  await press(page, 'Authorize')
  const question = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await question.getByLabel('Password').fill(ada.password)
  await press(question, 'Confirm')
  await page.getByText('The device is signed in').waitFor()
  await seat.picture('device-approved')
  const token = await askAsDevice('/oauth/token', { grant_type: deviceGrantType, device_code })
  expect(token.status).toBe(200)
})
