import { describe, expect, it } from 'vitest'
import { describeKeyMove, describeVersion, type Version } from './describe-version.ts'

type VersionChange = Version['changes'][number]
const changed = (key: string, part: Partial<VersionChange> = {}): VersionChange => ({
  key,
  tier: 'public',
  change: 'changed',
  ...part,
})

describe('a version in the history', () => {
  it('says what became of its first keys, and how many more there are', () => {
    const changes = [
      changed('limit', { before: 1, after: 2 }),
      changed('beta', { tier: 'featureFlags', before: false, after: true }),
      changed('token', { tier: 'secret' }),
      changed('other'),
      changed('another'),
    ]
    expect(describeVersion({ changes })).toEqual([
      'limit: 1 → 2',
      'beta: off → on',
      'token: secret changed',
      'and 2 more',
    ])
  })

  it('names a key alone where the list has no values of it, and the segment that changed', () => {
    const segment = changed('beta', { tier: 'featureFlags', segments: ['staff'] })
    expect(describeVersion({ changes: [changed('long'), segment] })).toEqual([
      'long',
      'beta (segment staff changed)',
    ])
    expect(describeVersion({ changes: [] })).toEqual([])
  })

  it('says of a removed or emptied value what it is now', () => {
    const changes = [
      changed('a', { change: 'removed', before: 'x' }),
      changed('b', { before: 'x', after: '' }),
    ]
    expect(describeVersion({ changes })).toEqual(['a: x → not set', 'b: x → empty'])
  })

  it('of one key says so even of old versions, which recorded no values', () => {
    expect(describeKeyMove(changed('a', { change: 'added' }))).toBe('set here, to the same value')
    expect(describeKeyMove(changed('a', { before: 'x', after: 'y' }))).toBe('x → y')
  })
})
