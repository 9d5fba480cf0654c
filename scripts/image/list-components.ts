import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'

const dependencies = z.record(z.string(), z.string()).default({})

const lockedPackage = z.object({
  version: z.string().optional(),
  integrity: z.string().optional(),
  license: z.string().optional(),
  optional: z.boolean().optional(),
  /** Of a link: the folder that it leads to. */
  resolved: z.string().optional(),
  link: z.boolean().optional(),
  dependencies,
  optionalDependencies: dependencies,
  peerDependencies: dependencies,
  peerDependenciesMeta: z
    .record(z.string(), z.object({ optional: z.boolean().optional() }))
    .default({}),
})

const lockfile = z.object({ packages: z.record(z.string(), lockedPackage) })

type Packages = z.infer<typeof lockfile>['packages']

/** Describes a package that the service runs on. */
export interface Component {
  readonly name: string
  readonly version: string
  /** Holds its folder, from the root of the repository. Example: `node_modules/pg`. */
  readonly folder: string
  readonly license: string | undefined
  /** Holds the checksum of the lockfile. Example: `sha512-…`. */
  readonly integrity: string | undefined
  /** Lists the folders of what it depends on. */
  readonly dependsOn: readonly string[]
}

/**
 * Lists what workspaces run on, out of the lockfile: what they depend on themselves and through others, as Node finds it, and
 * what is installed of the optional ones. Both the files of an image and its list of components come from here, so that neither
 * has more than the other. `npm sbom --omit dev` leaves out each package that the development uses as well, such as zod.
 */
export function listComponents(root: string, workspaces: readonly string[]): Component[] {
  const { packages } = lockfile.parse(
    JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')),
  )
  const installed = lockfile.parse(
    JSON.parse(readFileSync(join(root, 'node_modules/.package-lock.json'), 'utf8')),
  ).packages
  const found = new Map<string, Component>()
  const waiting = [...workspaces]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (found.has(folder)) continue
    const dependsOn = listDependencies(packages, folder).filter(
      (each) => !each.startsWith('node_modules/') || each in installed,
    )
    found.set(folder, describe(packages, folder, dependsOn))
    waiting.push(...dependsOn)
  }
  return [...found.values()].sort((one, other) => (one.folder < other.folder ? -1 : 1))
}

/** Lists the folders of the workspaces that are published. */
export function listPublished(root: string): string[] {
  const manifest = z.object({ private: z.boolean().default(false) })
  return globSync('packages/*/package.json', { cwd: root })
    .filter((path) => !manifest.parse(JSON.parse(readFileSync(join(root, path), 'utf8'))).private)
    .map((path) => dirname(path))
    .sort()
}

function describe(packages: Packages, folder: string, dependsOn: readonly string[]): Component {
  const { version = '0.0.0', license, integrity } = packages[folder] ?? {}
  const name = folder.replace(/^.*node_modules\//, '').replace(/^packages\//, '@signalbox/')
  return { name, version, folder, license, integrity, dependsOn }
}

/** Lists the folders of a package's dependencies. @throws where the lockfile lacks one that is not optional */
function listDependencies(packages: Packages, folder: string): string[] {
  const locked = packages[folder]
  if (locked === undefined) throw new Error(`The lockfile has no ${folder}.`)
  const mayLack = new Set([
    ...Object.keys(locked.optionalDependencies),
    ...Object.keys(locked.peerDependenciesMeta),
  ])
  const names = new Set([
    ...Object.keys(locked.dependencies),
    ...Object.keys(locked.optionalDependencies),
    ...Object.keys(locked.peerDependencies).filter((name) => !mayLack.has(name)),
  ])
  return [...names].flatMap((name) => {
    const path = find(packages, folder, name)
    if (path !== undefined) return [path]
    if (mayLack.has(name)) return []
    throw new Error(`The lockfile has no ${name}, which ${folder} needs.`)
  })
}

/** Finds a package as Node does: beside the one that asks, then in each folder above. */
function find(packages: Packages, folder: string, name: string): string | undefined {
  const parts = folder.split('/')
  for (let length = parts.length; length >= 0; length -= 1) {
    const path = [...parts.slice(0, length), 'node_modules', name].join('/')
    const locked = packages[path]
    if (locked !== undefined) return locked.link === true ? locked.resolved : path
  }
  return undefined
}
