import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  compilers,
  compileTypes,
  errorsElsewhere,
  forBrowsers,
  importedPaths,
} from '../../packages/config/src/testing/compile-types.ts'
import { root } from '../architecture/source-files.ts'

const directory = mkdtempSync(join(tmpdir(), 'signalbox-types-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Lists the files of one application that has registered its configuration, and those of one that has registered none. */
const declared = {
  registered: [
    'packages/config/types/registered.test-d.ts',
    'packages/react/types/registered.test-d.tsx',
    'packages/next/types/registered.test-d.tsx',
  ],
  unregistered: [
    'packages/config/types/unregistered.test-d.ts',
    'packages/config/types/definitions.test-d.ts',
    'packages/react/types/unregistered.test-d.tsx',
    'packages/next/types/unregistered.test-d.tsx',
  ],
}

/** Shows what the types refuse, as a program. */
const wrongText = `import { boolean, defineConfig, string } from '${root}/packages/config/src/index.ts'
import type { ConfigClient } from '${root}/packages/config/src/client/node.ts'
import { createBindings } from '${root}/packages/react/src/index.ts'
import { createBindings as createNextBindings } from '${root}/packages/next/src/index.ts'
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
const { ConfigProvider, usePublicConfig, useFeatureFlag } = createBindings<typeof right>()
export const values = () => [usePublicConfig('dbPassword'), useFeatureFlag('dbPassword')]
ConfigProvider({ schemaId: '', environmentId: '', apiKey: 'sbx_m2m_x' })
export const value = createNextBindings<typeof right>().usePublicConfig('dbPassword')
`

describe.each(compilers)('the types of the packages, read by %s', (compiler) => {
  const wrong = join(directory, 'wrong.ts')
  // Most of what a compiler does is to read the libraries, which the files share.
  const compile = (files: readonly string[], ...more: readonly string[]) =>
    compileTypes(compiler, directory, {
      ...forBrowsers,
      files: [...files.map((path) => join(root, path)), ...more],
    })
  let printed: string

  beforeAll(() => {
    writeFileSync(wrong, wrongText)
    printed = compile(declared.unregistered, wrong)
  }, 120_000)

  it('are what the files say of an application that has registered its configuration', () => {
    expect(compile(declared.registered)).toBe('')
  }, 120_000)

  it('are what the files say of one that has registered none', () => {
    expect(errorsElsewhere(printed, wrong)).toEqual([])
  })

  it('tell the developer what is wrong with a definition', () => {
    expect(printed).toContain("featureFlags key 'beta' must produce a boolean")
    expect(printed).toContain("key 'a' is declared in more than one tier")
    // Names the keys, and not the type that they come from.
    expect(printed).toMatch(/'"apiUlr"' is not assignable to .*'"apiUrl" \| "dbPassword"'/)
    expect(printed).toMatch(/'"bata"' is not assignable to .*'"beta" \| "gamma"'/)
  })

  it('tell the developer why a secret and a server key have no place in a browser', () => {
    const count = (sentence: string) => printed.split(sentence).length - 1
    expect(count("'dbPassword' is a secret key: it is never sent to a browser")).toBe(3)
    expect(count('this key is for servers: every visitor of the page could read it')).toBe(1)
  })
})

describe('the published types of the configuration', () => {
  it('need neither the DOM nor Node, and make declarations of a definition', () => {
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const emitted = join(directory, 'dist')
    const flags = ['--emitDeclarationOnly', '--composite', 'false', '--declarationMap', 'false']
    const project = join(root, 'packages/config/tsconfig.json')
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
