import { describe, expect, it } from 'vitest'
import { readSignInSearch } from './search.ts'

describe('where a sign-in leads', () => {
  it('is the page that asked for it', () => {
    expect(readSignInSearch({ returnTo: '/acme/config?key=a' })).toEqual({
      returnTo: '/acme/config?key=a',
    })
  })

  it.each(['//elsewhere.example', '/\\elsewhere.example', 'https://elsewhere.example', '/a\tb', 7])(
    'is never another host: %s',
    (returnTo) => expect(readSignInSearch({ returnTo })).toEqual({}),
  )
})
