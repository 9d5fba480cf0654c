import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  compilers,
  createTypeBench,
  errorsElsewhere,
} from '../../config/src/testing/compile-types.ts'

const root = join(import.meta.dirname, '../../..')
const bench = createTypeBench()
afterAll(() => bench.remove())

const declared = (name: string) => join(import.meta.dirname, `../types/${name}.test-d.tsx`)

describe.each(compilers)('the types, read by %s', (compiler) => {
  const wrong = join(bench.directory, 'wrong.tsx')
  let printed: string

  // Most of what a compiler does is to read the libraries, which these share.
  beforeAll(() => {
    const from = (name: string) => join(root, `packages/${name}/src/index.ts`)
    writeFileSync(
      wrong,
      `import { defineConfig, string } from '${from('config')}'
import { createBindings } from '${from('react')}'
const config = defineConfig({ secret: { stripeKey: string() } })
const { ConfigProvider, usePublicConfig, useFeatureFlag } = createBindings<typeof config>()
export const value = () => [usePublicConfig('stripeKey'), useFeatureFlag('stripeKey')]
ConfigProvider({ schemaId: '', environmentId: '', apiKey: 'sbx_m2m_x' })
`,
    )
    printed = bench.compile(compiler, declared('unregistered'), wrong)
  }, 120_000)

  it('are what registered.test-d.tsx says', () => {
    expect(bench.compile(compiler, declared('registered'))).toBe('')
  }, 120_000)

  it('are what unregistered.test-d.tsx says', () => {
    expect(errorsElsewhere(printed, wrong)).toEqual([])
  })

  it('say why a secret and a key of a server have no place in a browser', () => {
    expect(
      printed.split("'stripeKey' is a secret key: it is never sent to a browser"),
    ).toHaveLength(3)
    expect(printed).toContain('this key is for servers: every visitor of the page could read it')
  })
})
