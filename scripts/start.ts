/**
 * Builds what changed since the last build and starts the service in this process, so that a signal sent to it
 * reaches the service itself. Arguments are the service's own.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildDashboard } from './build-dashboard.ts'
import { buildPages } from './build-pages.ts'

const root = join(import.meta.dirname, '..')
const compiler = join(root, 'node_modules/typescript/bin/tsc')

const built = spawnSync(process.execPath, [compiler, '-b'], { cwd: root, stdio: 'inherit' })
if (built.status !== 0) process.exit(built.status ?? 1)
for (const build of [buildDashboard, buildPages]) {
  const status = build()
  if (status !== 0) process.exit(status)
}

stopWithNpm()
const main = join(root, 'packages/server/dist/main.js')
process.argv[1] = main
await import(pathToFileURL(main).href)

/**
 * A signal to npm ends npm and its shell, which do not pass it on. Who was left alone by them was meant as well; who got
 * the signal himself, as with Ctrl-C, is stopping already and must not be told twice.
 */
function stopWithNpm(): void {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 500).unref()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => clearInterval(watch))
}
