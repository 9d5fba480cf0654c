import { describe, expect, it } from 'vitest'
import { stackSeries, tallest, type BarSeries } from './stack-series.ts'

const series: readonly BarSeries[] = [
  { name: 'Deployed', color: 'accent', texture: 'plain', values: [3, 0] },
  { name: 'Failed', color: 'bad', texture: 'hatched', values: [1, 2] },
]

describe('stackSeries', () => {
  it('puts each series upon the one before it, and draws nothing where there is nothing', () => {
    const segments = stackSeries(series)
    expect(segments.map(({ series: { name }, at, from, to }) => [name, at, from, to])).toEqual([
      ['Deployed', 0, 0, 3],
      ['Failed', 0, 3, 4],
      ['Failed', 1, 0, 2],
    ])
    expect(tallest(segments)).toBe(4)
  })

  it('is empty without items', () => {
    expect(stackSeries([])).toEqual([])
    expect(tallest([])).toBe(0)
  })
})
