/**
 * Builds what changed since the last build and starts the service in this process, so that a signal sent to it
 * reaches the service itself. Arguments are the service's own.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildDashboard } from './build-dashboard.ts'
import { buildPages } from './build-pages.ts'
import { stopWithNpm } from './stop-with-npm.ts'

const root = join(import.meta.dirname, '..')
const compiler = join(root, 'node_modules/typescript/bin/tsc')

const built = spawnSync(process.execPath, [compiler, '-b'], { cwd: root, stdio: 'inherit' })
if (built.status !== 0) process.exit(built.status ?? 1)
for (const build of [buildDashboard, buildPages]) {
  const status = build()
  if (status !== 0) process.exit(status)
}

stopWithNpm()
// As installed: with what V8 has compiled before.
const program = join(root, 'packages/server/bin/signalbox-server.js')
process.argv[1] = program
await import(pathToFileURL(program).href)
