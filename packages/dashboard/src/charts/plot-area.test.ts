import { describe, expect, it } from 'vitest'
import { pickLabels, toPlotArea } from './plot-area.ts'

describe('toPlotArea', () => {
  it('ends at a round number above the largest value, and at one where there is nothing', () => {
    const size = { width: 600, height: 160 }
    expect(toPlotArea(size, { count: 30, largest: 8 }).y.domain()).toEqual([0, 8])
    expect(toPlotArea(size, { count: 30, largest: 9.2 }).y.domain()).toEqual([0, 10])
    expect(toPlotArea(size, { count: 30, largest: 0 }).y.domain()).toEqual([0, 1])
  })

  it('gives every item a place of its own within the width', () => {
    const { x } = toPlotArea({ width: 300, height: 100 }, { count: 30, largest: 1 })
    const places = x.domain().map((at) => x(at) ?? 0)
    expect(new Set(places).size).toBe(30)
    expect(Math.min(...places)).toBeGreaterThanOrEqual(44)
    expect(Math.max(...places) + x.bandwidth()).toBeLessThanOrEqual(296)
  })
})

describe('pickLabels', () => {
  it('labels as many as have room', () => {
    expect(pickLabels(7, 600)).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(pickLabels(30, 300)).toEqual([0, 8, 16, 24])
    expect(pickLabels(30, 40)).toEqual([0])
  })
})
