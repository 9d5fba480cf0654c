import { join } from 'node:path'
import { expect } from 'vitest'
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
  explains(printed) {
    expect(
      printed.split("'stripeKey' is a secret key: it is never sent to a browser"),
    ).toHaveLength(3)
    expect(printed).toContain('this key is for servers: every visitor of the page could read it')
  },
})
