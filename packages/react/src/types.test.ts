import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { compilers, createTypeBench } from '../../config/src/testing/compile-types.ts'

const root = join(import.meta.dirname, '../../..')
const bench = createTypeBench()
afterAll(() => bench.remove())

describe.each(compilers)('the types, read by %s', (compiler) => {
  it.each(['registered', 'unregistered'])(
    'are what %s.test-d.tsx says',
    (name) => {
      const file = join(import.meta.dirname, `../types/${name}.test-d.tsx`)
      expect(bench.compile(compiler, file)).toBe('')
    },
    120_000,
  )

  it('say why a secret and a key of a server have no place in a browser', () => {
    const file = join(bench.directory, 'wrong.tsx')
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
    const printed = bench.compile(compiler, file)
    expect(
      printed.split("'stripeKey' is a secret key: it is never sent to a browser"),
    ).toHaveLength(3)
    expect(printed).toContain('this key is for servers: every visitor of the page could read it')
  }, 120_000)
})
