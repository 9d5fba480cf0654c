/** Renders the documentation into the server's package, unless that is newer than everything it is made of. */
import { spawnSync } from 'node:child_process'
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isNewerThan } from './is-newer-than.ts'

const root = join(import.meta.dirname, '..')
const target = join(root, 'packages/server/dist/pages')
const sources = [
  `${root}/README.md`,
  `${root}/docs/**/*.md`,
  `${root}/packages/server/src/providers/**/guide.md`,
  `${root}/bench/results/*.json`,
  `${root}/scripts/docs/*.ts`,
  // The figures are of these sources, or of older ones.
  `${root}/{bench,e2e}/**/*.ts`,
  `${root}/packages/*/src/**/*.{ts,tsx}`,
  `${root}/package-lock.json`,
]

/** Answers the exit code: 0 when they were rendered, or are as new as their sources. */
export function buildPages(): number {
  if (isNewerThan(join(target, 'llms.txt'), sources)) return 0
  const fresh = `${target}.${process.pid}`
  const program = join(root, 'scripts/write-pages.ts')
  const { status } = spawnSync(
    process.execPath,
    ['--conditions=@signalbox/source', program, fresh],
    { cwd: root, stdio: 'inherit' },
  )
  if (status === 0) {
    rmSync(target, { recursive: true, force: true })
    renameSync(fresh, target)
  }
  return status ?? 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exit(buildPages())
