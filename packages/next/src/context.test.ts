import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, it } from 'vitest'
import * as context from './context.ts'
import * as registered from './index.ts'
import { createTestConfig } from './testing.ts'

it('the hooks for one context find the provider of this package', () => {
  const { Provider } = createTestConfig({ seats: 3 })
  const Page = () => String(Reflect.apply(context.useValueFor, undefined, ['seats', {}]))
  expect(renderToString(createElement(Provider, null, createElement(Page)))).toBe('3')
  expect(() => renderToString(createElement(Page))).toThrow('No ConfigProvider')
})

it('and hooks of other bindings find those alone', () => {
  const bindings = registered.createBindings()
  const { useValueFor } = context.createContextHooks(bindings)
  const { Provider } = createTestConfig({ seats: 4 }, bindings)
  const Page = () => String(Reflect.apply(useValueFor, undefined, ['seats', {}]))
  expect(renderToString(createElement(Provider, null, createElement(Page)))).toBe('4')
  const { Provider: Other } = createTestConfig({ seats: 3 })
  expect(() => renderToString(createElement(Other, null, createElement(Page)))).toThrow(
    'No ConfigProvider',
  )
})
