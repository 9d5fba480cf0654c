import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const root = join(import.meta.dirname, '../../../..')

/** Lists the compilers whose users our types have. */
export const compilers = ['typescript', 'typescript-5'] as const

/** Names the files of an application, and options of the compiler beyond those of a strict project. */
export interface TypedProject {
  readonly files: readonly string[]
  readonly [option: string]: unknown
}

/** Holds the options that read our packages from their sources. */
const fromSources = {
  lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'],
  typeRoots: [join(root, 'node_modules/@types')],
  customConditions: ['@signalbox/source'],
  allowImportingTsExtensions: true,
}

/** Finds the packages that ours import, from a directory outside the repository. */
export const importedPaths = {
  '@signalbox/contract': [join(root, 'packages/contract/src/index.ts')],
  '@standard-schema/spec': [join(root, 'node_modules/@standard-schema/spec')],
} as const

/** Holds the options of code for Node. */
export const forNode = {
  ...fromSources,
  module: 'nodenext',
  types: ['node'],
  paths: importedPaths,
} as const

/** Holds the options of code that a bundler takes into a browser, JSX included. */
export const forBrowsers = {
  ...fromSources,
  module: 'esnext',
  moduleResolution: 'bundler',
  jsx: 'react-jsx',
  types: ['node', 'react'],
} as const

/** Returns what a compiler prints of files that it reads as those of the application in `directory`. Nothing when all is well. */
export function compileTypes(
  compiler: string,
  directory: string,
  { files, ...options }: TypedProject,
): string {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    target: 'es2023',
    skipLibCheck: true,
    ...options,
  }
  const project = join(directory, 'tsconfig.json')
  writeFileSync(project, JSON.stringify({ files, compilerOptions }))
  try {
    const tsc = join(root, 'node_modules', compiler, 'bin/tsc')
    return execFileSync(process.execPath, [tsc, '-p', project], { encoding: 'utf8', cwd: root })
  } catch (error) {
    return error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error)
  }
}

/** Returns the errors that a compiler has printed of other files than `file`, which is wrong on purpose. */
export function errorsElsewhere(printed: string, file: string): readonly string[] {
  const name = basename(file)
  return printed.split('\n').filter((line) => /^\S/.test(line) && !line.includes(`${name}(`))
}
