import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')

/** Names the commit whose API the one of today is compared with, as that of an older release. */
const subject = 'store: run the migrations in the order of their names'

/** The sources of an older release beside the packages that are installed here. */
export interface OlderRelease {
  /** Names the directory of its sources. */
  readonly root: string
  close(): Promise<void>
}

/** Finds that commit; `undefined` in a clone whose history begins later. */
export async function findOlderCommit(): Promise<string | undefined> {
  const args = ['log', '--format=%H', '--fixed-strings', `--grep=${subject}`]
  const { stdout } = await run('git', args, { cwd: root })
  return stdout.split('\n')[0] || undefined
}

/**
 * Unpacks the packages of a commit. They are imported from their sources, so nothing is built, and their dependencies are those of
 * this checkout.
 */
export async function unpackRelease(commit: string): Promise<OlderRelease> {
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-older-'))
  const archive = join(directory, 'packages.tar')
  const files = ['packages', 'package.json', 'tsconfig.base.json']
  const packed = ['archive', '--output', archive, commit, ...files]
  await run('git', packed, { cwd: root })
  await run('tar', ['-xf', archive, '-C', directory])
  await rm(archive)
  await linkDependencies(join(directory, 'node_modules'))
  return { root: directory, close: () => rm(directory, { recursive: true, force: true }) }
}

/** Links what is installed, but the packages of this repository: those are the older ones. */
async function linkDependencies(modules: string): Promise<void> {
  const scope = join(modules, '@signalbox')
  await mkdir(scope, { recursive: true })
  const installed = join(root, 'node_modules')
  for (const name of await readdir(installed)) {
    if (name !== '@signalbox') await symlink(join(installed, name), join(modules, name))
  }
  for (const name of await readdir(join(modules, '../packages')))
    await symlink(join('../../packages', name), join(scope, name))
}
