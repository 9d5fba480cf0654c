// A project that has registered its configuration, which stands beside the definitions.
import { defineConfig, number } from '@signalbox/config'
import {
  ConfigProvider,
  createBindings,
  useConfigStatus,
  useFeatureFlag,
  usePublicConfig,
} from '@signalbox/react'
import {
  createContextHooks,
  useFlagFor,
  useValueFor,
  useVariantFor,
} from '@signalbox/react/context'
import { createTestConfig } from '@signalbox/react/testing'
import { expectSame } from '../../config/types/expect-type.ts'
import '../../config/types/registered.test-d.ts'

export function Reads() {
  const size = usePublicConfig('pageSize')
  expectSame<typeof size, number>(true)
  const theme = usePublicConfig('theme')
  expectSame<typeof theme, 'light' | 'dark'>(true)
  const isNew = useFeatureFlag('newCheckout')
  expectSame<typeof isNew, boolean>(true)
  const { source } = useConfigStatus()
  expectSame<typeof source, 'network' | 'persisted' | 'initial' | 'default'>(true)
  // @ts-expect-error: a secret
  usePublicConfig('stripeKey')
  // @ts-expect-error: no such key
  usePublicConfig('pageSise')
  // @ts-expect-error: a flag is not read as a value
  usePublicConfig('newCheckout')
  // @ts-expect-error: a secret
  useFeatureFlag('stripeKey')
  // @ts-expect-error: a public key is no flag
  useFeatureFlag('theme')
  return null
}

export function ReadsForOneUser({ userId }: { readonly userId: string }) {
  const context = { targetingKey: userId, plan: 'pro' }
  const seats = useValueFor('seats', context, { min: 1, max: 500 })
  expectSame<typeof seats, number>(true)
  const model = useValueFor('model', context)
  expectSame<typeof model, 'small' | 'large'>(true)
  const isBlue = useFlagFor('layout', context)
  expectSame<typeof isBlue, boolean>(true)
  const layout = useVariantFor('layout', context)
  expectSame<typeof layout, string | undefined>(true)
  // @ts-expect-error: a secret
  useValueFor('stripeKey', context)
  // @ts-expect-error: a flag is not read as a value
  useValueFor('layout', context)
  // @ts-expect-error: a public key is no flag
  useVariantFor('model', context)
  // @ts-expect-error: no context
  useFlagFor('layout')
  return null
}

declare const fromEnvironment: string
const named = { baseUrl: 'https://config.example.com', orgId: 'acme', environment: 'production' }
const ids = { schemaId: 'sch_x', environmentId: 'env_x' }

export const right = [
  <ConfigProvider {...ids} />,
  <ConfigProvider {...ids} baseUrl="https://config.example.com" apiKey="sbx_b2m_x" />,
  <ConfigProvider
    {...named}
    apiKey={fromEnvironment}
    fallback={<p />}
    refresh={false}
    persist={false}
  >
    <Reads />
  </ConfigProvider>,
  <ConfigProvider
    {...named}
    apiKey="sbx_b2m_x"
    defaults={{ theme: 'dark', newCheckout: true }}
    initialValues={{ version: 1, public: { pageSize: 3 }, featureFlags: {} }}
    onError={(error) => String(error)}
  />,
  <ConfigProvider />,
  <ConfigProvider {...named} apiKey="sbx_b2m_x" schema="web" />,
]

export const wrong = [
  // @ts-expect-error: a key of a server
  <ConfigProvider schemaId="sch_x" environmentId="env_x" apiKey="sbx_m2m_x" />,
  // @ts-expect-error: a token of a person
  <ConfigProvider schemaId="sch_x" environmentId="env_x" apiKey="sbx_pat_x" />,
  // @ts-expect-error: neither ids nor all of the names
  <ConfigProvider baseUrl="https://config.example.com" apiKey="sbx_b2m_x" orgId="acme" />,
  // @ts-expect-error: an id says which schema
  <ConfigProvider schemaId="sch_x" environmentId="env_x" schema="web" />,
  // @ts-expect-error: no such theme
  <ConfigProvider schemaId="sch_x" environmentId="env_x" defaults={{ theme: 'blue' }} />,
]

const withSecret = { version: 1, public: { stripeKey: 'x' }, featureFlags: {} } as const
// @ts-expect-error: a secret does not come with a page
export const published = <ConfigProvider {...ids} initialValues={withSecret} />

// Another configuration of the same program.
const other = defineConfig({ public: { depth: number() } })
export const bindings = createBindings<typeof other>()
const ofOther = createContextHooks<typeof other>(bindings)

export function ReadsOther() {
  const depth = bindings.usePublicConfig('depth')
  expectSame<typeof depth, number>(true)
  // @ts-expect-error: a key of the registered configuration
  bindings.usePublicConfig('theme')
  const decided = ofOther.useValueFor('depth', {})
  expectSame<typeof decided, number>(true)
  // @ts-expect-error: a key of the registered configuration
  ofOther.useValueFor('model', {})
  return <bindings.ConfigProvider {...ids} defaults={{ depth: 3 }} />
}

// A test gives values of the same types, and no secret.
const inTest = createTestConfig({ pageSize: 3, theme: 'dark' })
inTest.set({ newCheckout: true })
export const tested = <inTest.Provider>{null}</inTest.Provider>
// @ts-expect-error: no such theme
createTestConfig({ theme: 'blue' })
// @ts-expect-error: no such key
inTest.set({ pageSise: 3 })
// @ts-expect-error: a secret
createTestConfig({ stripeKey: 'x' })
createTestConfig<typeof other>({ depth: 3 }, bindings)
// @ts-expect-error: a key of the registered configuration
createTestConfig<typeof other>({ theme: 'dark' }, bindings)
