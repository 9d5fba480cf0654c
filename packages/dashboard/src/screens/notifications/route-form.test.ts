import { describe, expect, it } from 'vitest'
import { describeRoute, oneOf, readNames } from './route-form.ts'

const environments = [{ id: 'env_1', name: 'production' }]

describe('a route in a sentence', () => {
  it('says what is sent, of where', () => {
    const match = {
      environmentIds: ['env_1'],
      repositories: ['acme/shop', 'acme/web'],
      branches: ['main'],
      states: 'failures' as const,
    }
    const route = { match, events: ['deployment' as const] }
    expect(describeRoute(route, environments)).toBe(
      'failures of acme/shop, acme/web in production on main',
    )
  })

  it('leaves out what is not restricted, and names what is no deployment', () => {
    const match = {
      environmentIds: null,
      repositories: null,
      branches: null,
      states: 'always' as const,
    }
    expect(
      describeRoute({ match, events: ['deployment', 'integration_attention'] }, environments),
    ).toBe('every deployment; An integration needs attention')
    expect(describeRoute({ match, events: ['integration_attention'] }, environments)).toBe(
      'An integration needs attention',
    )
  })
})

describe('what is typed', () => {
  it('is names between commas or lines', () => {
    expect(readNames('main, release/*\nhotfix')).toEqual(['main', 'release/*', 'hotfix'])
    expect(readNames(' , ')).toBeNull()
  })

  it('is the first choice when it is none', () => {
    expect(oneOf('b', ['a', 'b'])).toBe('b')
    expect(oneOf('z', ['a', 'b'])).toBe('a')
  })
})
