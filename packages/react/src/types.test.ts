import { join } from 'node:path'
import { testBrowserTypes } from '../../config/src/testing/browser-types.ts'

const sourceOf = (name: string) => join(import.meta.dirname, `../../${name}/src/index.ts`)

testBrowserTypes({
  directory: join(import.meta.dirname, '../types'),
  wrong: `import { defineConfig, string } from '${sourceOf('config')}'
import { createBindings } from '${sourceOf('react')}'
const config = defineConfig({ secret: { stripeKey: string() } })
const { ConfigProvider, usePublicConfig, useFeatureFlag } = createBindings<typeof config>()
export const value = () => [usePublicConfig('stripeKey'), useFeatureFlag('stripeKey')]
ConfigProvider({ schemaId: '', environmentId: '', apiKey: 'sbx_m2m_x' })
`,
  explained: {
    "'stripeKey' is a secret key: it is never sent to a browser": 2,
    'this key is for servers: every visitor of the page could read it': 1,
  },
})
