import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { importsOf, packageName } from './imports.ts'
import { publishedPackages } from '../packed/empty-project.ts'
import {
  findingAt,
  isSandboxFile,
  isTestFile,
  root,
  type Finding,
  type SourceFile,
} from './source-files.ts'

type DependencyField =
  | 'dependencies'
  | 'peerDependencies'
  | 'optionalDependencies'
  | 'devDependencies'
export type Manifest = {
  readonly name: string
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, unknown>>
} & Partial<Record<DependencyField, object>>

/**
 * The manifest of the package that `path` belongs to; the root's for what stands outside of packages. A stand-in is part of the
 * sandbox, and has the tools of the folder that it stands in as well.
 */
export function readManifest(path: string): Manifest {
  if (isSandboxFile(path) && !path.startsWith('packages/sandbox/')) {
    const sandbox = readManifest('packages/sandbox/')
    const { devDependencies } = readManifest('packages/server/')
    return { ...sandbox, devDependencies: { ...sandbox.devDependencies, ...devDependencies } }
  }
  const folder = /^(packages|examples)\/[^/]+\//.exec(path)?.[0] ?? ''
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest
}

const cachedRoot = readManifest('')
const packages: readonly Manifest[] = publishedPackages.map((name) =>
  readManifest(`packages/${name}/`),
)

/**
 * Imports of packages that the file's own package does not declare. npm hoists, so they would work here and fail for
 * whoever installs the package.
 */
export function undeclaredImports(
  file: SourceFile,
  manifest: Manifest = readManifest(file.path),
): Finding[] {
  const declared = declaredFor(file, manifest)
  return importsOf(file).flatMap(({ node, specifier, typeOnly }) => {
    if (/^(\.|node:)/.test(specifier)) return []
    const name = packageName(specifier)
    if (builtinModules.includes(name)) {
      return [findingAt(file, node, `imports ${specifier}: write node:${specifier}`)]
    }
    if (specifier === 'zod' && name in (manifest.peerDependencies ?? {})) {
      return [findingAt(file, node, 'imports zod: write zod/v4, which each zod of its range has')]
    }
    if (declared.has(name) || name === manifest.name) return []
    // Gone after the build, and nobody reads the types of a package that offers none.
    const isErased = typeOnly && !offersTypes(manifest)
    if (isErased && name in (manifest.devDependencies ?? {})) return []
    return [findingAt(file, node, `imports ${name}, which ${manifest.name} does not declare`)]
  })
}

/** Returns whether others may read its types: it is published, and something can be imported from it. */
function offersTypes({ private: isPrivate = false, exports = {} }: Manifest): boolean {
  return !isPrivate && JSON.stringify(exports).includes('"types"')
}

function declaredFor(file: SourceFile, manifest: Manifest): ReadonlySet<string> {
  const production = dependenciesOf(manifest)
  if (!isTestFile(file.path)) return new Set(production)
  const tools = [manifest, cachedRoot].flatMap((each) =>
    Object.keys({ ...each.dependencies, ...each.devDependencies }),
  )
  // Nobody installs the root: what stands there may use what the packages use, and the packages.
  const shared =
    manifest.name === cachedRoot.name
      ? packages.flatMap((each) => [each.name, ...dependenciesOf(each)])
      : []
  return new Set([...production, ...tools, ...shared])
}

function dependenciesOf(manifest: Manifest): string[] {
  const { dependencies, peerDependencies, optionalDependencies } = manifest
  return Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies })
}
