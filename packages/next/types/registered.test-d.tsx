// A project that has registered its configuration: keys and values are known on both sides, without a generator.
import { defineConfig, number } from '@signalbox/config'
import {
  ConfigProvider,
  createBindings,
  useConfigStatus,
  useFeatureFlag,
  usePublicConfig,
  type LiveValue,
} from '@signalbox/next'
import { useValueFor, useVariantFor } from '@signalbox/next/context'
import { notifyOfChange } from '@signalbox/next/notify'
import { createRevalidateHandler } from '@signalbox/next/revalidate'
import { getConfig, getServerConfig } from '@signalbox/next/server'
import { createTestConfig, setServerConfig } from '@signalbox/next/testing'
import { watchConfig } from '@signalbox/next/watch'
import { expectSame } from '../../config/types/expect-type.ts'
import { config } from '../../config/types/registered.test-d.ts'

const environment = 'production'
const found = await getConfig({ environment, config })
expectSame<typeof found.public.theme, 'light' | 'dark' | undefined>(true)
expectSame<typeof found.public.pageSize, number | undefined>(true)
expectSame<typeof found.featureFlags.newCheckout, boolean | undefined>(true)
expectSame<typeof found.status.source, 'network' | 'persisted' | 'default'>(true)
// @ts-expect-error: public values hold no secret
void found.public.stripeKey
// @ts-expect-error: nor is there a place for one
void found.secret
// @ts-expect-error: the environment is not left to chance
void getConfig({})
void getConfig({ environment, fetchOptions: { cache: 'no-store' } })
void getConfig({ environment, fetchOptions: { next: { revalidate: 5, tags: ['a'] } } })
// @ts-expect-error: a signal would have Next.js send the request twice
void getConfig({ environment, fetchOptions: { signal: AbortSignal.timeout(1) } })

const all = await getServerConfig({ environment })
expectSame<ReturnType<typeof all.secret.get<'stripeKey'>>, string>(true)
// @ts-expect-error: what is kept lies on a disk
void getServerConfig({ environment, fetchOptions: { cache: 'force-cache' } })

const configSource = {
  baseUrl: 'https://config.example.com',
  apiKey: 'sbx_b2m_x',
  orgId: 'acme',
  environment,
}

export function Layout() {
  return (
    <ConfigProvider {...configSource} initialValues={found}>
      <Page />
    </ConfigProvider>
  )
}

export function PageOfOneUser() {
  const seats = useValueFor('seats', { targetingKey: 'user-4711' })
  expectSame<typeof seats, number>(true)
  const layout = useVariantFor('layout', {})
  expectSame<typeof layout, string | undefined>(true)
  // @ts-expect-error: a secret
  useValueFor('stripeKey', {})
  return null
}

export function Page() {
  const theme = usePublicConfig('theme')
  expectSame<typeof theme, LiveValue<'light' | 'dark'>>(true)
  expectSame<typeof theme.version, number>(true)
  const newCheckout = useFeatureFlag('newCheckout')
  expectSame<typeof newCheckout, LiveValue<boolean>>(true)
  // @ts-expect-error: there is no such key
  usePublicConfig('tehme')
  // @ts-expect-error: 'stripeKey' is a secret key: it is never sent to a browser
  usePublicConfig('stripeKey')
  // @ts-expect-error: a flag is not read as a value
  usePublicConfig('newCheckout')
  // @ts-expect-error: nor a value as a flag
  useFeatureFlag('theme')
  return useConfigStatus().stale ? theme.value : newCheckout.value
}

const children = null
// @ts-expect-error: a server key is not for browsers
ConfigProvider({ baseUrl: '', orgId: 'acme', environment, apiKey: 'sbx_m2m_x', children })
const withSecrets = { ...found, public: { stripeKey: 'x' } } as const
// @ts-expect-error: secrets do not come with a page
ConfigProvider({ ...configSource, initialValues: withSecrets, children })

// Another configuration of the same program is named where it is read.
const other = defineConfig({ public: { depth: number() } })
const bindings = createBindings<typeof other>()
expectSame<ReturnType<typeof bindings.usePublicConfig<'depth'>>, LiveValue<number>>(true)
const otherFound = await getConfig<typeof other>({ environment })
expectSame<typeof otherFound.public.depth, number | undefined>(true)

const secret = 'whsec_x'
const url = 'https://app.example.com/config-changed'
expectSame<ReturnType<typeof createRevalidateHandler>, (request: Request) => Promise<Response>>(
  true,
)
createRevalidateHandler({ secret, profile: { expire: 0 } })
// @ts-expect-error: without a secret anybody could call it
createRevalidateHandler({})
watchConfig({ environment, url, secret })()
void notifyOfChange({ url, secret, orgId: 'acme', environment })

// A test gives values of the same types, secrets to the server alone.
createTestConfig({ pageSize: 3 }).set({ newCheckout: true })
setServerConfig({ theme: 'dark', stripeKey: 'sk_x', newCheckout: true })
setServerConfig(undefined)
// @ts-expect-error: no such theme
setServerConfig({ theme: 'blue' })
// @ts-expect-error: a secret
createTestConfig({ stripeKey: 'sk_x' })
