import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { boolean, defineConfig, string, type AnyConfig } from '@signalbox/config'
import { createBindings } from './index.ts'
import { getConfig, getServerConfig } from './server.ts'
import { createTestConfig, setServerConfig } from './testing.ts'

afterEach(() => setServerConfig(undefined))

const config: AnyConfig = defineConfig({
  public: { greeting: string({ default: 'Hello' }) },
  secret: { stripeKey: string() },
  featureFlags: { newCheckout: boolean({ default: false }) },
})

describe('the values of a test', () => {
  it('reach client components, with a version', () => {
    const bindings = createBindings<AnyConfig>()
    const { Provider } = createTestConfig({ pageSize: 3, newCheckout: true }, bindings)
    const Page = () =>
      JSON.stringify([bindings.usePublicConfig('pageSize'), bindings.useFeatureFlag('newCheckout')])
    const html = renderToString(createElement(Provider, null, createElement(Page)))
    expect(JSON.parse(html.replaceAll('&quot;', '"'))).toEqual([
      { value: 3, version: 1, stale: false },
      { value: true, version: 1, stale: false },
    ])
  })

  it('reach server components without a source, and nothing is asked for', async () => {
    const request = vi.spyOn(globalThis, 'fetch')
    setServerConfig({ stripeKey: 'sk_test', newCheckout: true, note: undefined })
    const found = await getConfig({ environment: '', config })
    expect(found).toMatchObject({
      public: { greeting: 'Hello' },
      featureFlags: { newCheckout: true },
      status: { source: 'network', stale: false },
    })
    const { secret } = await getServerConfig({ environment: '' })
    expect(secret.get('stripeKey')).toBe('sk_test')
    expect(request).not.toHaveBeenCalled()
    request.mockRestore()
  })

  it('are gone once the test takes them back', async () => {
    setServerConfig({})
    setServerConfig(undefined)
    await expect(getConfig({ environment: 'test' })).rejects.toMatchObject({ code: 'invalid' })
  })
})
