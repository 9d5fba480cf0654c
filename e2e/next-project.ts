import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Acme } from './acme.ts'
import { findFreePort } from '../test/testing/network/ports.ts'

const example = join(import.meta.dirname, '../examples/next-app')
const next = join(import.meta.dirname, '../node_modules/next/dist/bin/next')

/** Holds the schema that `signalbox push` makes of the example's definition. */
export const nextAppSchema = {
  greeting: { type: 'string', tier: 'public', default: 'Hello' },
  pageSize: { type: 'number', tier: 'public', default: 20 },
  adminToken: { type: 'string', tier: 'secret' },
  newCheckout: { type: 'boolean', tier: 'featureFlags', default: false },
}

/** The variables that the example reads. */
export function nextAppEnv({ service, browserKey, serverKey }: Acme): Env {
  return {
    SIGNALBOX_CONFIG_URL: service.configUrl,
    SIGNALBOX_ORGANIZATION: 'acme',
    SIGNALBOX_ENVIRONMENT: 'production',
    SIGNALBOX_BROWSER_KEY: browserKey,
    SIGNALBOX_TOKEN: serverKey,
    CONFIG_WEBHOOK_SECRET: `whsec_${btoa('x'.repeat(32))}`,
  }
}

type Env = Readonly<Record<string, string>>

/** A server that was started with `next start`. */
export interface NextServer {
  readonly url: string
  /** Everything printed so far. */
  output(): string
  stop(): Promise<void>
}

/** A copy of the example beside it, because Next.js builds nothing that lies outside of the repository. */
export interface NextProject {
  readonly directory: string
  /** Writes a file of the copy. */
  write(path: string, text: string): Promise<void>
  /** Runs `next build` and answers its exit code and what it printed. */
  build(env: Env): Promise<{ readonly code: number | null; readonly output: string }>
  start(env: Env): Promise<NextServer>
  /** The paths of the files below `folder` that hold `text`, and how many were looked at. */
  search(
    folder: string,
    text: string,
  ): Promise<{ readonly found: string[]; readonly files: number }>
  remove(): Promise<void>
}

/** Copies the sources of `examples/next-app`. */
export async function copyNextApp(): Promise<NextProject> {
  const parent = join(example, '.test')
  await mkdir(parent, { recursive: true })
  const directory = await mkdtemp(join(parent, 'app-'))
  const sources = (await readdir(example)).filter(
    (name) => !/^(\.next|\.test|node_modules)$/.test(name),
  )
  for (const name of sources)
    await cp(join(example, name), join(directory, name), { recursive: true })
  const running = new Set<ChildProcess>()

  /** In a process group of its own: a child of Next.js outlives it when only the parent is ended. */
  const run = (args: readonly string[], env: Env) => {
    const child = spawn(process.execPath, [next, ...args], {
      cwd: directory,
      detached: true,
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        NEXT_TELEMETRY_DISABLED: '1',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running.add(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    }
    const ended = once(child, 'close').then(() => {
      running.delete(child)
      return child.exitCode
    })
    return { child, ended, output: () => output }
  }

  return {
    directory,
    async write(path, text) {
      await mkdir(join(directory, path, '..'), { recursive: true })
      await writeFile(join(directory, path), text)
    },
    async build(env) {
      const { ended, output } = run(['build'], env)
      return { code: await ended, output: output() }
    },
    async start(env) {
      const port = await findFreePort()
      const server = run(['start', '--hostname', '127.0.0.1', '--port', String(port)], {
        PORT: String(port),
        ...env,
      })
      const url = `http://127.0.0.1:${port}`
      await until(() => server.output().includes('Ready in'), server)
      return {
        url,
        output: server.output,
        async stop() {
          endGroup(server.child, 'SIGTERM')
          await server.ended
        },
      }
    },
    async search(folder, text) {
      const root = join(directory, folder)
      const entries = await readdir(root, { recursive: true, withFileTypes: true })
      const files = entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
      const bytes = await Promise.all(
        files.map(async (path) => ({ path, bytes: await readFile(path) })),
      )
      return {
        found: bytes.filter((file) => file.bytes.includes(text)).map(({ path }) => path),
        files: files.length,
      }
    },
    async remove() {
      for (const child of running) endGroup(child, 'SIGKILL')
      await rm(directory, { recursive: true, force: true })
    },
  }
}

function endGroup({ pid, exitCode }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined || exitCode !== null) return
  try {
    process.kill(-pid, signal)
  } catch (error) {
    // It has just ended.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

interface Running {
  readonly ended: Promise<unknown>
  readonly output: () => string
}

async function until(isReady: () => boolean, { ended, output }: Running): Promise<void> {
  let over = false
  void ended.then(() => (over = true))
  const deadline = Date.now() + 30_000
  while (!isReady()) {
    if (over || Date.now() > deadline) throw new Error(`Next.js did not start:\n${output()}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
