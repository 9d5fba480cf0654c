import { execFile } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { ToolDefinition } from './tool-list.ts'

const run = promisify(execFile)

const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'
const source = `deb [signed-by=${keyring}] http://deb.debian.org/debian trixie main\n`
/** Libraries are unpacked beside the program. What else a package depends on is for its installation as a daemon. */
const isLibrary = (name: string) => /^(?:lib|zlib1g)/.test(name) && !name.includes('perl')
const limits = { timeout: 120_000, maxBuffer: 16 * 1024 * 1024 }

/**
 * Unpacks a package of Debian 13 into `folder` with the libraries that it needs, and returns the path of a script there that starts
 * the program of the folder's name.
 * Nothing is installed and nobody has to be root: apt keeps its lists in the folder, and checks Debian's signatures.
 *
 * @throws {Error} where there is no apt, none of Debian's keys, or no way to the archive.
 */
export async function fetchPackage(tool: ToolDefinition, folder: string): Promise<string> {
  if (!existsSync('/usr/bin/apt-get')) throw new Error('this system has no apt.')
  if (!existsSync(keyring)) throw new Error('the package debian-archive-keyring is not installed.')
  await mkdir(dirname(folder), { recursive: true, mode: 0o755 })
  // Several tests may fetch it at once: the first that is done gives it its name.
  const work = await mkdtemp(`${folder}-`)
  await chmod(work, 0o755)
  try {
    const root = await unpack(tool, work)
    const [program] = globSync(`usr/{sbin,bin}/${basename(folder)}`, { cwd: root })
    if (program === undefined) throw new Error(`the package ${tool.package} has no such program.`)
    const starter = join(work, basename(folder))
    await writeFile(starter, renderStarter(root, program, folder), { mode: 0o755 })
    await rename(work, folder).catch(async (error: unknown) => {
      if (!existsSync(folder)) throw error
    })
    return join(folder, basename(folder))
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

async function unpack(tool: ToolDefinition, work: string): Promise<string> {
  const apt = join(work, 'apt')
  const archives = join(apt, 'archives')
  const root = join(work, 'root')
  await mkdir(join(apt, 'lists/partial'), { recursive: true })
  await mkdir(join(archives, 'partial'), { recursive: true })
  await mkdir(root)
  // An empty list of installed packages: the libraries of Debian 13 are wanted, whatever this system has.
  await writeFile(join(apt, 'status'), '')
  await writeFile(join(apt, 'sources.list'), source)
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
    tool.package,
  )
  const names = [...planned.stdout.matchAll(/^'\S+' ([^_\s]+)_/gm)].map(([, name = '']) => name)
  await aptGet('download', ...names.filter((name) => name === tool.package || isLibrary(name)))
  for (const archive of globSync('*.deb', { cwd: archives }))
    await run('/usr/bin/dpkg-deb', ['--extract', join(archives, archive), root], limits)
  await rm(apt, { recursive: true })
  return root
}

/** Renders the script that starts the program, with the libraries that it came with: they may be newer than those of the system. */
function renderStarter(root: string, program: string, folder: string): string {
  const at = (path: string) => `"${join(folder, 'root', path)}"`
  const [loader] = globSync('usr/{lib64,lib}/ld-linux*', { cwd: root })
  const [libraries] = globSync('usr/lib/*-linux-gnu*', { cwd: root })
  const command =
    loader === undefined || libraries === undefined
      ? at(program)
      : `${at(loader)} --library-path ${at(libraries)} ${at(program)}`
  return `#!/bin/sh\nexec ${command} "$@"\n`
}
