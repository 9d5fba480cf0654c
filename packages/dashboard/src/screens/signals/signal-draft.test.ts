import { describe, expect, it } from 'vitest'
import type { Signal } from '../proofs/use-signals.ts'
import { freshSignal, hasPlaceholder, toBody, toChange, toDraft } from './signal-draft.ts'

type Spec = NonNullable<Signal['spec']>

const specs: readonly Spec[] = [
  { kind: 'tests', repository: 'acme/shop', workflow: 'e2e.yml', deadlineMinutes: 30 },
  { kind: 'alert' },
  { kind: 'alert', format: 'sentry' },
  { kind: 'prometheus', url: 'https://prometheus.example.com', query: 'up', below: 1 },
  {
    kind: 'prometheus',
    url: 'https://prometheus.example.com',
    query: 'errors{env="{environment}"}',
    above: 0,
    timesBefore: 1.5,
  },
  { kind: 'http', url: 'https://shop.example.com/health', expect: '2xx' },
  { kind: 'http', url: 'https://a.example', expect: { pointer: '/errors', above: 0.5 } },
  { kind: 'http', url: 'https://a.example', expect: { pointer: '', equals: 'ok' } },
  { kind: 'http', url: 'https://a.example', expect: { pointer: '/up', equals: true } },
  { kind: 'http', url: 'https://a.example', expect: { pointer: '/count', equals: '5' } },
  { kind: 'http', url: 'https://a.example', expect: { pointer: '/count', equals: 5 } },
]

describe('the form of a signal', () => {
  it.each(specs)('keeps everything of %j', (spec) => {
    const saved = { name: 'errors', kind: spec.kind, spec }
    expect(toBody(toDraft(saved))).toEqual({ name: 'errors', spec })
    expect(toChange(toDraft(saved), saved)).toEqual({})
  })

  it('sends what has changed alone, so that another name needs no approval', () => {
    const saved = { name: 'errors', kind: 'alert' as const, spec: { kind: 'alert' as const } }
    expect(toChange({ ...toDraft(saved), name: 'api-errors' }, saved)).toEqual({
      name: 'api-errors',
    })
  })

  it('sends the credential of its kind alone, and null to remove a header', () => {
    const typed = {
      ...freshSignal,
      name: 'x',
      authorization: 'Bearer a',
      clientSecret: 'secret of it',
    }
    expect(toBody({ ...typed, kind: 'alert' })).not.toHaveProperty('authorization')
    expect(toBody({ ...typed, kind: 'alert' })).not.toHaveProperty('clientSecret')
    expect(toBody({ ...typed, kind: 'alert', isSentry: true })).toHaveProperty('clientSecret')
    const page = { ...typed, kind: 'http' as const, url: 'https://a.example' }
    expect(toBody(page)).toHaveProperty('authorization', 'Bearer a')
    expect(toBody({ ...page, authorization: '', removesAuthorization: true })).toHaveProperty(
      'authorization',
      null,
    )
    expect(toBody({ ...page, authorization: '' })).not.toHaveProperty('authorization')
  })
})

it('a query with a placeholder is tested with an environment', () => {
  expect(specs.filter(hasPlaceholder)).toEqual([specs[4]])
})
