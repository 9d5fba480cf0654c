import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** Holds what the steps leave for each other and for the totals. */
export const checkCache = join(root, 'node_modules/.cache/check')

/** Names the file that lists which test files a vitest run leaves out. */
export const keptFilesPath = join(checkCache, 'kept-files.json')

/**
 * Runs a program of `node_modules/.bin` at the root of the repository, with its output in ours, and tells whether it
 * exited with 0. After `limitSeconds` it and its children are ended.
 */
export function runCommand(
  program: string,
  args: readonly string[],
  limitSeconds: number,
): Promise<boolean> {
  const detached = process.platform !== 'win32'
  const child = spawn(program, args, {
    cwd: root,
    env: checkEnvironment(process.env),
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
    detached,
  })
  const end = (signal: NodeJS.Signals) => {
    if (child.pid !== undefined) process.kill(detached ? -child.pid : child.pid, signal)
  }
  const interrupt = () => end('SIGTERM')
  process.once('SIGINT', interrupt)
  process.once('SIGTERM', interrupt)
  const timer = setTimeout(() => {
    console.error(`${program} did not end within ${limitSeconds} seconds.`)
    end('SIGKILL')
  }, limitSeconds * 1000)
  return new Promise((resolve) => {
    const finish = (ok: boolean) => {
      clearTimeout(timer)
      process.off('SIGINT', interrupt)
      process.off('SIGTERM', interrupt)
      resolve(ok)
    }
    child.once('error', (error) => {
      console.error(`${program} could not be started: ${error.message}. Install it: npm ci`)
      finish(false)
    })
    child.once('exit', (code) => finish(code === 0))
  })
}

/** The settings of a service that runs on this machine are not those of the tests. */
function checkEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(
    ([name]) => name !== 'DATABASE_URL' && !/^SIGNALBOX_(?!TEST_)/.test(name),
  )
  const bin = join(root, 'node_modules/.bin')
  return {
    ...Object.fromEntries(kept),
    PATH: `${bin}${delimiter}${environment['PATH'] ?? ''}`,
    CHECK_ANSWERED_PROBLEMS: join(checkCache, 'answered'),
    CHECK_KEPT_FILES: keptFilesPath,
  }
}
