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

  it('tell the developer why a secret cannot be read in a browser', () => {
    const file = join(bench.directory, 'wrong.ts')
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
    expect(bench.compile(compiler, file)).toContain(
      "'stripeKey' is a secret key: it is never sent to a browser",
    )
  }, 120_000)
})
