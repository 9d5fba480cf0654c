import { describe, expect, it } from 'vitest'
import { prepareImported } from '../testing/prepare-imported.ts'
import { flagd } from './flagd.ts'

const options = { environment: 'production', environments: new Map<string, string>() }
const variants = { on: true, off: false }
const read = (flag: object) =>
  flagd.fromFile(
    JSON.stringify({
      flags: { checkout: { state: 'ENABLED', variants, defaultVariant: 'off', ...flag } },
    }),
    options,
  )

const decide = (flag: object, context: Record<string, unknown>) =>
  prepareImported(read(flag).keys[0])?.decide(context)

const country = { var: 'country' }

describe('flags of flagd', () => {
  it.each<[object, Record<string, unknown>, boolean]>([
    [{ if: [{ '===': [country, 'DE'] }, 'on', 'off'] }, { country: 'DE' }, true],
    [{ if: [{ '===': [country, 'DE'] }, 'on'] }, { country: 'AT' }, false],
    [{ if: [{ in: [country, ['DE', 'AT']] }, 'on', 'off'] }, { country: 'AT' }, true],
    [{ if: [{ in: ['@acme', { var: 'email' }] }, 'on', 'off'] }, { email: 'a@acme.example' }, true],
    [{ if: [{ '!': [{ '===': [country, 'DE'] }] }, 'on', 'off'] }, {}, true],
    [
      {
        if: [
          { and: [{ '===': [country, 'DE'] }, { starts_with: [{ var: 'plan' }, 'p'] }] },
          'on',
          'off',
        ],
      },
      { country: 'DE', plan: 'free' },
      false,
    ],
    [
      {
        if: [
          { or: [{ '===': [country, 'DE'] }, { ends_with: [{ var: 'plan' }, 'o'] }] },
          true,
          false,
        ],
      },
      { plan: 'pro' },
      true,
    ],
    [
      {
        if: [
          { '===': [country, 'DE'] },
          { if: [{ '===': [{ var: 'plan' }, 'pro'] }, 'on', 'off'] },
          'on',
        ],
      },
      { country: 'DE', plan: 'free' },
      false,
    ],
  ])('%j decides for %j as %s', (targeting, context, value) => {
    const flag = { targeting, variants: { ...variants, true: true, false: false } }
    const named = read(flag).keys[0]?.variants ?? []
    expect(read(flag).keys).toMatchObject([{ verdict: 'exact' }])
    const name = decide(flag, context)
    expect(named.find((one) => one.name === name)?.on).toBe(value)
  })

  it.each([
    [
      {
        targeting: {
          fractional: [
            ['on', 50],
            ['off', 50],
          ],
        },
      },
      'FD-T010',
    ],
    [{ targeting: { if: [{ var: 'x' }, 'on', 'off'] } }, 'FD-T010'],
    [{ targeting: { if: [true, 'neither', 'off'] } }, 'FD-T010'],
    [{ state: 'DISABLED' }, 'FD-T002'],
    [{ defaultVariant: null }, 'FD-T003'],
    [
      {
        variants: { on: { a: 1 }, off: 'none' },
        targeting: { if: [{ in: ['a', country] }, 'on'] },
      },
      'FD-T020',
    ],
  ])('that cannot be expressed are left out: %j', (flag, code) => {
    expect(read(flag).leftOut).toMatchObject([{ issues: [{ code, severity: 'high' }] }])
  })

  it('keep the names of their variants where true and false have several, and else their values', () => {
    const targeting = { if: [{ '===': [country, 'DE'] }, 'on', 'beta'] }
    const ofTexts = { targeting, variants: { on: 'blue', off: 'red', beta: 'green' } }
    expect(read(ofTexts).keys).toMatchObject([{ tier: 'public', targeted: true, type: 'string' }])
    expect(decide(ofTexts, { country: 'DE' })).toBe('blue')
    expect(decide(ofTexts, {})).toBe('green')
    const named = { targeting, variants: { ...variants, beta: true } }
    expect(read(named).keys).toMatchObject([{ tier: 'featureFlags', values: [{ value: true }] }])
    expect(decide(named, { country: 'DE' })).toBe('on')
    expect(decide(named, {})).toBe('beta')
    expect(decide({ ...named, targeting: {} }, {})).toBe('off')
  })

  it('come from YAML as well', () => {
    const yaml = `
flags:
  checkout:
    state: ENABLED
    variants: { on: true, off: false }
    defaultVariant: 'on'
`
    expect(flagd.fromFile(yaml, options).keys).toMatchObject([
      { key: 'checkout', verdict: 'exact', values: [{ value: true }] },
    ])
  })

  it('that compare loosely, as numbers or versions, or look into objects differ', () => {
    const verdict = (test: object) =>
      read({ targeting: { if: [test, 'on', 'off'] } }).keys[0]?.verdict
    expect(verdict({ '==': [{ var: 'age' }, 1] })).toBe('differs')
    expect(verdict({ '>': [{ var: 'age' }, 1] })).toBe('differs')
    expect(verdict({ sem_ver: [{ var: 'v' }, '>=', '2.0.0'] })).toBe('differs')
    expect(verdict({ '===': [{ var: 'user.country' }, 'DE'] })).toBe('differs')
    expect(verdict({ '==': [country, 'DE'] })).toBe('exact')
  })

  it.each([
    ['nothing', /"flags" is missing/],
    ['{"flags":\n}', /no JSON: line 2/],
    ['flags:\n  a: [', /no YAML: line 2/],
    ['{}', /"flags" is missing/],
    ['{"flags":{"a":{"state":"ENABLED"}}}', /flags\.a\.variants is no object/],
  ])('that cannot be read say where: %s', (text, message) => {
    expect(() => flagd.fromFile(text, options)).toThrow(message)
  })
})
