/** Builds the dashboard into the server's package, unless it was built after the last change of what it is made of. */
import { spawnSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..')
const dashboard = join(root, 'packages/dashboard')
const sources = [
  `${dashboard}/{index.html,*.ts,package.json}`,
  `${dashboard}/{src,public}/**/*`,
  `${root}/packages/contract/src/**/*.ts`,
  `${root}/package-lock.json`,
]

/** Answers the exit code: 0 when it was built, or is as new as its sources. */
export function buildDashboard(): number {
  const built = changedAt(join(root, 'packages/server/public/index.html'))
  if (globSync(sources).every((path) => changedAt(path) <= built)) return 0
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const args = [vite, 'build', dashboard, '--logLevel', 'warn']
  return spawnSync(process.execPath, args, { cwd: dashboard, stdio: 'inherit' }).status ?? 1
}

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exit(buildDashboard())
