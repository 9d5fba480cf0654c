import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const directory = mkdtempSync(join(tmpdir(), 'signalbox-next-types-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** What a compiler says about a file, with the options of a strict Next.js project. Nothing when all is well. */
function compile(compiler: string, file: string): string {
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
  writeFileSync(project, JSON.stringify({ files: [file], compilerOptions }))
  try {
    const tsc = join(root, 'node_modules', compiler, 'bin/tsc')
    return execFileSync(process.execPath, [tsc, '-p', project], { encoding: 'utf8', cwd: root })
  } catch (error) {
    return error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error)
  }
}

describe.each(['typescript', 'typescript-5'])('the types, read by %s', (compiler) => {
  it('are what registered.test-d.tsx says', () => {
    const file = join(import.meta.dirname, '../types/registered.test-d.tsx')
    expect(compile(compiler, file)).toBe('')
  }, 120_000)

  it('tell the developer why a secret cannot be read in a browser', () => {
    const file = join(directory, 'wrong.ts')
    const next = join(root, 'packages/next/src/index.ts')
    const config = join(root, 'packages/config/src/index.ts')
    writeFileSync(
      file,
      `import { defineConfig, string } from '${config}'
import { createBindings } from '${next}'
const config = defineConfig({ secret: { stripeKey: string() } })
export const value = createBindings<typeof config>().usePublicConfig('stripeKey')
`,
    )
    expect(compile(compiler, file)).toContain(
      "'stripeKey' is a secret key: it is never sent to a browser",
    )
  }, 120_000)
})
