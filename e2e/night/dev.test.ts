import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { findPort } from '../../scripts/dev/find-port.ts'
import { root } from '../../test/architecture/source-files.ts'

let directory: string
let url: string
let child: ChildProcess
let said = ''
const restores: (() => void)[] = []

/** Starts `npm run dev` with the data of the last start. */
async function start(): Promise<void> {
  said = ''
  const args = ['--conditions=@signalbox/source', 'scripts/dev.ts']
  const { port } = new URL(url)
  child = spawn(process.execPath, [...args, '--port', port, '--data-dir', directory], { cwd: root })
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')))
  const isDone = () => child.exitCode !== null || said.includes('Ready after')
  await vi.waitUntil(isDone, { timeout: 240_000, interval: 100 })
  expect(said).toContain('Ready after')
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'signalbox-dev-'))
  // PostgreSQL runs as another user when the tests run as root, and has to pass through.
  chmodSync(directory, 0o711)
  url = `http://127.0.0.1:${await findPort(0)}`
  await start()
})
afterAll(async () => {
  child.kill('SIGKILL')
  for (const restore of restores) restore()
  rmSync(directory, { recursive: true, force: true })
})

/** Signs in with what the terminal says, as the dashboard does. */
function signIn(): Promise<Response> {
  const [, email, password] = /sign in as (\S+) with (\S+)/.exec(said) ?? []
  return fetch(`${url}/sessions`, {
    method: 'POST',
    headers: { origin: url, 'x-requested-by': 'test', 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
}

/** Lets a source look changed. It gets its time back in the end, so that nothing is built again for it. */
function touch(path: string): void {
  const source = join(root, path)
  const { atime, mtime } = statSync(source)
  restores.push(() => utimesSync(source, atime, mtime))
  utimesSync(source, new Date(), new Date())
}

const open = async (path: string) =>
  (await fetch(url + path, { headers: { accept: 'text/html' } })).text()

it('npm run dev has the dashboard of the sources, the service and its documentation at one address', async () => {
  expect(await open('/acme/deployments')).toContain('src="/src/main.tsx')
  expect(await open('/docs/guide/clients')).toContain('<h1 id="clients">')
  expect(await open('/docs/none')).toContain('<h1>Page not found</h1>')
  expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ status: 'ready' })
  expect((await signIn()).status).toBe(201)
})

it('npm run dev sends a browser what has changed of the dashboard, without a reload', async () => {
  const screen = '/src/shell/logo.tsx'
  expect((await fetch(url + screen)).status).toBe(200)
  const [, token] = /wsToken = "([^"]+)"/.exec(await open('/@vite/client')) ?? []
  const socket = new WebSocket(`${url.replace('http', 'ws')}/?token=${token}`, 'vite-hmr')
  const sent: string[] = []
  socket.addEventListener('message', ({ data }) => sent.push(String(data)))
  await once(socket, 'open')
  touch(`packages/dashboard${screen}`)
  await expect.poll(() => sent.join()).toContain(`"acceptedPath":"${screen}"`)
  expect(sent.join()).not.toContain('full-reload')
  socket.close()
})

it('npm run dev starts the service again when one of its sources has changed', async () => {
  touch('packages/server/src/version.ts')
  await expect.poll(() => said).toContain('The service is there again.')
  expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ status: 'ready' })
})

it('npm run dev ends everything with Ctrl-C, and begins the next time with the data that it had, connected', async () => {
  const service = await (await fetch(`${url}/readyz`)).text()
  expect(service).toContain('ready')
  const [, sandbox = ''] = /Push +(\S+)/.exec(said) ?? []
  child.kill('SIGINT')
  expect(await once(child, 'exit')).toEqual([0, null])
  for (const address of [url, sandbox]) await expect(fetch(address)).rejects.toThrow('fetch failed')
  await start()
  const cookie = (await signIn()).headers.getSetCookie().map((line) => line.split(';')[0])
  const headers = { cookie: cookie.join('; ') }
  const { organizations } = await (await fetch(`${url}/me`, { headers })).json()
  const path = `/organizations/${organizations[0].id}/integrations`
  const integrations = await (await fetch(url + path, { headers })).text()
  expect(integrations.match(/"state":"connected"/g)).toHaveLength(3)
})
