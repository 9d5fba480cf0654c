import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const here = fileURLToPath(new URL('.', import.meta.url))
const repository = join(here, '../..')
const commandLine = join(repository, 'packages/cli/src/main.ts')
const secret = 'an-admin-token-nobody-guesses'

let root: string
let project: string
let env: Record<string, string | undefined>
const running = new Set<ChildProcess>()

/** Starts a child and collects what it prints. */
function start(args: readonly string[], input?: string) {
  const child = spawn(process.execPath, args, { cwd: project, env, stdio: 'pipe' })
  running.add(child)
  const printed = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (printed.stdout += chunk.toString('utf8')))
  child.stderr.on('data', (chunk: Buffer) => (printed.stderr += chunk.toString('utf8')))
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      running.delete(child)
      resolve(code)
    })
  })
  if (input !== undefined) child.stdin.end(input)
  return { child, printed, ended }
}

/** Runs a command of `signalbox` to its end. */
async function signalbox(args: readonly string[], input = '') {
  const { printed, ended } = start([commandLine, ...args], input)
  return { code: await ended, ...printed }
}

/** Waits until `look` finds something, at most a minute, since a server starts slowly beside others. */
async function until<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('It did not happen within a minute')
}

interface Started {
  readonly apiUrl: string
  readonly setupUrl: string
}

async function startServer(): Promise<ReturnType<typeof start> & Started> {
  const server = start([commandLine, 'start', '--json'])
  const line = await until(() =>
    server.printed.stdout.split('\n').find((text) => text.includes('"started"')),
  )
  return { ...server, ...(JSON.parse(line) as Started) }
}

async function setUp({ apiUrl, setupUrl }: Started): Promise<string> {
  const response = await fetch(`${apiUrl}/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      token: new URL(setupUrl).hash.replace('#token=', ''),
      name: 'Ada',
      email: 'ada@example.com',
      password: 'correct horse battery staple',
      organizationName: 'Acme',
      withServerKey: true,
    }),
  })
  const { keys } = (await response.json()) as { keys: { kind: string; secret: string }[] }
  return keys.find(({ kind }) => kind === 'm2m')?.secret ?? ''
}

interface Greeting {
  readonly greeting: string
  readonly pageSize: number
  readonly process: number
}

async function startService() {
  const service = start([commandLine, 'run', '--', process.execPath, 'src/main.ts'])
  const url = await until(() => /http:\/\/127\.0\.0\.1:\d+/.exec(service.printed.stdout)?.[0])
  const greet = async () => (await (await fetch(url)).json()) as Greeting
  return { ...service, url, greet }
}

let server: Awaited<ReturnType<typeof startServer>>

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'signalbox-example-'))
  // PostgreSQL runs as another user when the tests run as root, and has to pass through.
  chmodSync(root, 0o711)
  project = join(root, 'node-service')
  mkdirSync(project)
  cpSync(join(here, 'src'), join(project, 'src'), { recursive: true })
  cpSync(join(here, 'signalbox.config.ts'), join(project, 'signalbox.config.ts'))
  cpSync(join(here, 'package.json'), join(project, 'package.json'))
  symlinkSync(join(repository, 'node_modules'), join(project, 'node_modules'))
  env = {
    PATH: process.env['PATH'],
    HOME: root,
    NODE_OPTIONS: '--conditions=@signalbox/source',
    SIGNALBOX_DATA_DIR: join(root, 'data'),
    SIGNALBOX_API_PORT: '0',
    SIGNALBOX_DELIVERY_PORT: '0',
    PORT: '0',
  }
  server = await startServer()
  env = {
    PATH: env['PATH'],
    HOME: root,
    NODE_OPTIONS: env['NODE_OPTIONS'],
    PORT: '0',
    SIGNALBOX_URL: server.apiUrl,
    SIGNALBOX_TOKEN: await setUp(server),
  }
})

afterAll(async () => {
  const children = [...running]
  for (const child of children) child.kill('SIGTERM')
  await until(() => (running.size === 0 ? true : undefined))
  rmSync(root, { recursive: true, force: true })
})

describe('the example service', () => {
  it('is set up by init and push', async () => {
    const init = await signalbox(['init', '--schema', 'node-service'])
    expect(init).toMatchObject({ code: 0 })
    expect(init.stdout).toContain('signalbox.config.ts  already exists, unchanged')
    const push = await signalbox(['push', '--env', 'development'])
    expect(push).toMatchObject({ code: 0 })
    expect(push.stdout).toContain('public 2 · secret 1 · feature flags 1')
    expect(push.stdout).toContain('no value yet for adminToken')
  })

  it('is not started before it can work', async () => {
    const result = await signalbox(['run', '--', process.execPath, 'src/main.ts'])
    expect(result.code).toBe(5)
    expect(result.stderr).toContain('adminToken: is required and has no value')
  })

  it('sees a value and a flag change while it runs', async () => {
    expect(await signalbox(['set', 'adminToken'], secret)).toMatchObject({ code: 0 })
    const service = await startService()
    const before = await service.greet()
    expect(before).toMatchObject({ greeting: 'Hello', pageSize: 20 })
    const flipped = await signalbox(['set', 'shout', 'true'])
    expect(flipped).toMatchObject({ code: 0 })
    const after = await until(async () => {
      const answer = await service.greet()
      return answer.greeting === 'HELLO' ? answer : undefined
    })
    expect(after.process).toBe(before.process)
    await signalbox(['set', 'greeting', 'Good morning'])
    await until(async () =>
      (await service.greet()).greeting === 'GOOD MORNING' ? true : undefined,
    )
    const admin = await fetch(`${service.url}/admin`, {
      headers: { authorization: `Bearer ${secret}` },
    })
    expect(admin.status).toBe(200)
    service.child.kill('SIGTERM')
    expect(await service.ended).toBe(0)
  })

  it('is refused a value that the schema does not allow', async () => {
    const result = await signalbox(['set', 'pageSize', '1000'])
    expect(result.code).toBe(5)
    expect(result.stderr).toContain('pageSize')
    expect(await signalbox(['get', 'pageSize'])).toMatchObject({ stdout: '20\n' })
  })

  it('finds its values in the env file that pull writes', async () => {
    const pull = await signalbox(['pull'])
    expect(pull).toMatchObject({ code: 0 })
    expect(parseEnv(readFileSync(join(project, '.env.local'), 'utf8'))).toEqual({
      ADMIN_TOKEN: secret,
      GREETING: 'Good morning',
      PAGE_SIZE: '20',
      SHOUT: 'true',
    })
  })

  it('can be taken back to an earlier version', async () => {
    const history = await signalbox(['history', '--json'])
    const { versions } = JSON.parse(history.stdout) as {
      versions: { version: number; changes: { key: string }[] }[]
    }
    const beforeShout = versions.find(({ changes }) =>
      changes.some(({ key }) => key === 'adminToken'),
    )
    expect(await signalbox(['restore', `v${beforeShout?.version}`])).toMatchObject({ code: 0 })
    expect(await signalbox(['get', 'shout'])).toMatchObject({ stdout: 'false\n' })
  })

  it('starts with the values kept when the server is gone', async () => {
    await signalbox(['run', '--', process.execPath, '-e', ''])
    server.child.kill('SIGTERM')
    expect(await server.ended).toBe(0)
    const print = ['-p', 'process.env.ADMIN_TOKEN']
    const result = await signalbox(['run', '--', process.execPath, ...print])
    expect(result).toMatchObject({ code: 0, stdout: `${secret}\n` })
    expect(result.stderr).toContain('using the values stored')
  })
})
