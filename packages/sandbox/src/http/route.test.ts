import { describe, expect, it } from 'vitest'
import { matchPath } from './route.ts'

describe('matchPath', () => {
  it('takes named parts out of a path and decodes them', () => {
    expect(matchPath('/repos/:owner/:repo', '/repos/acme/web%20shop')).toEqual({
      owner: 'acme',
      repo: 'web shop',
    })
  })

  it('takes the rest of a path for a name with a star, slashes included', () => {
    const pattern = '/repos/:owner/:repo/environments/*name'
    expect(matchPath(pattern, '/repos/acme/shop/environments/eu/live')).toMatchObject({
      name: 'eu/live',
    })
    expect(matchPath(pattern, '/repos/acme/shop/environments/eu%2Flive')).toMatchObject({
      name: 'eu/live',
    })
  })

  it.each(['/repos/acme', '/repos/acme/shop/more', '/repos//shop', '/repo/acme/shop'])(
    'refuses another path: %s',
    (path) => {
      expect(matchPath('/repos/:owner/:repo', path)).toBeUndefined()
    },
  )
})
