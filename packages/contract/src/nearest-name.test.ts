import { describe, expect, it } from 'vitest'
import { nearestName, nearestNames } from './nearest-name.ts'

describe('nearestName', () => {
  it('finds a letter too many, too few, wrong or swapped with its neighbour', () => {
    const names = ['push', 'list', 'timeoutMs', 'production']
    expect(
      ['pussh', 'lst', 'timeoutMz', 'psuh', 'produciton'].map((name) => nearestName(name, names)),
    ).toEqual(['push', 'list', 'timeoutMs', 'push', 'production'])
  })

  it('takes a beginning for the whole, and the whole for a beginning', () => {
    expect(nearestName('enviroment', ['yes', 'env'])).toBe('env')
    expect(nearestName('stripe', ['stripeKey', 'apiUrl'])).toBe('stripeKey')
    expect(nearestName('envs', ['environments', 'env'])).toBe('environments')
  })

  it('finds nothing in names that only happen to be short', () => {
    expect(nearestName('zz', ['a', 'zzz2', 'b'])).toBeUndefined()
    expect(nearestName('x', ['a'])).toBeUndefined()
    expect(nearestName('$ref', ['oneOf', 'anyOf', 'enum'])).toBeUndefined()
    expect(nearestName('foo', ['color', 'env', 'json'])).toBeUndefined()
    expect(nearestName('ids', ['idempotencyKey'])).toBeUndefined()
    expect(nearestName('foo', [])).toBeUndefined()
  })

  it('names the nearest first', () => {
    expect(nearestNames('stagng', ['stage', 'staging', 'production'])).toEqual(['staging', 'stage'])
  })
})
