import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, it, vi } from 'vitest'
import type { AnyConfig } from '@signalbox/config'
import { createContextHooks } from './context.ts'
import { createBindings } from './index.ts'
import { createTestConfig } from './testing.ts'

const bindings = createBindings<AnyConfig>()
const { useFlagFor, useValueFor, useVariantFor } = createContextHooks<AnyConfig>(bindings)
const request = vi.spyOn(globalThis, 'fetch')

afterEach(() => {
  if (request.mock.calls.length > 0) throw new Error('A request was sent')
})

function Page() {
  const context = { targetingKey: 'user-4711' }
  const seats = useValueFor('seats', context, { min: 1, max: 9 })
  return `${Number(seats)} ${useFlagFor('checkout', context)} ${useVariantFor('checkout', context)}`
}

it('a test gives every user the same values, within their range, and asks no server', () => {
  const { Provider, set } = createTestConfig<AnyConfig>({ seats: 3, checkout: true }, bindings)
  const element = document.createElement('div')
  const root = createRoot(element)
  flushSync(() =>
    root.render(
      <Provider>
        <Page />
      </Provider>,
    ),
  )
  expect(element.textContent).toBe('3 true undefined')
  set({ seats: 400 })
  expect(element.textContent).toBe('9 true undefined')
  flushSync(() => root.unmount())
})

it('a server renders the values of the environment, and asks for nothing', () => {
  const html = renderToString(
    <bindings.ConfigProvider
      schemaId="sch_x"
      environmentId="env_x"
      baseUrl="https://config.example.com"
      apiKey="sbx_b2m_x"
      initialValues={{
        version: 1,
        schemaId: 'sch_x',
        environmentId: 'env_x',
        public: { seats: -4 },
        featureFlags: { checkout: true },
      }}
    >
      <Page />
    </bindings.ConfigProvider>,
  )
  expect(html).toBe('1 true undefined')
})

it('a key without a value throws its name, as it does without a context', () => {
  const { Provider } = createTestConfig<AnyConfig>({}, bindings)
  expect(() =>
    renderToString(
      <Provider>
        <Page />
      </Provider>,
    ),
  ).toThrow('No value for seats')
})

it('the hooks say so where there is no provider', () => {
  expect(() => renderToString(<Page />)).toThrow('No ConfigProvider')
})
