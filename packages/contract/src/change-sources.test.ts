import { describe, expect, it } from 'vitest'
import { describeFlagMove, describeMovedSource, type SourcedChange } from './change-sources.ts'

const byDefault = { source: 'default' } as const
const isSet = { source: 'set' } as const
const inherited = { source: 'inherited', environment: 'staging' } as const
const off = { change: 'added', before: false, after: false } as const

describe('a change of a flag with its sources', () => {
  it.each<[string, SourcedChange]>([
    ['default off → set to off', { ...off, sourceBefore: byDefault, sourceAfter: isSet }],
    [
      'off inherited from staging → set to off',
      { ...off, sourceBefore: inherited, sourceAfter: isSet },
    ],
    [
      'set to off → off inherited from its parent',
      {
        ...off,
        change: 'removed',
        sourceBefore: isSet,
        sourceAfter: { source: 'inherited' },
      },
    ],
    [
      'off → on',
      {
        change: 'changed',
        before: false,
        after: true,
        sourceBefore: byDefault,
        sourceAfter: isSet,
      },
    ],
    [
      'off → on for 10%',
      {
        ...off,
        rulesAfter: [{ when: [], serve: { percent: 10 } }],
        sourceBefore: byDefault,
        sourceAfter: isSet,
      },
    ],
    ['not set → off', { change: 'added', after: false, sourceAfter: isSet }],
    ['set here, same value', { change: 'added' }],
  ])('is “%s”', (words, change) => {
    expect(describeFlagMove(change)).toBe(words)
  })

  it('names no source twice, and none that an old version did not record', () => {
    const same = { ...off, sourceBefore: isSet, sourceAfter: isSet }
    expect(describeMovedSource(same, 'off')).toBeUndefined()
    expect(describeMovedSource({ ...off, sourceAfter: isSet }, 'off')).toBeUndefined()
  })
})
