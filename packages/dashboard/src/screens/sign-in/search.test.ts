import { describe, expect, it } from 'vitest'
import { readSignInSearch } from './search.ts'

it('says that a session has ended only where the dashboard says it', () => {
  expect(readSignInSearch({ ended: true })).toEqual({ ended: true })
  for (const ended of ['yes', 1, null]) expect(readSignInSearch({ ended })).toEqual({})
})

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
