import { describe, expect, it } from 'vitest'
import { parseValue, publicValueWarning, toEditText } from './parse-value.ts'

describe('what is typed', () => {
  it.each([
    ['250', 250],
    [' -0.5 ', -0.5],
    ['1e3', 1000],
    ['.5', 0.5],
  ])('%j is the number %d', (text, value) => {
    expect(parseValue(text, 'number')).toEqual({ ok: true, value })
  })

  it.each(['', ' ', '10x', '0x10', 'Infinity', '1e999', '1,5', 'NaN'])(
    '%j is no number',
    (text) => {
      expect(parseValue(text, 'number').ok).toBe(false)
    },
  )

  it('is on or off by several words', () => {
    expect(parseValue('ON', 'boolean')).toEqual({ ok: true, value: true })
    expect(parseValue('0', 'boolean')).toEqual({ ok: true, value: false })
    expect(parseValue('maybe', 'boolean').ok).toBe(false)
  })

  it('is an object or a list, or the line that is none', () => {
    expect(parseValue('{"a": [1]}', 'json')).toEqual({ ok: true, value: { a: [1] } })
    expect(parseValue('[\n  1,\n]', 'json')).toEqual({
      ok: false,
      error: expect.stringMatching(/^Line 3: Expected a value/),
    })
    expect(parseValue('12', 'json').ok).toBe(false)
    expect(toEditText({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}')
  })

  it('is a text as it stands', () => {
    expect(parseValue(' 12 ', 'string')).toEqual({ ok: true, value: ' 12 ' })
  })
})

describe('a public value', () => {
  it.each([
    ['anything', 'sk_live_1234'],
    ['anything', '-----BEGIN RSA PRIVATE KEY-----'],
    ['databaseUrl', 'postgres://app:pass@db/app'],
    ['stripeApiKey', 'abcdefghijklmnop'],
  ])('called %s is warned of when it is %s', (key, value) => {
    expect(publicValueWarning(key, value)).toContain('secret')
  })

  it('is not warned of when it is an ordinary one', () => {
    expect(publicValueWarning('apiUrl', 'https://api.example.com')).toBeUndefined()
    expect(publicValueWarning('tokenLifetime', 250)).toBeUndefined()
  })
})
