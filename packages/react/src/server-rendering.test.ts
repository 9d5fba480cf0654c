import { createElement, type ReactNode } from 'react'
import { renderToPipeableStream, renderToString } from 'react-dom/server'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AnyConfig } from '@signalbox/config'
import { createBindings, type ConfigProviderProps } from './index.ts'

const { ConfigProvider, useConfigStatus, useFeatureFlag, usePublicConfig } =
  createBindings<AnyConfig>()

const source = {
  baseUrl: 'http://config.invalid',
  apiKey: `sbx_b2m_${'a'.repeat(46)}`,
  orgId: 'acme',
  environment: 'production',
} as const
const initialValues = { version: 3, public: { pageSize: 20 }, featureFlags: { newCheckout: true } }

function Page() {
  const size = Number(usePublicConfig('pageSize'))
  const isNew = useFeatureFlag('newCheckout')
  const { source, stale } = useConfigStatus()
  return createElement('p', null, [size, isNew, source, stale].join(' '))
}

const render = (props: Partial<ConfigProviderProps>, page: ReactNode = createElement(Page)) =>
  renderToString(
    createElement(ConfigProvider, { ...source, ...props } as ConfigProviderProps, page),
  )

/** React says what it does not like here. */
const complaints: unknown[] = []
const requests = vi.spyOn(globalThis, 'fetch')

beforeEach(() => {
  complaints.length = 0
  vi.spyOn(console, 'error').mockImplementation((message) => complaints.push(message))
})

afterEach(() => {
  if (complaints.length > 0) throw new Error(complaints.join())
  if (requests.mock.calls.length > 0) throw new Error('A request was sent')
  vi.mocked(console.error).mockRestore()
})

describe('on a server', () => {
  it('values are there in the same render, and nothing is asked for', () => {
    expect(render({ initialValues })).toBe('<p>20 true initial true</p>')
  })

  it('the same in a stream', async () => {
    const element = createElement(ConfigProvider, { ...source, initialValues }, createElement(Page))
    const stream = renderToPipeableStream(element).pipe(new PassThrough())
    expect(await text(stream)).toBe('<p>20 true initial true</p>')
  })

  it('defaults answer for what the initial values leave out', () => {
    const values = { ...initialValues, public: {} }
    expect(render({ initialValues: values, defaults: { pageSize: 10, newCheckout: false } })).toBe(
      '<p>10 true initial true</p>',
    )
  })

  it('the fallback is rendered where there are no initial values', () => {
    expect(render({ fallback: 'wait', defaults: { pageSize: 10 } })).toBe('wait')
    expect(render({})).toBe('')
  })

  it('address and key may be left to the page', () => {
    const ids = { schemaId: 'sch_x', environmentId: 'env_x', initialValues }
    const element = createElement(ConfigProvider, ids, createElement(Page))
    expect(renderToString(element)).toBe('<p>20 true initial true</p>')
  })

  it('a key without a value throws, and a flag is off', () => {
    function Wrong({ name }: { name: string }) {
      return createElement('i', null, Number(usePublicConfig(name)))
    }
    for (const name of ['stripeKey', 'pageSise', 'constructor', '__proto__']) {
      expect(() => render({ initialValues }, createElement(Wrong, { name }))).toThrow(
        expect.objectContaining({
          code: 'unknown_key',
          message: expect.stringContaining(`No value for ${name}`),
        }),
      )
    }
    function Off() {
      return createElement('i', null, String(useFeatureFlag('toString')))
    }
    expect(render({ initialValues }, createElement(Off))).toBe('<i>false</i>')
  })
})

describe('what would be published is refused before anything is rendered', () => {
  it.each(['m2m', 'pat'])('a key of the kind %s', (kind) => {
    const apiKey = `sbx_${kind}_${'b'.repeat(46)}`
    expect(() => render({ initialValues, apiKey })).toThrow(
      expect.objectContaining({ code: 'forbidden' }),
    )
  })

  it('initial values with secrets in them', () => {
    const read = { ...initialValues, secret: { stripeKey: 'sk_canary' } }
    expect(() => render({ initialValues: read })).toThrow(
      expect.objectContaining({
        code: 'forbidden',
        message: expect.not.stringContaining('canary'),
      }),
    )
    expect(render({ initialValues: { ...initialValues, secret: undefined } as never })).toContain(
      '20',
    )
  })
})

describe('bindings of several configurations', () => {
  it('do not see each other, whatever is inside of what', () => {
    const other = createBindings<AnyConfig>()
    function Both() {
      return createElement(
        'b',
        null,
        [usePublicConfig, other.usePublicConfig].map((use) => Number(use('pageSize'))).join(' '),
      )
    }
    const inner = createElement(
      other.ConfigProvider,
      { ...source, initialValues: { version: 1, public: { pageSize: 50 }, featureFlags: {} } },
      createElement(Both),
    )
    expect(render({ initialValues }, inner)).toBe('<b>20 50</b>')
  })

  it('say so where there is no provider', () => {
    expect(() => renderToString(createElement(Page))).toThrow('No ConfigProvider')
  })
})
