import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { cacheDirectory, Secrets } from './index.ts'

describe('Secrets', () => {
  const secrets = new Secrets({ stripeKey: 'sk_canary' })

  it('answers by key alone', () => {
    expect(secrets.get('stripeKey')).toBe('sk_canary')
    expect(() => secrets.get('stripe')).toThrow('No secret stripe')
  })

  it('leaves neither through a log nor through JSON', () => {
    const ways = [
      inspect(secrets, { showHidden: true }),
      JSON.stringify(secrets),
      inspect({ secrets }),
    ]
    expect([...ways, ...Object.keys(secrets)].join()).not.toContain('canary')
  })

  it('has no toJSON, so that React refuses to send it to a browser', () => {
    expect('toJSON' in secrets).toBe(false)
  })
})

describe('cacheDirectory', () => {
  it('is where the platform keeps such things', () => {
    expect(cacheDirectory({ XDG_CACHE_HOME: '/cache' })).toBe('/cache/signalbox')
    expect(cacheDirectory({})).toMatch(/\.cache.signalbox$/)
  })
})
