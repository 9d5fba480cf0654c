import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from '../architecture/source-files.ts'

/** The packages that are published, in the order of their dependencies. */
export const publishedPackages = [
  'contract',
  'config',
  'react',
  'next',
  'vite',
  'server',
  'sandbox',
  'cli',
] as const
export type PublishedPackage = (typeof publishedPackages)[number]

export interface PackageManifest {
  readonly name: string
  readonly bin?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, unknown>>
  readonly engines: { readonly node: string }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** An empty project in a temporary directory, with our packages as they come out of their tarballs. */
export interface EmptyProject {
  readonly directory: string
  /** The files in the tarball of a package. */
  readonly contents: Readonly<Record<PublishedPackage, readonly string[]>>
  tarball(name: PublishedPackage): string
  packageDirectory(name: PublishedPackage): string
  readManifest(name: PublishedPackage): PackageManifest
  write(file: string, text: string): void
  /** Packs a package that is installed here, and returns the path of the tarball. */
  packInstalled(name: string): string
  /** Runs a program in the project and answers what it prints. */
  run(program: string, ...args: string[]): string
  close(): void
}

/**
 * Packs our packages and unpacks them into an empty project. What a package declares from the registry is linked
 * beside it, so that nothing has to be downloaded, and what it does not declare is not there.
 */
export function createEmptyProject(): EmptyProject {
  const directory = mkdtempSync(join(tmpdir(), 'signalbox-packed-'))
  // PostgreSQL runs as another user when the tests run as root, and has to pass through.
  chmodSync(directory, 0o711)
  const packageDirectory = (name: PublishedPackage) =>
    join(directory, 'node_modules/@signalbox', name)
  const readManifest = (name: PublishedPackage): PackageManifest =>
    JSON.parse(readFileSync(join(packageDirectory(name), 'package.json'), 'utf8'))
  writeFileSync(join(directory, 'package.json'), '{ "name": "empty", "private": true }\n')
  const packed = pack(directory)
  for (const name of publishedPackages) {
    mkdirSync(packageDirectory(name), { recursive: true })
    const tarball = join(directory, packed[name].filename)
    execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', packageDirectory(name)])
    linkDependencies(packageDirectory(name), name, readManifest(name))
  }
  return {
    directory,
    contents: {
      contract: packed.contract.files,
      config: packed.config.files,
      react: packed.react.files,
      next: packed.next.files,
      vite: packed.vite.files,
      server: packed.server.files,
      sandbox: packed.sandbox.files,
      cli: packed.cli.files,
    },
    tarball: (name) => join(directory, packed[name].filename),
    packageDirectory,
    readManifest,
    write: (file, text) => writeFileSync(join(directory, file), text),
    run: (program, ...args) => {
      const { status, stdout, stderr } = spawnSync(program, args, {
        cwd: directory,
        encoding: 'utf8',
      })
      if (status === 0) return stdout
      throw new Error(`${program} ${args.join(' ')} exits with ${status}:\n${stdout}${stderr}`)
    },
    packInstalled: (name) => {
      const source = join(root, 'node_modules', name)
      const printed = runNpm(['pack', '--json', '--pack-destination', directory, source])
      const [report]: readonly PackReport[] = JSON.parse(printed)
      if (report === undefined) throw new Error(`npm packed no ${name}.`)
      return join(directory, report.filename)
    },
    close: () => rmSync(directory, { recursive: true, force: true }),
  }
}

interface Packed {
  readonly filename: string
  readonly files: readonly string[]
}

interface PackReport {
  readonly name: string
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
}

function pack(directory: string): Record<PublishedPackage, Packed> {
  const workspaces = publishedPackages.flatMap((name) => ['-w', `@signalbox/${name}`])
  const printed = runNpm(['pack', '--json', '--pack-destination', directory, ...workspaces])
  const reports: readonly PackReport[] = JSON.parse(printed)
  const find = (name: PublishedPackage): Packed => {
    const report = reports.find((each) => each.name === `@signalbox/${name}`)
    if (report === undefined) throw new Error(`npm packed no @signalbox/${name}.`)
    return { filename: report.filename, files: report.files.map(({ path }) => path) }
  }
  return {
    contract: find('contract'),
    config: find('config'),
    react: find('react'),
    next: find('next'),
    vite: find('vite'),
    server: find('server'),
    sandbox: find('sandbox'),
    cli: find('cli'),
  }
}

/** Runs npm in `directory`, and returns what it prints. */
export function runNpm(args: readonly string[], directory = root): string {
  return execFileSync('npm', args, {
    cwd: directory,
    encoding: 'utf8',
    // The list of all packed files is longer than the megabyte that is allowed otherwise.
    maxBuffer: 16 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
}

function linkDependencies(
  packageDirectory: string,
  name: PublishedPackage,
  { dependencies, peerDependencies, optionalDependencies }: PackageManifest,
): void {
  const declared = Object.keys({ ...optionalDependencies, ...dependencies, ...peerDependencies })
  for (const dependency of declared.filter((each) => !each.startsWith('@signalbox/'))) {
    const installed = [`packages/${name}/node_modules`, 'node_modules']
      .map((place) => join(root, place, dependency))
      .find((place) => existsSync(place))
    // A package for another platform.
    if (installed === undefined && optionalDependencies?.[dependency] !== undefined) continue
    if (installed === undefined) throw new Error(`${dependency} of ${name} is not installed.`)
    const link = join(packageDirectory, 'node_modules', dependency)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(installed, link, 'junction')
  }
}
