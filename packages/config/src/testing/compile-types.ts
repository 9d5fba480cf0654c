import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

const root = join(import.meta.dirname, '../../../..')

/** The compilers whose users our types have. */
export const compilers = ['typescript', 'typescript-5'] as const

/** A place for files that a compiler is to read as those of an application. */
export interface TypeBench {
  readonly directory: string
  /** Returns what a compiler says about files, with the options of a strict project. Nothing when all is well. */
  compile(compiler: (typeof compilers)[number], ...files: readonly string[]): string
  remove(): void
}

/** Returns the errors that a compiler has printed of other files than `file`, which is wrong on purpose. */
export function errorsElsewhere(printed: string, file: string): readonly string[] {
  const name = basename(file)
  return printed.split('\n').filter((line) => /^\S/.test(line) && !line.includes(`${name}(`))
}

/** For code that a bundler takes into a browser, JSX included. */
export function createTypeBench(): TypeBench {
  const directory = mkdtempSync(join(tmpdir(), 'signalbox-types-'))
  return {
    directory,
    compile(compiler, ...files) {
      const project = join(directory, `${compiler}.json`)
      const compilerOptions = {
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        noEmit: true,
        module: 'esnext',
        moduleResolution: 'bundler',
        target: 'es2023',
        lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'],
        jsx: 'react-jsx',
        skipLibCheck: true,
        types: ['node', 'react'],
        typeRoots: [join(root, 'node_modules/@types')],
        customConditions: ['@signalbox/source'],
        allowImportingTsExtensions: true,
      }
      writeFileSync(project, JSON.stringify({ files, compilerOptions }))
      try {
        const tsc = join(root, 'node_modules', compiler, 'bin/tsc')
        return execFileSync(process.execPath, [tsc, '-p', project], { encoding: 'utf8', cwd: root })
      } catch (error) {
        return error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error)
      }
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}
