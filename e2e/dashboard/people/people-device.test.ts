import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { look, lookEverywhere, press } from '../look.ts'
import { openDashboard, type Dashboard } from '../open-dashboard.ts'
import { ada, addPerson, ageSessions, goTo, signIn, type Person } from './play-people.ts'

const main = join(import.meta.dirname, '../../../packages/cli/src/main.ts')
/** Nobody is asked to sign in where nobody can answer. */
const hasTerminal = spawnSync('script', ['--version']).status === 0

let dashboard: Dashboard
let home: string
let grace: Person
const running: ChildProcess[] = []

beforeAll(async () => {
  // The assistant is on this machine.
  dashboard = await openDashboard({ more: { SIGNALBOX_EGRESS_ALLOW_MEMBERS: '127.0.0.1' } })
  grace = await addPerson(dashboard, { name: 'Grace', role: 'viewer' })
  home = await mkdtemp(join(tmpdir(), 'signalbox-device-'))
})
afterAll(async () => {
  for (const child of running) child.kill()
  await dashboard.close()
  await rm(home, { recursive: true, force: true })
})

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
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Command {
  /** Resolves to the output once it matches the pattern. */
  shown(pattern: RegExp): Promise<string>
  readonly ended: Promise<number | null>
}

/** The command line of the sources, on a terminal, at a home of its own. */
function signalbox(...args: readonly string[]): Command {
  const words = [process.execPath, '--conditions=@signalbox/source', main, ...args]
  const command = `stty cols 100 rows 30; exec ${words.map((word) => `'${word}'`).join(' ')}`
  const child = spawn(
    'script',
    ['--quiet', '--return', '--flush', '--command', command, '/dev/null'],
    {
      env: { PATH: process.env['PATH'], HOME: home, TERM: 'xterm', CI: '' },
      stdio: 'pipe',
    },
  )
  running.push(child)
  let screen = ''
  child.stdout.on('data', (chunk: Buffer) => (screen += chunk.toString()))
  const ended = once(child, 'close').then(() => child.exitCode)
  return {
    shown: async (pattern) => {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      const look = () => pattern.test(screen) && resolve(screen)
      child.stdout.on('data', look)
      child.once('close', () => reject(new Error(`It ended without ${pattern}:\n${screen}`)))
      look()
      return promise
    },
    ended,
  }
}

/** Begins to sign a command line in. Answers it, and the code that it shows. */
async function beginLogin(): Promise<{ readonly login: Command; readonly code: string }> {
  const login = signalbox('login', '--no-browser', '--server', dashboard.service.apiUrl)
  const screen = await login.shown(/[A-Z]{4}-[A-Z]{4}[\s\S]*Expires in/)
  return { login, code: /[A-Z]{4}-[A-Z]{4}/.exec(screen)?.[0] ?? '' }
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

describe.runIf(hasTerminal)('signalbox login', () => {
  it('is let in by who opened its code first, and by nobody else, with a fresh password', async () => {
    const { login, code } = await beginLogin()

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
    await login.shown(/Signed in to .* as Ada/)
    expect(await login.ended).toBe(0)
    for (const one of [seat, other]) await one.close()
  })
})
