import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { inject } from 'vitest'
import { testToken } from './stand-in-state.ts'

export interface CliResult {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface CliOptions {
  readonly stdin?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly onStart?: (child: ReturnType<typeof spawn>) => void
}

/** A directory of its own, with its own home, in which the command runs as a child process. */
export interface TestDirectory {
  readonly directory: string
  readonly home: string
  /** Holds what the command finds in its environment. */
  readonly env: Readonly<Record<string, string | undefined>>
  run(args: readonly string[], options?: CliOptions): Promise<CliResult>
  /** Takes the library away that definitions import, as if the project was not installed yet. */
  uninstall(): void
  remove(): void
}

/** The command line, put together of its sources before the tests. */
export const mainPath = inject('commandLine')

export function createTestDirectory(serverUrl: string, token = testToken): TestDirectory {
  const root = mkdtempSync(join(tmpdir(), 'signalbox-cli-'))
  const directory = join(root, 'project')
  const home = join(root, 'home')
  const env = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_CACHE_HOME: join(home, 'cache'),
    SIGNALBOX_URL: serverUrl,
    SIGNALBOX_TOKEN: token,
    GIT_CONFIG_GLOBAL: '/dev/null',
  }
  mkdirSync(directory)
  mkdirSync(home)
  const packages = join(root, 'node_modules')
  installLibrary(join(packages, '@signalbox/config'))
  return {
    directory,
    home,
    env,
    run: (args, options = {}) => runCli({ directory, base: env }, args, options),
    uninstall: () => rmSync(packages, { recursive: true }),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** Installs the library that definitions import, as `npm install` does, but of one piece. */
function installLibrary(directory: string): void {
  mkdirSync(directory, { recursive: true })
  const manifest = { name: '@signalbox/config', type: 'module', exports: './index.js' }
  writeFileSync(join(directory, 'package.json'), JSON.stringify(manifest))
  symlinkSync(inject('configLibrary'), join(directory, 'index.js'))
}

/** Finds a link to the project's own site, which a person without the internet cannot open. */
const foreignLink = /https?:\/\/signalbox\.dev\S*/

function runCli(
  { directory, base }: { directory: string; base: TestDirectory['env'] },
  args: readonly string[],
  { stdin, env = {}, onStart }: CliOptions,
): Promise<CliResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      ['--conditions=@signalbox/source', mainPath, '--cwd', directory, ...args],
      {
        env: { ...base, ...env },
        stdio: 'pipe',
      },
    )
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')))
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')))
    child.once('error', reject)
    child.once('close', (code, signal) => {
      const elsewhere = foreignLink.exec(stdout + stderr)
      if (elsewhere === null) resolve({ code, signal, stdout, stderr })
      else reject(new Error(`The command line links to ${elsewhere[0]} and not to the server.`))
    })
    onStart?.(child)
    child.stdin.on('error', () => undefined)
    child.stdin.end(stdin ?? '')
  })
}
