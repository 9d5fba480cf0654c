/** Builds the dashboard into the server's package, unless it was built after the last change of what it is made of. */
import { spawnSync } from 'node:child_process'
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isNewerThan } from './is-newer-than.ts'

const root = join(import.meta.dirname, '..')
const dashboard = join(root, 'packages/dashboard')
const target = join(root, 'packages/server/public')
const sources = [
  `${dashboard}/{index.html,*.ts,package.json}`,
  `${dashboard}/{src,public}/**/*`,
  `${root}/packages/contract/src/**/*.ts`,
  `${root}/packages/cli/src/importers/**/*.ts`,
  `${root}/package-lock.json`,
]

/** Answers the exit code: 0 when it was built, or is as new as its sources. */
export function buildDashboard(): number {
  if (isNewerThan(join(target, 'index.html'), sources)) return 0
  // Beside it first: a server that is reading the former build never meets a half of the new one.
  const fresh = join(root, `packages/server/.public-${process.pid}`)
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const args = [vite, 'build', dashboard, '--outDir', fresh, '--logLevel', 'warn']
  // Tests set another one, with which React is built as for development.
  const env = { ...process.env, NODE_ENV: 'production' }
  const { status } = spawnSync(process.execPath, args, { cwd: dashboard, stdio: 'inherit', env })
  if (status === 0) {
    rmSync(target, { recursive: true, force: true })
    renameSync(fresh, target)
  }
  return status ?? 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exit(buildDashboard())
