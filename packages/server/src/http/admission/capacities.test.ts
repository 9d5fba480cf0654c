import { describe, expect, it } from 'vitest'
import { defaultCapacities, parseCapacities } from './capacities.ts'

describe('SIGNALBOX_CAPACITY', () => {
  it('changes what it names and leaves the rest', () => {
    expect(parseCapacities(undefined)).toEqual(defaultCapacities)
    expect(parseCapacities(' ')).toEqual(defaultCapacities)
    expect(parseCapacities('streams=20000, bodyMiB=128')).toEqual({
      ...defaultCapacities,
      streams: 20_000,
      bodyMiB: 128,
    })
  })

  it.each(['streams', 'streams=0', 'streams=-1', 'streams=1e3', 'stream=5', 'connectionShare=90'])(
    'refuses %s and says what there is',
    (text) => {
      expect(() => parseCapacities(text)).toThrow(/^SIGNALBOX_CAPACITY: .* The names are streams,/)
    },
  )
})
