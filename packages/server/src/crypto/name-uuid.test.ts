import { describe, expect, it } from 'vitest'
import { nameUuid } from './name-uuid.ts'

describe('nameUuid', () => {
  it('is the example of RFC 9562, A.4', () => {
    const dns = '6ba7b810-9dad-11d1-80b4-00c04fd430c8'
    expect(nameUuid(dns, 'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2')
  })

  it('refuses a namespace that is none', () => {
    expect(() => nameUuid('shop', 'x')).toThrow('A namespace is a UUID.')
  })
})
