import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { errorCodeOf } from '../error-code.ts'
import { canRead, type RunAs } from './run-as.ts'

const linkTable = 'pg-symlinks.json'
const links = z.array(z.object({ source: z.string(), target: z.string() }))

/**
 * Creates the links that the package's install script would create: npm packs no links, and install scripts never run
 * here. Returns `false` when the directory is not writable.
 */
async function linkLibraries(native: string): Promise<boolean> {
  const table = links.parse(JSON.parse(await readFile(join(native, linkTable), 'utf8')))
  for (const { source, target } of table) {
    const path = join(dirname(native), target)
    if (existsSync(path)) continue
    try {
      await symlink(basename(source), path)
    } catch (error) {
      const code = errorCodeOf(error) ?? ''
      if (['EACCES', 'EROFS', 'EPERM'].includes(code)) return false
      if (code !== 'EEXIST') throw error
    }
  }
  return true
}

/** Makes a fresh copy readable for every user, whatever the umask of the installation was. */
async function openToAll(directory: string): Promise<void> {
  await chmod(directory, 0o755)
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) await openToAll(path)
    else if (entry.isFile()) await chmod(path, basename(directory) === 'bin' ? 0o755 : 0o644)
  }
}

async function copyNative(native: string, copy: string): Promise<void> {
  if (existsSync(copy)) return
  await mkdir(dirname(copy), { recursive: true })
  await chmod(dirname(copy), 0o755)
  const draft = await mkdtemp(`${copy}.new-`)
  await cp(native, join(draft, 'native'), { recursive: true, verbatimSymlinks: true })
  await openToAll(draft)
  await linkLibraries(join(draft, 'native'))
  try {
    await rename(draft, copy)
  } catch (error) {
    // Another process created the same copy first.
    await rm(draft, { recursive: true, force: true })
    if (!existsSync(copy)) throw error
  }
}

async function versionOf(native: string): Promise<string> {
  const text = await readFile(join(dirname(native), 'package.json'), 'utf8')
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version
}

/**
 * Returns the directory of PostgreSQL's programs, ready to run as `runAs`: the package's own once its links exist, or a
 * copy in `copies` when that user cannot read the package or this one cannot write to it.
 */
export async function prepareNative(options: {
  readonly native: string
  readonly copies: string
  readonly runAs: RunAs
}): Promise<string> {
  const { native, copies, runAs } = options
  const parts = [join(native, 'bin', 'postgres'), join(native, 'lib'), join(native, linkTable)]
  const readable = await Promise.all(parts.map((part) => canRead(part, runAs)))
  if (readable.every(Boolean) && (await linkLibraries(native))) return join(native, 'bin')
  const copy = join(copies, `postgres-${await versionOf(native)}`)
  await copyNative(native, copy)
  return join(copy, 'native', 'bin')
}
