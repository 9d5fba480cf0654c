import { expect, it } from 'vitest'
import { plotReadings } from './plot-readings.ts'

const box = { width: 106, height: 26 }
const good = (value: number | null) => ({ verdict: 'good' as const, value })
const none = { verdict: 'none' as const, value: null }

it('numbers stand at their height, with the limit among them', () => {
  const { points, lines, limitY } = plotReadings([good(0), good(1), good(4)], 2, box)
  expect(points.map(({ x, y }) => [x, y])).toEqual([
    [3, 23],
    [53, 18],
    [103, 3],
  ])
  expect(lines).toEqual(['3,23 53,18 103,3'])
  expect(limitY).toBe(13)
})

it('a limit beyond all numbers widens the picture, so that the distance is seen', () => {
  const { points, limitY } = plotReadings([good(1), good(0)], 10, box)
  expect(limitY).toBe(3)
  expect(points.every(({ y }) => y > 20)).toBe(true)
})

it('a reading without a number is a gap in the line, and without any there is no limit', () => {
  expect(plotReadings([good(1), none, good(2), good(3)], undefined, box).lines).toHaveLength(1)
  const { points, lines, limitY } = plotReadings([none, good(null)], 2, box)
  expect(lines).toEqual([])
  expect(limitY).toBeUndefined()
  expect(points.map(({ y }) => y)).toEqual([13, 13])
})

it('one reading, and equal ones, stand in the middle', () => {
  expect(plotReadings([good(5)], undefined, box).points).toEqual([{ x: 3, y: 13, verdict: 'good' }])
})
