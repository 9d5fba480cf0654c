import { execFile } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'
const limits = { timeout: 120_000, maxBuffer: 16 * 1024 * 1024 }

/** Describes packages of Debian that are unpacked without being installed. */
export interface UnpackPackages {
  /** Names the release, such as `trixie`. */
  readonly suite: string
  /** Lists the packages whose dependencies are looked at. */
  readonly packages: readonly string[]
  /** Selects from these and everything that they depend on. */
  readonly isWanted: (name: string) => boolean
}

/**
 * Fills a folder by `fill`, which works in a folder beside it, and returns the path of the program of its name in it. Several tests
 * may do so at the same time: the first that is done gives it its name.
 */
export async function inFolder(
  folder: string,
  fill: (work: string) => Promise<void>,
): Promise<string> {
  await mkdir(dirname(folder), { recursive: true, mode: 0o755 })
  const work = await mkdtemp(`${folder}-`)
  await chmod(work, 0o755)
  try {
    await fill(work)
    await rename(work, folder).catch(async (error: unknown) => {
      if (!existsSync(folder)) throw error
    })
    return join(folder, basename(folder))
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/**
 * Unpacks packages into a folder `root` of `work`, which it returns. apt keeps its lists in `work`, and checks Debian's signatures.
 *
 * @throws {Error} where there is no apt, none of Debian's keys, or no way to the archive.
 */
export async function unpackPackages(
  work: string,
  { suite, packages, isWanted }: UnpackPackages,
): Promise<string> {
  if (!existsSync('/usr/bin/apt-get')) throw new Error('this system has no apt.')
  if (!existsSync(keyring)) throw new Error('the package debian-archive-keyring is not installed.')
  const apt = join(work, 'apt')
  const archives = join(apt, 'archives')
  const root = join(work, 'root')
  await mkdir(join(apt, 'lists/partial'), { recursive: true })
  await mkdir(join(archives, 'partial'), { recursive: true })
  await mkdir(root)
  // An empty list of installed packages: the libraries of the release are wanted, whatever this system has.
  await writeFile(join(apt, 'status'), '')
  await writeFile(
    join(apt, 'sources.list'),
    `deb [signed-by=${keyring}] http://deb.debian.org/debian ${suite} main\n`,
  )
  const options = [
    `Dir::Etc::sourcelist=${join(apt, 'sources.list')}`,
    'Dir::Etc::sourceparts=/dev/null',
    `Dir::State::lists=${join(apt, 'lists')}`,
    `Dir::State::status=${join(apt, 'status')}`,
    `Dir::Cache=${apt}`,
    'APT::Sandbox::User=',
    'Acquire::Retries=1',
    'Acquire::http::Timeout=15',
    'Acquire::Languages=none',
  ].flatMap((option) => ['-o', option])
  const aptGet = (...args: string[]) =>
    run('/usr/bin/apt-get', [...options, ...args], { ...limits, cwd: archives })
  await aptGet('--error-on=any', 'update')
  const planned = await aptGet(
    'install',
    '--print-uris',
    '--yes',
    '--no-install-recommends',
    ...packages,
  )
  const names = [...planned.stdout.matchAll(/^'\S+' ([^_\s]+)_/gm)].map(([, name = '']) => name)
  await aptGet('download', ...names.filter((name) => isWanted(name)))
  for (const archive of globSync('*.deb', { cwd: archives }))
    await run('/usr/bin/dpkg-deb', ['--extract', join(archives, archive), root], limits)
  await rm(apt, { recursive: true })
  return root
}
