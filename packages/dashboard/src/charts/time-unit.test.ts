import { describe, expect, it } from 'vitest'
import { toPlotArea } from './plot-area.ts'
import { pickTimeUnit } from './time-unit.ts'

const hour = 3_600_000

describe('pickTimeUnit', () => {
  it('counts in what a person would count in', () => {
    expect(pickTimeUnit(900).name).toBe('ms')
    expect(pickTimeUnit(74_000).name).toBe('s')
    expect(pickTimeUnit(20 * 60_000).name).toBe('min')
    expect(pickTimeUnit(36 * hour).name).toBe('h')
    expect(pickTimeUnit(90 * hour).name).toBe('d')
  })

  it('gives an axis round numbers, from zero', () => {
    const largest = 11 * hour
    const unit = pickTimeUnit(largest)
    const { y } = toPlotArea({ width: 600, height: 84 }, { count: 7, largest: largest / unit.ms })
    expect(y.ticks(2)).toEqual([0, 10])
    expect(y.domain()[0]).toBe(0)
  })
})
