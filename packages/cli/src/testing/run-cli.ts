import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { inject } from 'vitest'
import type * as App from '../app.ts'
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
  /** Starts a process of its own, for what a process alone shows: signals, prints of a module, what Node does at its end. */
  readonly isProcess?: boolean
}

/** A directory of its own, with its own home, in which the command runs. */
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

const { runCommandLine } = (await import(inject('commandLineModule'))) as typeof App

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
    run: async (args, options = {}) => {
      const whole = { ...options, env: { ...env, ...options.env } }
      const { stdout, stderr, ...end } = needsProcess(whole)
        ? await runProcess(directory, args, whole)
        : await runHere({ directory, home }, args, whole)
      const elsewhere = foreignLink.exec(stdout + stderr)
      if (elsewhere === null) return { stdout, stderr, ...end }
      throw new Error(`The command line links to ${elsewhere[0]} and not to the server.`)
    },
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

type WholeOptions = CliOptions & Required<Pick<CliOptions, 'env'>>

function needsProcess({ env, onStart, isProcess = false }: WholeOptions): boolean {
  const hasProxy = Object.keys(env).some((name) => /^(https?|all)_proxy$/i.test(name))
  return isProcess || onStart !== undefined || hasProxy
}

/** Counts the commands, each of which reads the modules of its directory as they are now. A process reads a module once. */
let runs = 0
const { cache } = createRequire(import.meta.url)
const testModules = pathToFileURL(join(tmpdir(), 'signalbox-cli-')).href
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    return found.url.startsWith(testModules) ? { ...found, url: `${found.url}?run=${runs}` } : found
  },
})

/** Runs the command in the process of the tests, which loads it once. */
async function runHere(
  { directory, home }: Pick<TestDirectory, 'directory' | 'home'>,
  args: readonly string[],
  { stdin = '', env }: WholeOptions,
): Promise<CliResult> {
  const written = { stdout: '', stderr: '' }
  const write = (name: keyof typeof written) => ({
    write: (text: string) => (written[name] += text),
  })
  runs += 1
  for (const path of Object.keys(cache)) if (path.startsWith(directory)) delete cache[path]
  const end = await runCommandLine(['--cwd', directory, ...args], {
    stdin: Readable.from([stdin]),
    stdout: write('stdout'),
    stderr: write('stderr'),
    env: Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)),
    home,
    startChild: (command, words, options) => {
      const child = spawn(command, words, options)
      child.stdout.on('data', (chunk: Buffer) => (written.stdout += chunk.toString('utf8')))
      child.stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString('utf8')))
      // A program that reads nothing may have ended before this is written.
      child.stdin.on('error', () => undefined).end(stdin)
      return child
    },
  })
  return typeof end === 'number'
    ? { code: end, signal: null, ...written }
    : { code: null, signal: end, ...written }
}

function runProcess(
  directory: string,
  args: readonly string[],
  { stdin, env, onStart }: WholeOptions,
): Promise<CliResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      ['--conditions=@signalbox/source', mainPath, '--cwd', directory, ...args],
      { env, stdio: 'pipe' },
    )
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')))
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')))
    child.once('error', reject)
    child.once('close', (code, signal) => {
      resolve({ code, signal, stdout, stderr })
    })
    onStart?.(child)
    child.stdin.on('error', () => undefined)
    child.stdin.end(stdin ?? '')
  })
}
