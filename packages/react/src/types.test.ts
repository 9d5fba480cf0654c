import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const directory = mkdtempSync(join(tmpdir(), 'signalbox-react-types-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** What a compiler says about a file, with the options of a strict project. Nothing when all is well. */
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
  it.each(['registered', 'unregistered'])(
    'are what %s.test-d.tsx says',
    (name) => {
      const file = join(import.meta.dirname, `../types/${name}.test-d.tsx`)
      expect(compile(compiler, file)).toBe('')
    },
    120_000,
  )

  it('say why a secret and a key of a server have no place in a browser', () => {
    const file = join(directory, 'wrong.tsx')
    const from = (name: string) => join(root, `packages/${name}/src/index.ts`)
    writeFileSync(
      file,
      `import { defineConfig, string } from '${from('config')}'
import { createBindings } from '${from('react')}'
const config = defineConfig({ secret: { stripeKey: string() } })
const { ConfigProvider, usePublicConfig, useFeatureFlag } = createBindings<typeof config>()
export const value = () => [usePublicConfig('stripeKey'), useFeatureFlag('stripeKey')]
ConfigProvider({ schemaId: '', environmentId: '', apiKey: 'sbx_m2m_x' })
`,
    )
    const printed = compile(compiler, file)
    expect(
      printed.split("'stripeKey' is a secret key: it is never sent to a browser"),
    ).toHaveLength(3)
    expect(printed).toContain('this key is for servers: whoever opens the page could read it')
  }, 120_000)
})
