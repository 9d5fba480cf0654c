import { createElement, useState, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import {
  browserKey,
  environment,
  environmentId,
  orgId,
  schemaId,
  serverKey,
} from '../../../config/src/testing/snapshot-server.ts'
import type { AnyConfig } from '@signalbox/config'
import { createBindings, type InitialValues } from '../index.ts'

const { ConfigProvider, useConfigStatus, useFeatureFlag, usePublicConfig } =
  createBindings<AnyConfig>()

const configSource = { baseUrl: 'http://127.0.0.1:9', apiKey: browserKey, orgId, environment }
const initialValues: InitialValues = {
  version: 7,
  schemaId,
  environmentId,
  public: { pageSize: 20 },
  featureFlags: { newCheckout: true },
}

/** Returns what `Part` renders on a server, below a provider. */
function render(Part: () => ReactNode, props: object = {}): string {
  const all = { ...configSource, initialValues, ...props, children: createElement(Part) }
  return renderToString(createElement(ConfigProvider, all))
}

describe('hooks below a provider with the values of the page', () => {
  it('answer on the server, with the version', () => {
    const html = render(() =>
      JSON.stringify([usePublicConfig('pageSize'), useFeatureFlag('newCheckout')]),
    )
    expect(JSON.parse(html.replaceAll('&quot;', '"'))).toEqual([
      { value: 20, version: 7, stale: true },
      { value: true, version: 7, stale: true },
    ])
  })

  it('answer the same object until something changes', () => {
    const seen: unknown[] = []
    render(() => {
      const [renders, setRenders] = useState(0)
      seen.push(usePublicConfig('pageSize'))
      if (renders < 2) setRenders(renders + 1)
      return null
    })
    expect(seen).toHaveLength(3)
    expect(new Set(seen).size).toBe(1)
  })

  it('say where the values are from', () => {
    expect(render(() => useConfigStatus().source)).toBe('initial')
  })

  it('are off for a flag that is not there, and throw for a key that is not', () => {
    expect(render(() => String(useFeatureFlag('gone').value))).toBe('false')
    expect(() => render(() => `${Number(usePublicConfig('pageSiez').value)}`)).toThrow(/pageSiez/)
  })
})

describe('a provider', () => {
  it('refuses a server key, and values with secrets in them', () => {
    const forbidden = expect.objectContaining({ code: 'forbidden' })
    expect(() => render(() => null, { apiKey: serverKey })).toThrow(forbidden)
    const secret = { stripeKey: 'sk_canary' }
    expect(() => render(() => null, { initialValues: { ...initialValues, secret } })).toThrow(
      forbidden,
    )
  })

  it('renders without initial values too: the fallback, until the browser knows', () => {
    const props = { initialValues: undefined, fallback: 'wait' }
    expect(render(() => 'known', props)).toBe('wait')
  })
})
