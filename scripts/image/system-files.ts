import { execFile } from 'node:child_process'
import { realpath } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Describes a package of the distribution that files of the image come from. */
export interface SystemPackage {
  readonly name: string
  readonly version: string
  readonly architecture: string
  /** Holds what dpkg knows of it, which scanners of images read. */
  readonly status: string
}

/**
 * Lists the libraries of this system that programs need, by the paths at which these look for them.
 *
 * @throws {Error} that names a library that is not here.
 */
export async function listLibraries(programs: readonly string[]): Promise<string[]> {
  const found = new Set<string>()
  for (const program of programs) {
    const { stdout } = await run('ldd', [program])
    const missing = /^\s*(\S+) => not found$/m.exec(stdout)?.[1]
    if (missing !== undefined) throw new Error(`${program} needs ${missing}, which is not here.`)
    for (const [, path = ''] of stdout.matchAll(/(?:=> |^\s)(\/\S+) \(0x/gm)) found.add(path)
  }
  return [...found].sort()
}

/**
 * Finds the packages of the distribution that have the files.
 *
 * @throws {Error} on a system without dpkg: nobody could say later which faults the files have.
 */
export async function findPackages(paths: readonly string[]): Promise<SystemPackage[]> {
  const names = new Set<string>()
  for (const path of paths) names.add(await findOwner(path))
  return Promise.all([...names].sort().map(describePackage))
}

/** Debian 12 lists libraries below `/lib`, newer releases below `/usr/lib`, and both are the same directory. */
async function findOwner(path: string): Promise<string> {
  const real = await realpath(path)
  const candidates = [real, real.replace(/^\/usr/, ''), path, `/usr${path}`]
  for (const candidate of candidates) {
    const owner = await run('dpkg-query', ['--search', candidate]).catch(() => undefined)
    const name = owner && /^(?!diversion )([^\s:,]+)/m.exec(owner.stdout)?.[1]
    if (name !== undefined) return name
  }
  throw new Error(`No package of this system has ${path}: build the images on Debian or Ubuntu.`)
}

async function describePackage(name: string): Promise<SystemPackage> {
  const { stdout } = await run('dpkg-query', ['--status', name])
  const [status = ''] = stdout.split(/\n\n/)
  const field = (key: string) => new RegExp(`^${key}: (.+)$`, 'm').exec(status)?.[1] ?? 'unknown'
  return { name, version: field('Version'), architecture: field('Architecture'), status }
}
