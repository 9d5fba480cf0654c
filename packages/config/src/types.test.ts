import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  compilers,
  compileTypes,
  errorsElsewhere,
  forNode,
  importedPaths,
} from './testing/compile-types.ts'

const packageDirectory = join(import.meta.dirname, '..')
const root = join(packageDirectory, '../..')
const directory = mkdtempSync(join(tmpdir(), 'signalbox-types-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const declared = (name: string) => join(packageDirectory, `types/${name}.test-d.ts`)

function compileSources(compiler: string, ...files: readonly string[]): string {
  return compileTypes(compiler, directory, { ...forNode, files })
}

describe.each(compilers)('the types, read by %s', (compiler) => {
  const wrong = join(directory, 'wrong.ts')
  let printed: string

  // Most of what a compiler does is to read the libraries, which these share.
  beforeAll(() => {
    const config = join(packageDirectory, 'src/index.ts')
    const client = join(packageDirectory, 'src/client/node.ts')
    writeFileSync(
      wrong,
      `import { boolean, defineConfig, string } from '${config}'
import type { ConfigClient } from '${client}'
defineConfig({ featureFlags: { beta: string() } })
defineConfig({ public: { a: string() }, secret: { a: string() } })
const right = defineConfig({
  public: { apiUrl: string() },
  secret: { dbPassword: string() },
  featureFlags: { beta: boolean(), gamma: boolean() },
})
declare const reader: ConfigClient<typeof right>
void reader.get('apiUlr')
void reader.flag('bata')
`,
    )
    const files = [declared('unregistered'), declared('definitions'), wrong]
    printed = compileSources(compiler, ...files)
  }, 120_000)

  it('are what registered.test-d.ts says', () => {
    expect(compileSources(compiler, declared('registered'))).toBe('')
  }, 120_000)

  it('are what unregistered.test-d.ts and definitions.test-d.ts say', () => {
    expect(errorsElsewhere(printed, wrong)).toEqual([])
  })

  it('tell the developer what is wrong with a definition', () => {
    expect(printed).toContain("featureFlags key 'beta' must produce a boolean")
    expect(printed).toContain("key 'a' is declared in more than one tier")
    // Names the keys, and not the type that they come from.
    expect(printed).toMatch(/'"apiUlr"' is not assignable to .*'"apiUrl" \| "dbPassword"'/)
    expect(printed).toMatch(/'"bata"' is not assignable to .*'"beta" \| "gamma"'/)
  })
})

describe('the published types', () => {
  it('need neither the DOM nor Node, and make declarations of a definition', () => {
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const emitted = join(directory, 'dist')
    const flags = ['--emitDeclarationOnly', '--composite', 'false', '--declarationMap', 'false']
    const project = join(packageDirectory, 'tsconfig.json')
    execFileSync(process.execPath, [tsc, '-p', project, ...flags, '--outDir', emitted], {
      cwd: root,
    })
    const file = join(directory, 'app.ts')
    writeFileSync(
      file,
      `import { defineConfig, optional, string, typed, withStoredDefault } from '${emitted}/index.js'
import { createConfigClient } from '${emitted}/client/node.js'
import { createTestConfigClient } from '${emitted}/test-client.js'
export const config = defineConfig({
  public: { a: string(), b: optional(string()), c: typed('string', string()) },
  secret: { d: withStoredDefault(string()) },
})
export const client = createConfigClient<typeof config>({ serverUrl: '', token: '', schemaId: '', environmentId: '' })
export const a: Promise<string> = client.get('a')
export const test = createTestConfigClient<typeof config>({ a: 'x' })
`,
    )
    const paths = {
      ...importedPaths,
      '@standard-schema/spec': [join(root, 'node_modules/@standard-schema/spec/dist/index.d.ts')],
    }
    for (const compiler of compilers) {
      expect(
        compileTypes(compiler, directory, {
          files: [file],
          module: 'nodenext',
          lib: ['es2024'],
          types: [],
          paths,
          skipLibCheck: false,
          declaration: true,
          allowImportingTsExtensions: true,
        }),
      ).toBe('')
    }
  }, 120_000)
})
