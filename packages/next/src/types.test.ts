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
  const wrong = join(bench.directory, 'wrong.ts')
  let printed: string

  // Most of what a compiler does is to read the libraries, which these share.
  beforeAll(() => {
    const next = join(root, 'packages/next/src/index.ts')
    const config = join(root, 'packages/config/src/index.ts')
    writeFileSync(
      wrong,
      `import { defineConfig, string } from '${config}'
import { createBindings } from '${next}'
const config = defineConfig({ secret: { stripeKey: string() } })
export const value = createBindings<typeof config>().usePublicConfig('stripeKey')
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

  it('tell the developer why a secret cannot be read in a browser', () => {
    expect(printed).toContain("'stripeKey' is a secret key: it is never sent to a browser")
  })
})
