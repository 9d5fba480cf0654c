import { join } from 'node:path'
import { testBrowserTypes } from '../../config/src/testing/browser-types.ts'

const sourceOf = (name: string) => join(import.meta.dirname, `../../${name}/src/index.ts`)

testBrowserTypes({
  directory: join(import.meta.dirname, '../types'),
  wrong: `import { defineConfig, string } from '${sourceOf('config')}'
import { createBindings } from '${sourceOf('next')}'
const config = defineConfig({ secret: { stripeKey: string() } })
export const value = createBindings<typeof config>().usePublicConfig('stripeKey')
`,
  explained: { "'stripeKey' is a secret key: it is never sent to a browser": 1 },
})
