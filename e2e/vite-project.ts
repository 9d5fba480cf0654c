import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const example = join(root, 'examples/vite-app')

/** A copy of `examples/vite-app` in the repository, so that it finds the packages. */
export interface ViteProject {
  readonly directory: string
  write(path: string, text: string): Promise<void>
  /** Runs `vite build` and answers its exit code and what it printed. */
  build(
    env: Readonly<Record<string, string>>,
  ): Promise<{ readonly code: number | null; readonly output: string }>
  /** Runs `vite`, the server for developing. */
  develop(
    env: Readonly<Record<string, string>>,
  ): Promise<{ readonly url: string; close(): Promise<void> }>
  /** Maps paths to the contents of the build. */
  readBuilt(): Promise<Map<string, string>>
  /** Serves what was built. */
  serve(): Promise<{ readonly url: string; close(): Promise<void> }>
  remove(): Promise<void>
}

export async function copyViteApp(): Promise<ViteProject> {
  const directory = await mkdtemp(join(root, 'examples/vite-app/.test-'))
  for (const name of await readdir(example)) {
    // The settings of the compiler are found from where the example is, and the build needs none.
    if (/^(dist|node_modules|tsconfig\.json|\.test.*)$/.test(name)) continue
    await cp(join(example, name), join(directory, name), { recursive: true })
  }
  const built = join(directory, 'dist')
  const run = (args: readonly string[], env: Readonly<Record<string, string>>) => {
    const vite = join(root, 'node_modules/vite/bin/vite.js')
    const child = spawn(process.execPath, [vite, ...args, '--configLoader', 'native'], {
      cwd: directory,
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        NO_COLOR: '1',
        NODE_OPTIONS: '--conditions=@signalbox/source',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    }
    return { child, output: () => output }
  }
  return {
    directory,
    write: (path, text) => writeFile(join(directory, path), text),
    async build(env) {
      const { child, output } = run(['build'], env)
      await once(child, 'close')
      return { code: child.exitCode, output: output() }
    },
    async develop(env) {
      const { child, output } = run(['--host', '127.0.0.1', '--port', '0'], env)
      const closed = once(child, 'close')
      const url = await new Promise<string>((resolve, reject) => {
        void closed.then(() => reject(new Error(output())))
        child.stdout.on('data', () => {
          const [printed] = /http:\/\/127\.0\.0\.1:\d+/.exec(output()) ?? []
          if (printed !== undefined) resolve(printed)
        })
      })
      return {
        url,
        async close() {
          child.kill()
          await closed
        },
      }
    },
    async readBuilt() {
      const entries = await readdir(built, { recursive: true, withFileTypes: true })
      const files = entries.filter((entry) => entry.isFile())
      const paths = files.map((entry) => join(entry.parentPath, entry.name))
      return new Map(
        await Promise.all(paths.map(async (path) => [path, await readFile(path, 'utf8')] as const)),
      )
    },
    async serve() {
      const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' }
      const server = createServer((request, response) => {
        const path = request.url === '/' ? '/index.html' : (request.url ?? '')
        response.setHeader('content-type', types[extname(path)] ?? 'application/octet-stream')
        const file = createReadStream(join(built, path))
        file.once('error', () => response.writeHead(404).end())
        file.pipe(response)
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as AddressInfo
      return {
        url: `http://127.0.0.1:${port}`,
        close: () =>
          new Promise((resolve) => {
            server.close(() => resolve())
            server.closeAllConnections()
          }),
      }
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}
