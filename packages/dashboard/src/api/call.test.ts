import { describe, expect, it } from 'vitest'
import { toUrl } from './call.ts'

describe('the address of a call', () => {
  it('escapes what is put into the path', () => {
    expect(toUrl('/orgs/{org_id}/keys/{key}', { org_id: 'acme', key: 'a/b?c' })).toBe(
      '/orgs/acme/keys/a%2Fb%3Fc',
    )
  })

  it.each(['.', '..'])('leads to no other endpoint by an id that is %s', (key) => {
    expect(() => toUrl('/orgs/{org_id}/keys/{key}/rotate', { org_id: 'acme', key })).toThrow(
      expect.objectContaining({ code: 'not_found' }),
    )
    // The control: this is where a browser would go.
    const asked = `https://a.example/orgs/acme/keys/${encodeURIComponent(key)}/rotate`
    expect(new URL(asked).pathname).not.toContain(`/${key}/`)
  })

  it('leaves out what is not given, and repeats lists', () => {
    expect(toUrl('/x', {}, { a: undefined, b: null, c: '', d: 0, e: ['1', '2'] })).toBe(
      '/x?d=0&e=1&e=2',
    )
  })
})
