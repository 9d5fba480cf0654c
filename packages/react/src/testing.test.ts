import { createElement, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { AnyConfig } from '@signalbox/config'
import { createBindings } from './index.ts'
import { createTestConfig, type TestValues } from './testing.ts'

const bindings = createBindings<AnyConfig>()

function render(values: TestValues<AnyConfig>, Part: () => ReactNode): string {
  const { Provider } = createTestConfig(values, bindings)
  return renderToString(createElement(Provider, null, createElement(Part)))
}

describe('a provider of a test', () => {
  it('has the values in the first render, and a status', () => {
    const Page = () =>
      [
        Number(bindings.usePublicConfig('pageSize')),
        bindings.useFeatureFlag('newCheckout'),
        bindings.useFeatureFlag('other'),
        bindings.useConfigStatus().source,
      ].join(' ')
    expect(render({ pageSize: 3, newCheckout: true }, Page)).toBe('3 true false network')
  })

  it('names a key that the test gives no value', () => {
    const Wrong = () => Number(bindings.usePublicConfig('pageSise'))
    expect(() => render({ pageSize: 3 }, Wrong)).toThrow('No value for pageSise')
  })
})
